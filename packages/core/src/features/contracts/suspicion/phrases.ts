/** A word of a text, or the end of a sentence (an empty word). */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'end' | 'url' | 'email' | 'path' | 'tool';
}

const maxTokens = 30_000;
const tokenPattern = () =>
  /https?:\/\/[^\s)"'<>`\]]{1,500}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?:~|\$home|%\w{3,20}%)?[\\/][\w.~$\\/-]{2,200}|(?<!\w)\.[a-z][\w./-]{1,100}|(?<![\w.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|net|org|io|example|test|xyz|site|online|info|dev|app|ru|cn|cc|me|co)(?![\w-])|[\p{L}\p{M}\p{N}_]+|[.!?。！？](?=\s|$|["'”)])|\n\s{0,20}\n/gu;
let pattern: RegExp | undefined;

/** Tells what identifiers and paths are. */
export interface TokenKinds {
  /** The name of another tool. */
  isTool(word: string): boolean;
  /** A file that holds secrets. */
  isSecretPath(word: string): boolean;
}

/** Splits a normalized text into words. */
export function tokenize(text: string, { isTool, isSecretPath }: TokenKinds): Token[] {
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
    else tokens.push({ word: plain(found), start, end, kind: isTool(found) ? 'tool' : 'word' });
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
    words.has(word) || kinds.includes(kind) || (kind === 'word' && prefixes.some((prefix) => word.startsWith(prefix)))
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

/** Finds a phrase, within a sentence. Takes linear time. */
export function findPhrase(
  tokens: readonly Token[],
  { slots, isAffirmative }: Phrase,
  from = 0,
): PhraseMatch | undefined {
  const [head, ...rest] = slots;
  if (head === undefined) return undefined;
  for (let first = from; first < tokens.length; first += 1) {
    if (!fits(head, tokens[first] as Token)) continue;
    let last = first;
    const isFound = rest.every((slot) => {
      for (let at = last + 1; at <= last + 1 + slot.gap && at < tokens.length; at += 1) {
        const token = tokens[at] as Token;
        if (token.kind === 'end') return false;
        if (fits(slot, token)) {
          last = at;
          return true;
        }
      }
      return false;
    });
    if (isFound && !(isAffirmative && isNegated(tokens, first))) return { first, last };
  }
  return undefined;
}

function isNegated(tokens: readonly Token[], first: number): boolean {
  for (let at = first - 1; at >= Math.max(0, first - 5); at -= 1) {
    const token = tokens[at] as Token;
    if (token.kind === 'end') return false;
    if (negations.has(token.word)) return true;
  }
  return false;
}
