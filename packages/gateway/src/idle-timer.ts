/** What is closed when it was not used for long enough. */
export interface IdleTimerOptions {
  /** `Infinity`: never. */
  readonly idleMs: number;
  isBusy(): boolean;
  /** Returns false if it is still needed. */
  onIdle(): boolean;
}

/** Calls back when something was idle for a time. Each use does not set the timer anew: when it fires, it looks when the last one was. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Counts from now. */
  touch(): void {
    this.#usedAt = performance.now();
    const { idleMs } = this.#options;
    if (idleMs !== Number.POSITIVE_INFINITY) this.#timer ??= this.#start(idleMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(delayMs: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      const { idleMs, isBusy, onIdle } = this.#options;
      const leftMs = isBusy() ? idleMs : this.#usedAt + idleMs - performance.now();
      // A timer may fire a little early.
      if (leftMs > 1) this.#timer = this.#start(leftMs);
      else if (!onIdle()) this.touch();
    }, delayMs);
    timer.unref();
    return timer;
  }
}
