import { inWorkers } from './kind.ts';

/** Lets the process end although this timer runs. Where a process does not wait for timers, there is nothing to do. */
export function letEnd<T>(timer: T): T {
  (timer as { unref?: () => void } | undefined)?.unref?.();
  return timer;
}

/** Waits until whatever else has come in had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** The longest time that a timer takes. */
const longestTimer = 2 ** 31 - 1;

/** Calls back at a time of day, in milliseconds as `Date.now()` counts, however far away; not if it is called off before. */
export function atTime(time: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = time - Date.now();
    timer = letEnd(left > longestTimer ? setTimeout(wait, longestTimer) : setTimeout(work, Math.max(left, 0)));
  };
  wait();
  return () => clearTimeout(timer);
}

/** How often there is a beat, and whether each who takes part needs a timer. */
export interface BeatOptions {
  everyMs: number;
  /** Default: where a timer ends with the request that set it. */
  apart?: boolean;
}

/**
 * Calls back at intervals whoever takes part: all of them with one timer, or each with one of their own where timers belong to
 * requests.
 */
export class Beat {
  readonly #everyMs: number;
  readonly #apart: boolean;
  readonly #members = new Map<unknown, { work: () => void; times: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ everyMs, apart = inWorkers }: BeatOptions) {
    this.#everyMs = everyMs;
    this.#apart = apart;
  }

  /** Takes part until the function given back is called. With one timer, a key that takes part twice is called once. */
  join(key: unknown, work: () => void): () => void {
    if (this.#apart) {
      const timer = letEnd(setInterval(work, this.#everyMs));
      return () => clearInterval(timer);
    }
    const member = this.#members.get(key) ?? { work, times: 0 };
    member.times += 1;
    this.#members.set(key, member);
    this.#timer ??= letEnd(setInterval(() => this.#beat(), this.#everyMs));
    return () => {
      member.times -= 1;
      if (member.times === 0) this.#members.delete(key);
    };
  }

  /** Stops the one timer; who takes part later starts it anew. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const { work } of this.#members.values()) work();
    // Not as soon as the last one leaves: another may come at once.
    if (this.#members.size === 0) this.stop();
  }
}
