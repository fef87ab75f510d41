import { limits } from '@ccmcp/core';

const maxTotalLength = limits.inspector.texts.value;
const maxTextLength = limits.inspector.text.value;

/** A stored text, possibly truncated. */
export interface FullText {
  readonly text: string;
  readonly cut?: true;
}

/** Full texts of events with a preview, by event number. Evicts the oldest beyond the limit. */
export class FullTexts {
  readonly #texts = new Map<number, FullText>();
  #length = 0;

  add(n: number, text: string): void {
    const kept: FullText = text.length > maxTextLength ? { text: text.slice(0, maxTextLength), cut: true } : { text };
    this.#texts.set(n, kept);
    this.#length += kept.text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= maxTotalLength || oldest === n) return;
      this.#drop(oldest);
    }
  }

  get(n: number): FullText | undefined {
    return this.#texts.get(n);
  }

  /** Drops texts of evicted events. */
  dropBefore(n: number, but: ReadonlyMap<number, unknown>): void {
    for (const each of this.#texts.keys()) {
      if (each >= n) return;
      if (!but.has(each)) this.#drop(each);
    }
  }

  #drop(n: number): void {
    this.#length -= this.#texts.get(n)?.text.length ?? 0;
    this.#texts.delete(n);
  }
}
