/** What was done, how often, and what failed although it should have worked. */
export class Tally {
  readonly #counts = new Map<string, { worked: number; failed: number }>();
  /** The first failures, in words. */
  readonly problems: string[] = [];

  /** Does something that must work. */
  async expect(what: string, action: () => Promise<unknown>): Promise<void> {
    const count = this.#of(what);
    try {
      await action();
      count.worked += 1;
    } catch (error) {
      count.failed += 1;
      if (this.problems.length < 20)
        this.problems.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  /** Notes that a fault was made. */
  made(fault: string): void {
    this.#of(fault).worked += 1;
  }

  get failed(): number {
    return [...this.#counts.values()].reduce((sum, { failed }) => sum + failed, 0);
  }

  line(): string {
    const worked = [...this.#counts.values()].reduce((sum, count) => sum + count.worked, 0);
    return `${worked} done, ${this.failed} failed`;
  }

  table(): string {
    const rows = [...this.#counts].map(
      ([what, { worked, failed }]) => `${what.padEnd(36)} ${worked}`.padEnd(50) + failed,
    );
    return ['what                                 times        failed', ...rows].join('\n');
  }

  #of(what: string): { worked: number; failed: number } {
    const count = this.#counts.get(what) ?? { worked: 0, failed: 0 };
    this.#counts.set(what, count);
    return count;
  }
}
