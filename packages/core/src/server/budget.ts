/** How much of something may be taken at a time, by all together. */
export class Budget {
  readonly #max: number;
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How much is taken. */
  get used(): number {
    return this.#used;
  }

  /** Takes some, all or nothing; false if there is not so much left. */
  take(amount: number): boolean {
    if (this.#used + amount > this.#max) return false;
    this.#used += amount;
    return true;
  }

  /** Returns tokens to the budget. */
  give(amount: number): void {
    this.#used -= amount;
  }
}
