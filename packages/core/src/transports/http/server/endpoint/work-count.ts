/** Counts the requests in work, so that closing can wait until there are none. */
export class WorkCount {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting) resolve();
  }

  /** Resolved when nothing is being done, or after the time that was given. */
  async idle(ms: number): Promise<void> {
    if (this.#count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    let done: () => void = () => {};
    await new Promise<void>((resolve) => {
      done = resolve;
      this.#waiting.add(done);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#waiting.delete(done);
  }
}
