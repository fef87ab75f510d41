import type { Samples } from './figures.ts';
import type { Settings } from './settings.ts';

/** What every measurement works with. */
export interface Bench {
  /** The folder of the benchmark. */
  readonly folder: string;
  readonly settings: Settings;
  readonly samples: Samples;
  /** What else the report has to say, such as who loaded the servers. */
  readonly facts: Map<string, string>;
  /** Says what is going on. */
  say(text: string): void;
}

/** Lets all take turns, each round beginning with another, so that none always follows the same one. */
export async function takeTurns<T>(
  rounds: number,
  takers: readonly T[],
  turn: (taker: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < takers.length; index++) {
      await turn(takers[(index + round) % takers.length] as T, round);
    }
  }
}

/** So many calls compile the code of every subject, and so many turns are enough for one that is slow. */
const warmCalls = 20_000;
const warmTurns = 12;

/**
 * Lets a subject make calls until its code is compiled, and gives how many of them fill a turn: as many as in the fastest turn,
 * because in a slow moment of the machine a subject would get short turns for good.
 */
export async function warmUp(
  turnMs: number,
  { atLeast, ask }: { atLeast: number; ask: (calls: number) => Promise<{ seconds: number }> },
): Promise<number> {
  let calls = atLeast;
  let made = 0;
  for (let turn = 0; turn < 3 || (turn < warmTurns && made < warmCalls); turn++) {
    const { seconds } = await ask(calls);
    made += calls;
    calls = Math.max(calls, callsFor(turnMs, { calls, seconds }));
  }
  return calls;
}

/** How many calls fill a turn of this length, after so many were made in this time. */
export function callsFor(turnMs: number, { calls, seconds }: { calls: number; seconds: number }): number {
  return Math.max(4, Math.round((calls / seconds) * (turnMs / 1000)));
}

const patienceMs = 90_000;

/** Fails where something takes far too long, and says who it was that hung. */
export async function within<T>(who: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer for ${patienceMs / 1000} seconds`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new Error(`${who}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
