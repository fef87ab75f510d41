/** Generates a text that a regular expression matches; undefined for unsupported syntax. */
export function patternExample(pattern: string, least = 0): string | undefined {
  for (const repeats of [1, Math.min(least, 1000)]) {
    try {
      const made = new Reader(pattern, repeats).generate();
      if (made.length >= least || repeats >= least) return made;
    } catch (error) {
      if (error instanceof UnsupportedPatternError) return undefined;
      throw error;
    }
  }
  return undefined;
}

class UnsupportedPatternError extends Error {}

const maxLength = 1000;
const maxDepth = 50;

/**
 * Generates a text that a pattern matches: the first alternative, with as few repetitions as possible. The pattern is untrusted
 * and never executed: it might backtrack without end.
 */
class Reader {
  readonly #pattern: string;
  /** The repetitions of an unbounded quantifier. */
  readonly #repeats: number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, repeats: number) {
    this.#pattern = pattern.slice(0, maxLength);
    this.#repeats = repeats;
  }

  generate(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new UnsupportedPatternError();
    return text;
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#peek())) {
      const piece = this.#piece();
      text += piece.repeat(this.#count());
      if (text.length > maxLength) throw new UnsupportedPatternError();
    }
    return text;
  }

  #piece(): string {
    const character = this.#next();
    switch (character) {
      case '^':
      case '$':
        return this.#edge(character);
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '.':
        return 'a';
      case '\\':
        return this.#parseEscape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new UnsupportedPatternError();
      default:
        return character;
    }
  }

  /** Anchors are supported at the start and end only. */
  #edge(character: '^' | '$'): string {
    const isThere = character === '^' ? /^[(^]*\^$/ : /^[)$]*$/;
    const around = character === '^' ? this.#pattern.slice(0, this.#at) : this.#pattern.slice(this.#at);
    if (!isThere.test(around)) throw new UnsupportedPatternError();
    return '';
  }

  #group(): string {
    if (this.#take('?') && !this.#take(':')) throw new UnsupportedPatternError();
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new UnsupportedPatternError();
    const text = this.#alternatives();
    this.#depth -= 1;
    if (!this.#take(')')) throw new UnsupportedPatternError();
    return text;
  }

  #parseEscape(): string {
    const character = this.#next();
    const known = classes[character];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(character) || character === '') throw new UnsupportedPatternError();
    return character;
  }

  /** The first character of a set, or the first usual one that a negated set allows. */
  #set(): string {
    const excludes = this.#take('^');
    const members: string[] = [];
    while (!this.#take(']')) {
      const character = this.#next();
      // The complement of these classes is not supported.
      if (character === '' || (excludes && character === '\\' && 'wWDS'.includes(this.#peek())))
        throw new UnsupportedPatternError();
      members.push(character === '\\' ? this.#parseEscape() : character);
      // A range stands for its first character.
      if (this.#peek() === '-' && this.#pattern[this.#at + 1] !== ']') {
        if (excludes) throw new UnsupportedPatternError();
        this.#next();
        if (this.#next() === '\\') this.#next();
      }
    }
    const letters = members.find((member) => /[A-Za-z]/.test(member));
    const [first = ''] = excludes ? ['a', '0', ' '].filter((each) => !members.includes(each)) : [letters ?? members[0]];
    if (first === '' || (excludes && members.some((member) => member.length !== 1)))
      throw new UnsupportedPatternError();
    return first;
  }

  #count(): number {
    const [found, least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#pattern.slice(this.#at)) ?? [''];
    this.#at += found.length;
    if (found === '') return 1;
    if (found.startsWith('?')) return 0;
    if (found.startsWith('*')) return this.#repeats > 1 ? this.#repeats : 0;
    if (found.startsWith('+')) return this.#repeats;
    const count = Math.max(Number(least), comma === ',' && most === '' ? this.#repeats : 0);
    if (count > maxLength) throw new UnsupportedPatternError();
    return comma === ',' && most !== '' ? Math.max(count, Math.min(Number(most), this.#repeats)) : count;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }
}

const classes: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', S: 'a', W: ' ', t: '\t' };
