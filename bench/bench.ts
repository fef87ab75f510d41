import { quantile, type Samples } from './figures.ts';
import type { Settings } from './settings.ts';

/** The state of a run, passed to every measurement. */
export interface Bench {
  /** The folder of the benchmark. */
  readonly folder: string;
  readonly settings: Settings;
  readonly samples: Samples;
  /** Facts for the report, such as the load generator. */
  readonly facts: Map<string, string>;
  /** Logs progress. */
  say(text: string): void;
}

/** Runs all participants in turn, each round starting with another one. `from` is the number of the first round. */
export async function takeTurns<T>(
  rounds: number,
  participants: readonly T[],
  turn: (participant: T, round: number) => Promise<unknown>,
  from = 0,
): Promise<void> {
  for (let round = from; round < from + rounds; round++) {
    for (let index = 0; index < participants.length; index++) {
      await turn(participants[(index + round) % participants.length] as T, round);
    }
  }
}

/** Enough calls to compile the code of every subject, and enough turns for a slow one. */
const warmCalls = 20_000;
const warmTurns = 12;

/** Makes calls until a subject's code is compiled. Returns how many fill a turn, by the fastest turn so far. */
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

/** How many calls fill a turn of this length. */
export function callsFor(turnMs: number, { calls, seconds }: { calls: number; seconds: number }): number {
  return Math.max(4, Math.round((calls / seconds) * (turnMs / 1000)));
}

/** A subject that makes calls, or answers them. */
export interface Caller {
  readonly name: string;
  /** Makes calls; latencies are in microseconds, if they are measured. */
  ask(calls: number): Promise<{ seconds: number; latencies?: readonly number[] }>;
  /** Starts to measure the CPU time of a turn; the returned function gives it per call. */
  measureUse(): Use | Promise<Use>;
}

type Use = (calls: number) => Record<string, number> | Promise<Record<string, number>>;

/** Calls per second and CPU per call of all callers, in turns, after a warm-up. */
export async function measureRate(
  { settings, samples }: Bench,
  callers: readonly Caller[],
  { measure, atLeast }: { measure: string; atLeast: number },
): Promise<void> {
  const counts = new Map<Caller, number>();
  for (const caller of callers) {
    const ask = (calls: number): Promise<{ seconds: number }> => withTimeout(caller.name, caller.ask(calls));
    counts.set(caller, await warmUp(settings.turnMs, { atLeast, ask }));
  }
  await takeTurns(settings.rounds, callers, async (caller, round) => {
    const calls = counts.get(caller) as number;
    const endUse = await caller.measureUse();
    const { seconds, latencies } = await withTimeout(caller.name, caller.ask(calls));
    const values = { perSecond: calls / seconds, ...(await endUse(calls)), ...(latencies && percentiles(latencies)) };
    samples.add({ measure, subject: caller.name, round, values });
  });
}

/** The median and the 99th percentile. */
export function percentiles(latencies: readonly number[]): { p50Us: number; p99Us: number } {
  return { p50Us: quantile(latencies, 0.5), p99Us: quantile(latencies, 0.99) };
}

const hangMs = 90_000;

/** Rejects, with a name, when work hangs. */
export async function withTimeout<T>(who: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer for ${hangMs / 1000} seconds`)), hangMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new Error(`${who}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
