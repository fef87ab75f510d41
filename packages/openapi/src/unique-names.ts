/** The room for the number at the end of a name that is taken. */
const numberLength = 7;

/** Names that differ from each other, in constant time each, however many want the same. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The next number, by the name that it follows. */
  readonly #numbers = new Map<string, number>();
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Takes a name of at most the maximum length, or the same with a number if it is taken. */
  take(wanted: string): string {
    const base = wanted.slice(0, this.#maxLength - numberLength);
    let name = wanted;
    let number = this.#numbers.get(base) ?? 2;
    while (this.#taken.has(name)) {
      name = `${base}_${number}`;
      number += 1;
      this.#numbers.set(base, number);
    }
    this.#taken.add(name);
    return name;
  }
}
