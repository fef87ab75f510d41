import { unref } from '../../../../runtime/timers.ts';

/** Time for the former connection to hand over; then the client is notified that anything may have changed. */
const handoverMs = 1000;
/** The delay before the next attempt to log an event. */
const recoveryMs = 1000;

/** Options of a gap detector. */
export interface GapDetectorOptions {
  /** The stream began before, maybe on another instance. */
  isResumed: boolean;
  /** Rejects as long as the store is unavailable. */
  attempt: () => Promise<unknown>;
  /** Notifies the client that anything may have changed. */
  notifyAll: () => void;
}

/**
 * Detects gaps in the events of a stream. The former connection says when it has logged all of them; if it does not,
 * because its instance crashed, or if an event could not be logged, the client is notified that anything may have changed.
 */
export class GapDetector {
  readonly #options: GapDetectorOptions;
  #state: 'complete' | 'awaiting' | 'lossy';
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: GapDetectorOptions) {
    this.#options = options;
    this.#state = options.isResumed ? 'awaiting' : 'complete';
  }

  /** True if no event is missing. */
  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** True while events can't be logged. */
  get isLossy(): boolean {
    return this.#state === 'lossy';
  }

  /** The stream is open: the former connection has some time to hand over. */
  open(): void {
    if (this.#state === 'awaiting') this.#schedule(handoverMs, () => this.#recover());
  }

  /** The former connection has logged all events. */
  handedOver(): void {
    if (this.#state !== 'awaiting') return;
    this.#state = 'complete';
    clearTimeout(this.#timer);
  }

  /** An event could not be logged. */
  reportGap(): void {
    if (this.#isOver || this.#state === 'lossy') return;
    this.#state = 'lossy';
    this.#retry();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #retry(): void {
    const retry = (): void => {
      if (!this.#isOver) this.#retry();
    };
    this.#schedule(recoveryMs, () => void this.#options.attempt().then(() => this.#recover(), retry));
  }

  #recover(): void {
    if (this.#isOver) return;
    this.#state = 'complete';
    this.#options.notifyAll();
  }

  #schedule(ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = unref(setTimeout(work, ms));
  }
}
