import { isWorkerd } from './kind.ts';

/** Unrefs a timer, so that it does not keep the process alive. Does nothing in runtimes without `unref`. */
export function unref<T>(timer: T): T {
  (timer as { unref?: () => void } | undefined)?.unref?.();
  return timer;
}

/** Yields to the event loop, so that pending I/O is handled first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** The maximum delay of a timer. */
const longestTimer = 2 ** 31 - 1;

/** Calls `work` at a time given as for `Date.now()`, however far away. Returns a function that cancels it. */
export function atTime(time: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = time - Date.now();
    timer = unref(left > longestTimer ? setTimeout(wait, longestTimer) : setTimeout(work, Math.max(left, 0)));
  };
  wait();
  return () => clearTimeout(timer);
}

/** Options of `SharedInterval`. */
export interface SharedIntervalOptions {
  everyMs: number;
  /** True: each member has its own timer. Default: only where timers end with the request that set them. */
  apart?: boolean;
}

/**
 * Calls its members at intervals, all of them from one timer, or each from its own where timers belong to
 * requests.
 */
export class SharedInterval {
  readonly #everyMs: number;
  readonly #apart: boolean;
  readonly #members = new Map<unknown, { work: () => void; times: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ everyMs, apart = isWorkerd }: SharedIntervalOptions) {
    this.#everyMs = everyMs;
    this.#apart = apart;
  }

  /** Adds a member; returns a function that removes it. With a shared timer, a key that joined twice is called once. */
  join(key: unknown, work: () => void): () => void {
    if (this.#apart) {
      const timer = unref(setInterval(work, this.#everyMs));
      return () => clearInterval(timer);
    }
    const member = this.#members.get(key) ?? { work, times: 0 };
    member.times += 1;
    this.#members.set(key, member);
    this.#timer ??= unref(setInterval(() => this.#tick(), this.#everyMs));
    return () => {
      member.times -= 1;
      if (member.times === 0) this.#members.delete(key);
    };
  }

  /** Stops the shared timer; the next member restarts it. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const { work } of this.#members.values()) work();
    // Not when the last member leaves, because another may join at once.
    if (this.#members.size === 0) this.stop();
  }
}
