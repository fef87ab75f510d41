/** A budget that several users share. */
export class Budget {
  readonly #max: number;
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The used amount. */
  get used(): number {
    return this.#used;
  }

  /** Takes an amount, all or nothing; false if the rest is too small. */
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
