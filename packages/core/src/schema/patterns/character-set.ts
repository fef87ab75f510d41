const ascii = 128;

/** The set of characters that one part of a regular expression matches. */
export class CharacterSet {
  /** Whether it may contain characters beyond ASCII. */
  readonly goesBeyond: boolean;
  /** A bit set of its ASCII characters. */
  readonly bits: readonly number[];
  readonly #regexp: RegExp;

  constructor(source: string) {
    this.#regexp = new RegExp(`^(?:${source})$`, 'u');
    this.goesBeyond = /^(?:\.|\[\^)|[^\0-\x7f]|\\[uxpPsSDW]/.test(source);
    const bits = [0, 0, 0, 0];
    for (let code = 0; code < ascii; code += 1) {
      if (this.#regexp.test(String.fromCharCode(code)))
        bits[code >> 5] = (bits[code >> 5] as number) | (1 << (code & 31));
    }
    this.bits = bits;
  }

  has(code: number): boolean {
    if (code < ascii) return ((this.bits[code >> 5] as number) & (1 << (code & 31))) !== 0;
    return this.goesBeyond && this.#regexp.test(String.fromCodePoint(code));
  }
}

/** True if the sets are certainly disjoint. */
export function areDisjoint(sets: readonly CharacterSet[]): boolean {
  const seen = [0, 0, 0, 0];
  let goesBeyond = false;
  for (const set of sets) {
    if (goesBeyond && set.goesBeyond) return false;
    goesBeyond ||= set.goesBeyond;
    for (const [index, bits] of set.bits.entries()) {
      if (((seen[index] as number) & bits) !== 0) return false;
      seen[index] = (seen[index] as number) | bits;
    }
  }
  return true;
}
