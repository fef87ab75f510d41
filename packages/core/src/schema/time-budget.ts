import { cpuMs, runWithTimeout } from './time-limit.ts';

/** The refill per second. */
const allSlowChecksRefillMs = 200;

/** The time budget of slow checks with all schemas of a process. */
const allSlowChecksMs = 5 * 1000;

/** The refill per second. */
const slowChecksRefillMs = 50;

/** The time budget of slow checks with one schema. */
const slowChecksMs = 1000;

const perSchema = { most: slowChecksMs, perSecond: slowChecksRefillMs };
const perProcess = { most: allSlowChecksMs, perSecond: allSlowChecksRefillMs };
/** The time limit of a check once the budget is spent. */
const minCheckMs = 2;

/** A time budget that refills at a constant rate. */
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
 * The CPU budget for slow checks of one schema. A check may run until the budget of its schema or of the process is
 * used up; afterwards it gets a short timeout, which ordinary values do not reach.
 */
export class TimeBudget {
  readonly #own = new Allowance(perSchema);
  readonly #busyMs: () => number;

  /** `busyMs` returns the CPU time of the process, which is less than wall time on a busy machine. */
  constructor(busyMs: () => number = cpuMs) {
    this.#busyMs = busyMs;
  }

  /** Runs restartable work, and throws `CheckTimeout` when its time is up. */
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
