/**
 * Messages that are written together. One by itself is written at once; where others are under way, those of one turn of
 * the event loop share a write.
 */
export class WriteBatch {
  readonly #flush: () => void;
  #text = '';
  #count = 0;
  #lastCount = 0;
  #sinceRead = 0;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  add(text: string): void {
    if (this.#text === '') {
      if (this.#sinceRead === 0 && this.#lastCount < 2) queueMicrotask(this.#flush);
      else setImmediate(this.#flush);
    }
    this.#text += text;
    this.#count += 1;
    this.#sinceRead += 1;
  }

  /** The other side has written something. */
  onRead(): void {
    this.#sinceRead = 0;
  }

  /** Gives what is to be written; empty if another flush has written it. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#lastCount = this.#count;
    this.#count = 0;
    return text;
  }
}
