/** How many texts are remembered at most. */
const maxTexts = 1000;

/** The longest text that is remembered. */
const maxLength = 1000;

/** Keeps equal texts once: most clients say the same of themselves as others do. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** How many texts are remembered. */
  get size(): number {
    return this.#texts.size;
  }

  /** A text equal to the given one: the one that is remembered, where there is one. */
  share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (text.length > maxLength) return text;
    if (this.#texts.size === maxTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  clear(): void {
    this.#texts.clear();
  }
}
