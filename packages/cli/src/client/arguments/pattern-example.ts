/** A text that a regular expression matches; undefined where it has something that is not understood here. */
export function patternExample(pattern: string, least = 0): string | undefined {
  for (const repeats of [1, Math.min(least, 1000)]) {
    try {
      const made = new Reader(pattern, repeats).whole();
      if (made.length >= least || repeats >= least) return made;
    } catch (error) {
      if (error instanceof NotUnderstood) return undefined;
      throw error;
    }
  }
  return undefined;
}

class NotUnderstood extends Error {}

const longest = 1000;
const deepest = 50;

/**
 * Reads a pattern and writes what it matches, always the first alternative and as few repetitions as will do. The pattern is a
 * stranger's and never run: some take for ever.
 */
class Reader {
  readonly #pattern: string;
  /** How often something is repeated that may be repeated without end. */
  readonly #repeats: number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, repeats: number) {
    this.#pattern = pattern.slice(0, longest);
    this.#repeats = repeats;
  }

  whole(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new NotUnderstood();
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
      if (text.length > longest) throw new NotUnderstood();
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
        return this.#escaped();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new NotUnderstood();
      default:
        return character;
    }
  }

  /** The edges of a text can't be in the middle of one. */
  #edge(character: '^' | '$'): string {
    const isThere = character === '^' ? /^[(^]*\^$/ : /^[)$]*$/;
    const around = character === '^' ? this.#pattern.slice(0, this.#at) : this.#pattern.slice(this.#at);
    if (!isThere.test(around)) throw new NotUnderstood();
    return '';
  }

  #group(): string {
    if (this.#take('?') && !this.#take(':')) throw new NotUnderstood();
    this.#depth += 1;
    if (this.#depth > deepest) throw new NotUnderstood();
    const text = this.#alternatives();
    this.#depth -= 1;
    if (!this.#take(')')) throw new NotUnderstood();
    return text;
  }

  #escaped(): string {
    const character = this.#next();
    const known = classes[character];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(character) || character === '') throw new NotUnderstood();
    return character;
  }

  /** The first character of a set; of one that excludes some, the first usual one that it does not. */
  #set(): string {
    const excludes = this.#take('^');
    const members: string[] = [];
    while (!this.#take(']')) {
      const character = this.#next();
      // The complement of these classes is not supported.
      if (character === '' || (excludes && character === '\\' && 'wWDS'.includes(this.#peek())))
        throw new NotUnderstood();
      members.push(character === '\\' ? this.#escaped() : character);
      // A range counts as its beginning.
      if (this.#peek() === '-' && this.#pattern[this.#at + 1] !== ']') {
        if (excludes) throw new NotUnderstood();
        this.#next();
        if (this.#next() === '\\') this.#next();
      }
    }
    const letters = members.find((member) => /[A-Za-z]/.test(member));
    const [first = ''] = excludes ? ['a', '0', ' '].filter((each) => !members.includes(each)) : [letters ?? members[0]];
    if (first === '' || (excludes && members.some((member) => member.length !== 1))) throw new NotUnderstood();
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
    if (count > longest) throw new NotUnderstood();
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
