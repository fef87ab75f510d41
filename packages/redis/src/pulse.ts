import { limits } from '@ccmcp/core';
import type { StoreStatus } from '@ccmcp/core/http';
import type { RedisFault } from './explain.ts';
import { within } from './within.ts';

/** What a pulse is taken of. */
export interface Patient {
  /** Asks for a sign of life. */
  ask(): Promise<void>;
  /** Why that failed. */
  reasonOf(error: unknown): RedisFault;
  timeoutMs: number;
}

const beatMs = limits.stores.redisBeatMs.value;
/** One that is away is asked more often: everybody waits for it. */
const awayMs = 500;

/** Knows whether Redis can be used, without asking it: it is asked at intervals, and by whoever uses it. */
export class Pulse {
  readonly #patient: Patient;
  #fault: RedisFault | undefined;
  #latencyMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(patient: Patient) {
    this.#patient = patient;
  }

  /** Why Redis can't be used now; undefined while it can. */
  get fault(): RedisFault | undefined {
    return this.#fault;
  }

  get status(): StoreStatus {
    const fault = this.#fault;
    return fault === undefined ? { ready: true, latencyMs: this.#latencyMs } : { ready: false, reason: fault.message };
  }

  /** Asks at once, and from then on at intervals. */
  async beat(): Promise<void> {
    if (this.#isAsking || this.#isOver) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    const started = performance.now();
    try {
      await within(this.#patient.ask(), this.#patient.timeoutMs);
      this.#latencyMs = performance.now() - started;
      this.#fault = undefined;
    } catch (error) {
      this.#fault = this.#patient.reasonOf(error);
    }
    this.#isAsking = false;
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void this.beat(), this.#fault === undefined ? beatMs : awayMs);
    this.#timer.unref();
  }

  /** An operation failed: where Redis seems to be away, nobody else has to wait for it. */
  note(fault: RedisFault): void {
    if (fault.prospect !== 'away' || this.#isOver) return;
    this.#fault ??= fault;
    void this.beat();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
