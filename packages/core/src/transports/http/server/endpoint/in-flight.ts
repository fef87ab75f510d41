/** Counts requests in flight, so that shutdown can wait until there are none. */
export class InFlight {
  /** Increased when a request begins. */
  count = 0;
  readonly #waiting = new Set<() => void>();

  end(): void {
    this.count -= 1;
    if (this.count > 0) return;
    for (const resolve of this.#waiting) resolve();
  }

  /** Resolves when no request is in flight, or after the timeout. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    let done: () => void = () => {};
    await new Promise<void>((resolve) => {
      done = resolve;
      this.#waiting.add(done);
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    this.#waiting.delete(done);
  }
}
