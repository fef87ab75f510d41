/** Options of an idle timer. */
export interface IdleTimerOptions {
  /** The idle timeout; `Infinity`: never. */
  readonly idleMs: number;
  isBusy(): boolean;
  /** Returns false if the resource is still needed. */
  onIdle(): boolean;
}

/** Calls back after an idle timeout. A use does not reset the timer: when it fires, it checks the last use. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Restarts the timeout. */
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
