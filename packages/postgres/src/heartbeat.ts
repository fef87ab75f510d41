import type { StoreStatus } from '@ccmcp/core/http';
import type { PostgresStoreError } from './explain-error.ts';

/** The interval of checks, and while PostgreSQL is unavailable. */
const intervalMs = 2000;
const retryMs = 500;

/** Tracks whether PostgreSQL is available: checks at intervals, and learns from failed operations. */
export class Heartbeat {
  readonly #ping: () => Promise<void>;
  readonly #explain: (error: unknown) => PostgresStoreError;
  #fault: PostgresStoreError | undefined;
  #latencyMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isStopped = false;

  constructor(ping: () => Promise<void>, explain: (error: unknown) => PostgresStoreError) {
    this.#ping = ping;
    this.#explain = explain;
  }

  /** Why PostgreSQL is unavailable; undefined while it is available. */
  get fault(): PostgresStoreError | undefined {
    return this.#fault;
  }

  get status(): StoreStatus {
    const fault = this.#fault;
    return fault === undefined ? { ready: true, latencyMs: this.#latencyMs } : { ready: false, reason: fault.message };
  }

  /** Checks now, and from then on at intervals. */
  async check(): Promise<void> {
    if (this.#isChecking || this.#isStopped) return;
    this.#isChecking = true;
    clearTimeout(this.#timer);
    const started = performance.now();
    try {
      await this.#ping();
      this.#latencyMs = performance.now() - started;
      this.#fault = undefined;
    } catch (error) {
      this.#fault = this.#explain(error);
    }
    this.#isChecking = false;
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.check(), this.#fault === undefined ? intervalMs : retryMs);
    this.#timer.unref();
  }

  /** Reports a failed operation: if PostgreSQL seems unavailable, later operations fail fast. */
  reportFault(fault: PostgresStoreError): void {
    if (fault.kind !== 'unavailable' || this.#isStopped) return;
    this.#fault ??= fault;
    void this.check();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
