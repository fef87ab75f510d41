import { limits } from '@ccmcp/core';
import type { StoreStatus } from '@ccmcp/core/http';
import type { RedisStoreError } from './explain-error.ts';
import { withTimeout } from './with-timeout.ts';

/** What a pulse is taken of. */
export interface HeartbeatTarget {
  /** Asks for a sign of life. */
  ping(): Promise<void>;
  /** Why that failed. */
  reasonOf(error: unknown): RedisStoreError;
  timeoutMs: number;
}

const intervalMs = limits.stores.redisBeatMs.value;
/** One that is away is asked more often: everybody waits for it. */
const retryMs = 500;

/** Knows whether Redis can be used, without asking it: it is asked at intervals, and by whoever uses it. */
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

  /** Why Redis can't be used now; undefined while it can. */
  get fault(): RedisStoreError | undefined {
    return this.#fault;
  }

  get status(): StoreStatus {
    const fault = this.#fault;
    return fault === undefined ? { ready: true, latencyMs: this.#latencyMs } : { ready: false, reason: fault.message };
  }

  /** Asks at once, and from then on at intervals. */
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

  /** An operation failed: where Redis seems to be away, nobody else has to wait for it. */
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
