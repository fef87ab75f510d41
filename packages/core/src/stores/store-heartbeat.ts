import type { StoreStatus } from './store.ts';

/** The interval of pings: how soon an outage is noticed. */
const intervalMs = 2 * 1000;
/** The interval during an outage. */
const retryMs = 500;

/** An explained failure of a database. The kind `unavailable` is an outage; others concern one operation. */
export interface StoreFault extends Error {
  readonly kind: string | undefined;
}

/** How to ping a database, and how to explain its errors. */
export interface StoreHeartbeatOptions<Fault extends StoreFault> {
  ping: () => Promise<void>;
  explain: (error: unknown) => Fault;
}

/** Tracks whether the database of a store is available: pings it at intervals, and learns from failed operations. */
export class StoreHeartbeat<Fault extends StoreFault> {
  readonly #options: StoreHeartbeatOptions<Fault>;
  #fault: Fault | undefined;
  #latencyMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isStopped = false;

  constructor(options: StoreHeartbeatOptions<Fault>) {
    this.#options = options;
  }

  /** Why the database is unavailable; undefined while it is available. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  get status(): StoreStatus {
    const fault = this.#fault;
    return fault === undefined ? { ready: true, latencyMs: this.#latencyMs } : { ready: false, reason: fault.message };
  }

  /** Pings now, and from then on at intervals. */
  async check(): Promise<void> {
    if (this.#isChecking || this.#isStopped) return;
    this.#isChecking = true;
    clearTimeout(this.#timer);
    const started = performance.now();
    try {
      await this.#options.ping();
      this.#latencyMs = performance.now() - started;
      this.#fault = undefined;
    } catch (error) {
      this.#fault = this.#options.explain(error);
    }
    this.#isChecking = false;
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.check(), this.#fault === undefined ? intervalMs : retryMs);
    this.#timer.unref();
  }

  /** Runs an operation of the store and explains its error. Fails fast during an outage. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      return await work();
    } catch (error) {
      const fault = this.#options.explain(error);
      if (fault.kind === 'unavailable' && !this.#isStopped) {
        this.#fault ??= fault;
        void this.check();
      }
      throw fault;
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
