/** Gives ids that no other thing of this run has: a letter for the kind, and a number. */
export class Ids {
  readonly #counts = new Map<string, number>();

  next(letter: string): string {
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    return `${letter}${count}`;
  }
}
