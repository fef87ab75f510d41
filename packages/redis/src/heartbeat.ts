import type { StoreStatus } from '@ccmcp/core/http';
import type { RedisStoreError } from './explain-error.ts';
import { withTimeout } from './with-timeout.ts';

/** The target of a heartbeat. */
export interface HeartbeatTarget {
  /** Pings the server. */
  ping(): Promise<void>;
  /** Explains a failure. */
  reasonOf(error: unknown): RedisStoreError;
  timeoutMs: number;
}

/** The interval of pings: how soon an outage or an emptied Redis is noticed. */
const intervalMs = 2 * 1000;
/** The interval while Redis is unavailable. */
const retryMs = 500;

/** Tracks whether Redis is available: pings it at intervals, and learns from failed operations. */
export class Heartbeat {
  readonly #target: HeartbeatTarget;
  #fault: RedisStoreError | undefined;
  #latencyMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isStopped = false;

  constructor(target: HeartbeatTarget) {
    this.#target = target;
  }

  /** Why Redis is unavailable; undefined while it is available. */
  get fault(): RedisStoreError | undefined {
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
      await withTimeout(this.#target.ping(), this.#target.timeoutMs);
      this.#latencyMs = performance.now() - started;
      this.#fault = undefined;
    } catch (error) {
      this.#fault = this.#target.reasonOf(error);
    }
    this.#isChecking = false;
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.check(), this.#fault === undefined ? intervalMs : retryMs);
    this.#timer.unref();
  }

  /** Reports a failed operation: if Redis seems unavailable, later operations fail fast. */
  reportFault(fault: RedisStoreError): void {
    if (fault.kind !== 'unavailable' || this.#isStopped) return;
    this.#fault ??= fault;
    void this.check();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
