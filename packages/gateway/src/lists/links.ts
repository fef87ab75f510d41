/** The maximum URIs that are remembered of one upstream. */
const maxLinks = 10_000;

/** The URIs that the latest results of an upstream referred to. */
export class Links {
  readonly #uris = new Set<string>();

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** Remembers URIs, and forgets the oldest. */
  add(uris: readonly string[]): void {
    for (const uri of uris) {
      this.#uris.delete(uri);
      this.#uris.add(uri);
    }
    for (const oldest of this.#uris) {
      if (this.#uris.size <= maxLinks) break;
      this.#uris.delete(oldest);
    }
  }
}
