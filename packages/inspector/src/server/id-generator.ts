/** Generates ids that are unique within a run: a letter for the kind, and a number. */
export class IdGenerator {
  readonly #counts = new Map<string, number>();

  next(letter: string): string {
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    return `${letter}${count}`;
  }
}
