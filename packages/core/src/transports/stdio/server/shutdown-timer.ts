import { limits } from '../../../limits.ts';

/** The minimum time for a slow reader to read the last answers, in milliseconds. */
const STALL = limits.stdio.lastAnswersMs.value;

/** The timeouts of a shutdown: first for running calls, then for the reader of their answers. */
export class ShutdownTimer {
  #ms: number;
  #isFixed = false;
  #isForCalls = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isFixed(): boolean {
    return this.#isFixed;
  }

  /** Shortens the grace period. A fixed one is not renewed by answers. */
  shorten(ms: number, { fixed }: { fixed: boolean }): void {
    this.#ms = Math.min(this.#ms, ms);
    this.#isFixed = fixed;
  }

  /** Waits for calls, starting now. */
  waitForCalls(onOver: () => void): void {
    this.stop();
    this.#isForCalls = true;
    this.#timer = setTimeout(onOver, this.#ms);
  }

  /** Waits for the reader, starting now: the grace period, but at least the minimum. */
  waitForReader(onOver: () => void): void {
    this.stop();
    this.#isForCalls = false;
    this.#timer = setTimeout(onOver, this.#isFixed ? STALL : Math.max(STALL, this.#ms));
  }

  /** Restarts the timeout: a client that gets or reads answers is alive. */
  renew(): void {
    if (!(this.#isFixed && this.#isForCalls)) this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
