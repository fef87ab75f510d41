import { limits } from '../limits.ts';
import { cpuMs, runWithTimeout } from './time-limit.ts';

const perSchema = { most: limits.schema.slowChecksMs.value, perSecond: limits.schema.slowChecksRefillMs.value };
const perProcess = { most: limits.schema.allSlowChecksMs.value, perSecond: limits.schema.allSlowChecksRefillMs.value };
const minCheckMs = limits.schema.hurriedCheckMs.value;

/** A time that can be spent, and comes back bit by bit. */
class Allowance {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at = performance.now();

  constructor({ most, perSecond }: { most: number; perSecond: number }) {
    this.#most = most;
    this.#perSecond = perSecond;
    this.#left = most;
  }

  left(now: number): number {
    this.#left = Math.min(this.#most, this.#left + (Math.max(0, now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    return this.#left;
  }

  spend(milliseconds: number, now: number): void {
    this.#left = Math.max(0, this.#left - milliseconds);
    this.#at = now;
  }
}

const shared = new Allowance(perProcess);

/**
 * The time that checks with one schema may take from everybody else, where they may be slow. Each can take its time as
 * long as there is some left, for this schema and for all of the process; after that it has to hurry, which does no harm
 * to values that are not made to be slow.
 */
export class TimeBudget {
  readonly #own = new Allowance(perSchema);
  readonly #busyMs: () => number;

  /** `busyMs` tells how long the process has been busy: on a crowded machine that is less than the clock says. */
  constructor(busyMs: () => number = cpuMs) {
    this.#busyMs = busyMs;
  }

  /** Runs work that is fit to be started again, and stops it when its time is up: `TimeUp` is thrown then. */
  run<T>(milliseconds: number, work: () => T): T {
    const began = performance.now();
    const busy = this.#busyMs();
    const left = Math.min(this.#own.left(began), shared.left(began));
    try {
      return runWithTimeout(Math.max(minCheckMs, Math.min(milliseconds, left)), work);
    } finally {
      const now = performance.now();
      const took = Math.min(now - began, this.#busyMs() - busy);
      this.#own.spend(took, now);
      shared.spend(took, now);
    }
  }
}
