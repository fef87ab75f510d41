import { limits } from '../../../limits.ts';

/** How long, in milliseconds, the last answers wait at least for a client that does not read. */
const STALL = limits.stdio.lastAnswersMs.value;

/** How long a connection that ends waits for its calls, and then for the reader of their answers. */
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

  /** Makes it shorter, never longer. A fixed one is not renewed by what is answered. */
  shorten(ms: number, { fixed }: { fixed: boolean }): void {
    this.#ms = Math.min(this.#ms, ms);
    this.#isFixed = fixed;
  }

  /** Waits for calls, anew from now. */
  waitForCalls(onOver: () => void): void {
    this.stop();
    this.#isForCalls = true;
    this.#timer = setTimeout(onOver, this.#ms);
  }

  /** Waits for a reader, anew from now: as long as for calls, if that is not too short to read anything. */
  waitForReader(onOver: () => void): void {
    this.stop();
    this.#isForCalls = false;
    this.#timer = setTimeout(onOver, this.#isFixed ? STALL : Math.max(STALL, this.#ms));
  }

  /** Begins to count again, where it counts: whoever still gets answers, or reads them, is there and waits for the others. */
  renew(): void {
    if (!(this.#isFixed && this.#isForCalls)) this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
