/** Counts actions and failures. */
export class Tally {
  readonly #counts = new Map<string, { worked: number; failed: number }>();
  /** The first failures. */
  readonly problems: string[] = [];

  /** Runs an action that must succeed. */
  async expect(what: string, action: () => Promise<unknown>): Promise<void> {
    const count = this.#count(what);
    try {
      await action();
      count.worked += 1;
    } catch (error) {
      count.failed += 1;
      if (this.problems.length < 20)
        this.problems.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  /** Counts a fault. */
  countFault(fault: string): void {
    this.#count(fault).worked += 1;
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

  #count(what: string): { worked: number; failed: number } {
    const count = this.#counts.get(what) ?? { worked: 0, failed: 0 };
    this.#counts.set(what, count);
    return count;
  }
}
