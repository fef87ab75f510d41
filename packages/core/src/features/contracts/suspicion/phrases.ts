/** A word of a text, or the end of a sentence (an empty word). */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'end' | 'url' | 'email' | 'path' | 'tool' | 'danger';
}

const maxTokens = 30_000;
const tokenPattern = () =>
  /https?:\/\/[^\s)"'<>`\]]{1,500}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?:~|\$home|%\w{3,20}%)?[\\/][\w.~$\\/-]{2,200}|(?<!\w)\.[a-z][\w./-]{1,100}|(?<![\w.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|net|org|io|example|test|xyz|site|online|info|dev|app|ru|cn|cc|me|co)(?![\w-])|[\p{L}\p{M}\p{N}_]+|[.!?。！？](?=\s|$|["'”)])|\n\s{0,20}\n/gu;
let pattern: RegExp | undefined;

/** Tells what identifiers and paths are. */
export interface TokenKinds {
  /** The name of another tool. */
  isTool(word: string): boolean;
  /** One that changes something, or sends something. */
  isDangerous(word: string): boolean;
  /** A file that holds secrets. */
  isSecretPath(word: string): boolean;
}

/** Splits a normalized text into words. */
export function tokenize(text: string, { isTool, isDangerous, isSecretPath }: TokenKinds): Token[] {
  const tokens: Token[] = [];
  pattern ??= tokenPattern();
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    const start = match.index;
    const end = start + found.length;
    if (/^(?:[.!?。！？]$|\s)/.test(found)) tokens.push({ word: '', start, end, kind: 'end' });
    else if (/^https?:\/\//.test(found) || /^[\w-]+(?:\.[\w-]+)+$/.test(found))
      tokens.push({ word: found, start, end, kind: 'url' });
    else if (found.includes('@')) tokens.push({ word: found, start, end, kind: 'email' });
    else if (isSecretPath(found)) tokens.push({ word: found, start, end, kind: 'path' });
    else
      tokens.push({
        word: plain(found),
        start,
        end,
        kind: isTool(found) ? (isDangerous(found) ? 'danger' : 'tool') : 'word',
      });
    if (tokens.length >= maxTokens) break;
  }
  return tokens;
}

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** Letters written as digits, as in "1gn0re". */
function plain(word: string): string {
  if (word.length < 4 || !/[013457]/.test(word) || !/[a-z]/.test(word)) return word;
  const letters = word.replace(/[013457]/g, (digit) => digits[digit] ?? digit);
  return /^[a-z]+$/.test(letters) ? letters : word;
}

interface Slot {
  readonly words: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly kinds: readonly Token['kind'][];
  /** The maximum number of other words before it. */
  readonly gap: number;
}

/** A compiled phrase. */
export interface Phrase {
  readonly slots: readonly Slot[];
  /** It means nothing after a negation. */
  readonly isAffirmative: boolean;
}

/**
 * Compiles a phrase: words with alternatives (`read|open`), beginnings of words (`instruct*`), kinds (`@url`), and the
 * number of other words allowed before the next one (`~3`). A phrase that begins with `+` does not count after "not".
 */
export function compilePhrase(source: string): Phrase {
  const slots: Slot[] = [];
  let gap = 0;
  const isAffirmative = source.startsWith('+');
  for (const part of source.replace(/^\+/, '').split(' ')) {
    if (part.startsWith('~')) {
      gap = Number(part.slice(1));
      continue;
    }
    const all = part.split('|');
    slots.push({
      words: new Set(all.filter((word) => !/[*@]/.test(word))),
      prefixes: all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
      kinds: all.filter((word) => word.startsWith('@')).map((word) => word.slice(1) as Token['kind']),
      gap,
    });
    gap = 0;
  }
  return { slots, isAffirmative };
}

function fits({ words, prefixes, kinds }: Slot, { word, kind }: Token): boolean {
  return (
    words.has(word) ||
    kinds.includes(kind) ||
    (kind === 'danger' && kinds.includes('tool')) ||
    (kind === 'word' && prefixes.some((prefix) => word.startsWith(prefix)))
  );
}

const negations: ReadonlySet<string> = new Set([
  'not',
  'never',
  'no',
  'without',
  'cannot',
  'nor',
  'avoid',
  'only',
  'unless',
  'prevents',
  'prevent',
]);

/** The place of a phrase in the words of a text. */
export interface PhraseMatch {
  readonly first: number;
  readonly last: number;
}

/** Finds a phrase, within a sentence. */
export function findPhrase(tokens: readonly Token[], phrase: Phrase): PhraseMatch | undefined {
  for (let first = 0; first < tokens.length; first += 1) {
    const match = matchAt(tokens, phrase, first);
    if (match !== undefined) return match;
  }
  return undefined;
}

function matchAt(tokens: readonly Token[], { slots, isAffirmative }: Phrase, first: number): PhraseMatch | undefined {
  let last = first;
  for (const [index, slot] of slots.entries()) {
    const next = index === 0 ? first : findSlot(tokens, slot, last + 1);
    if (next === undefined || !fits(slot, tokens[next] as Token)) return undefined;
    last = next;
  }
  return isAffirmative && isNegated(tokens, first) ? undefined : { first, last };
}

function findSlot(tokens: readonly Token[], slot: Slot, from: number): number | undefined {
  for (let at = from; at <= from + slot.gap && at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (token.kind === 'end') return undefined;
    if (fits(slot, token)) return at;
  }
  return undefined;
}

/** The length of the beginnings by which phrases are looked up. */
const prefixLength = 3;

/** Finds many phrases at once, in linear time: only phrases that can begin with a word are tried. */
export class PhraseIndex {
  readonly #byWord = new Map<string, Phrase[]>();
  readonly #byPrefix = new Map<string, Phrase[]>();

  constructor(phrases: readonly Phrase[]) {
    for (const phrase of phrases) {
      const [head] = phrase.slots;
      for (const word of head?.words ?? []) add(this.#byWord, word, phrase);
      for (const kind of head?.kinds ?? []) add(this.#byWord, `@${kind}`, phrase);
      for (const prefix of head?.prefixes ?? []) add(this.#byPrefix, prefix.slice(0, prefixLength), phrase);
    }
  }

  /** The first place of each phrase that is there. */
  find(tokens: readonly Token[]): ReadonlyMap<Phrase, PhraseMatch> {
    const found = new Map<Phrase, PhraseMatch>();
    for (const [first, { word, kind }] of tokens.entries()) {
      if (kind === 'end') continue;
      const candidates = [this.#byWord.get(word), this.#byPrefix.get(word.slice(0, prefixLength))];
      if (kind !== 'word') candidates.push(this.#byWord.get(`@${kind}`));
      if (kind === 'danger') candidates.push(this.#byWord.get('@tool'));
      for (const list of candidates) {
        for (const phrase of list ?? []) {
          const match = found.has(phrase) ? undefined : matchAt(tokens, phrase, first);
          if (match !== undefined) found.set(phrase, match);
        }
      }
    }
    return found;
  }
}

function add(index: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [phrase]);
  else list.push(phrase);
}

/** True after a negation in the same sentence. */
export function isNegated(tokens: readonly Token[], first: number): boolean {
  for (let at = first - 1; at >= Math.max(0, first - 5); at -= 1) {
    const token = tokens[at] as Token;
    if (token.kind === 'end') return false;
    if (negations.has(token.word)) return true;
  }
  return false;
}
