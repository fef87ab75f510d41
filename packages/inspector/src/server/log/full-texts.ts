import { limits } from '@ccmcp/core';

const most = limits.inspector.texts.value;
const longest = limits.inspector.text.value;

/** A text that is kept: all of it, or its beginning. */
export interface WholeText {
  readonly text: string;
  readonly cut?: true;
}

/** The texts that are too long for their events, by the numbers of those. Of too much, the oldest go. */
export class WholeTexts {
  readonly #texts = new Map<number, WholeText>();
  #length = 0;

  keep(n: number, text: string): void {
    const kept: WholeText = text.length > longest ? { text: text.slice(0, longest), cut: true } : { text };
    this.#texts.set(n, kept);
    this.#length += kept.text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= most || oldest === n) return;
      this.#drop(oldest);
    }
  }

  get(n: number): WholeText | undefined {
    return this.#texts.get(n);
  }

  /** Forgets the texts of events that are not known any more. */
  forgetBefore(n: number, but: ReadonlyMap<number, unknown>): void {
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
