import { limits } from '../../../../limits.ts';

const maxCount = limits.http.missedNews.value;
const maxLength = limits.http.missedNewsLength.value;

/** The news that are kept for a client that is away: each once, as far as there is room. */
export class MissedNews {
  readonly #texts = new Set<string>();
  #length = 0;

  /** True for what is to be kept; `full` where the client has missed too much to be told of it all. */
  keeps(text: string): boolean | 'full' {
    if (this.#texts.has(text)) return false;
    this.#texts.add(text);
    this.#length += text.length;
    return this.#texts.size > maxCount || this.#length > maxLength ? 'full' : true;
  }
}
