import { isStorable } from './note.ts';

// Scripts without spaces: each character counts as a word, and words are found as phrases.
const unspaced = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}';
const word = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

const plain = /^[a-z0-9]+$/;
const diacritics = /[\u0300-\u036f]/g;
const notInWords = /[^\p{L}\p{N}\p{M}]/gu;
const lettersWithoutParts = /[ßæœøłđðþıς]/g;
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

const longest = 64;

/** A word in a text, with its folded form. */
export interface Word {
  start: number;
  end: number;
  folded: string;
}

/** Iterates over the words of a text. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(word)) {
    const folded = fold(found);
    if (folded !== '') yield { start: index, end: index + found.length, folded };
  }
}

/** The folded words of a text. */
export function foldedWords(text: string): string[] {
  return Array.from(wordsOf(text), ({ folded }) => folded);
}

/** Folds case, diacritics and width. */
function fold(found: string): string {
  if (found.length <= longest && plain.test(found)) return found;
  const folded = found
    .slice(0, longest * 4)
    .normalize('NFKD')
    .replace(diacritics, '')
    .toLowerCase()
    .replace(lettersWithoutParts, (letter) => spelledOut[letter] ?? letter)
    .normalize('NFC')
    .replace(notInWords, '');
  return folded.length <= longest ? folded : Array.from(folded).slice(0, longest).join('');
}

const vowel = /[aeiouy]/;
const doubled = /([b-df-hj-np-tv-z])\1$/;
const doubles = /^[^aeiou]*[aeiou][bdgklmnprtvz]$/;

/** Other inflections of an English word: `runs` gives run, running and more, not all of which exist. */
export function inflections(word: string): string[] {
  if (!/^[a-z]{3,30}$/.test(word)) return [];
  const forms = new Set([word, ...basesOf(word)].flatMap((base) => [base, ...endingsOf(base)]));
  forms.delete(word);
  return [...forms];
}

/** Possible base forms of a word. Wrong guesses are harmless, since their inflections do not occur. */
function basesOf(word: string): string[] {
  const bases: string[] = [];
  const add = (base: string): void => {
    if (base.length >= 3 && vowel.test(base) && !base.endsWith('i')) bases.push(base);
  };
  if (/(?:ies|ied)$/.test(word)) {
    add(`${word.slice(0, -3)}y`);
    return bases;
  }
  if (/(?:[sxz]|ch|sh|o)es$/.test(word)) add(word.slice(0, -2));
  if (/[^su]s$/.test(word)) add(word.slice(0, -1));
  const [, stem = ''] = /^(.+?)(?:ed|ing)$/.exec(word) ?? [];
  if (vowel.test(stem)) {
    if (doubled.test(stem)) add(stem.slice(0, -1));
    add(stem);
    add(`${stem}e`);
  }
  return bases;
}

function endingsOf(base: string): string[] {
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  if (base.endsWith('e')) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  const plural = /(?:[sxz]|ch|sh|o)$/.test(base) ? [`${base}es`] : [];
  const twice = doubles.test(base) ? `${base}${base.at(-1)}` : undefined;
  const forms = [`${base}s`, ...plural, `${base}ed`, `${base}ing`];
  return twice === undefined ? forms : [...forms, `${twice}ed`, `${twice}ing`];
}

/** Words in sequence. */
export interface Phrase {
  words: string[];
  /** The last word is a prefix. */
  open: boolean;
  /** Alternatives for the last word. */
  forms: string[];
}

/** The phrases a note must and must not contain. */
export interface Alternative {
  wanted: Phrase[];
  unwanted: Phrase[];
}

/** A parsed search. */
export interface Search {
  /** A note matches if it fits one of these. */
  alternatives: readonly Alternative[];
  /** The lowercase query: notes that contain it match too. Absent if the query has operators. */
  substring: string | undefined;
}

/** The maximum length of a query. */
export const maxQuery = 1000;
/** How much text of the newest notes a substring search reads. */
export const maxScannedBytes = 8 * 1024 * 1024;
/** How many notes a substring search reads. */
export const maxScannedNotes = 20_000;
const maxPhrases = 32;
const maxWords = 32;

/**
 * Parses a search. A note must contain each term, whose last word may be a prefix or have another ending, and each
 * "quoted phrase" exactly. `-` excludes a term, `OR` separates alternatives. Other punctuation separates words. Without
 * these operators, a note that contains the whole query matches too.
 */
export function parseQuery(text: string): Search {
  const search: Alternative[] = [{ wanted: [], unwanted: [] }];
  let phrases = 0;
  let hasOperator = false;
  for (const [all, excluded, quoted, bare = ''] of text.matchAll(/(-(?=["\p{L}\p{N}]))?(?:"([^"]*)"|(\S+))/gu)) {
    if (all === 'OR') {
      search.push({ wanted: [], unwanted: [] });
      continue;
    }
    const words = foldedWords(quoted ?? bare).slice(0, maxWords);
    if (words.length === 0) continue;
    const { wanted, unwanted } = search.at(-1) as Alternative;
    const open = quoted === undefined;
    hasOperator ||= !open || excluded !== undefined;
    if (excluded !== undefined) unwanted.push({ words, open: false, forms: [] });
    else wanted.push({ words, open, forms: open ? inflections(words.at(-1) as string) : [] });
    phrases += 1;
    if (phrases === maxPhrases) break;
  }
  const alternatives = search.filter(({ wanted, unwanted }) => wanted.length + unwanted.length > 0);
  hasOperator ||= alternatives.length > 1;
  const trimmed = text.trim();
  const isPlain = !hasOperator && trimmed.length <= maxQuery && isStorable(trimmed);
  return { alternatives, substring: isPlain ? toLowerCase(trimmed) : undefined };
}

/** Converts a text to lower case, and both lowercase sigmas to one. */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** The non-ASCII letters whose lower case is a letter of this text, and those lowercase letters. */
export function capitalsOf(lowerCase: string): { from: string; to: string } {
  const letters = new Set(lowerCase.replace(/[\0-\x7f]/g, ''));
  const pairs = Array.from(letters, (letter) => [letter === 'ß' ? 'ẞ' : letter.toUpperCase(), letter] as const);
  if (letters.has('σ')) pairs.push(['ς', 'σ']);
  const single = pairs.filter(([capital, letter]) => capital !== letter && Array.from(capital).length === 1);
  return { from: single.map(([capital]) => capital).join(''), to: single.map(([, letter]) => letter).join('') };
}

/** The same alternatives without other inflections. */
export function withoutForms(alternatives: readonly Alternative[]): Alternative[] {
  return alternatives.map(({ wanted, unwanted }) => ({
    wanted: wanted.map((phrase) => ({ ...phrase, forms: [] })),
    unwanted,
  }));
}

const before = 40;
const length = 200;
/** How far to search for matches. */
const searched = 100_000;
const maxHits = 200;

interface Hit extends Word {
  /** The index of the searched word. */
  wanted: number;
}

/** The best matching snippet of a text, on one line, with matches in `**`. */
export function snippet(text: string, search: Search): string {
  const hits = hitsIn(text.slice(0, searched), search);
  const best = bestHit(hits);
  const start = best === undefined ? 0 : nextGap(text, Math.max(0, best.start - before));
  const end = Math.min(text.length, start + length);
  let shown = '';
  let place = start;
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    shown += `${text.slice(place, hit.start)}**${text.slice(hit.start, hit.end)}**`;
    place = hit.end;
  }
  shown += wholeCharacters(text.slice(place, end));
  return `${start > 0 ? '…' : ''}${shown.replace(/\s+/gu, ' ').trim()}${end < text.length ? '…' : ''}`;
}

/** The searched words, or the whole query if some of them are missing. */
function hitsIn(text: string, { alternatives, substring }: Search): Hit[] {
  const { hits, complete } = wordHits(text, alternatives);
  if (complete || substring === undefined || substring === '') return hits;
  const wholes = substringHits(text, substring);
  return wholes.length > 0 ? wholes : hits;
}

function substringHits(text: string, substring: string): Hit[] {
  const pattern = new RegExp(substring.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const hits: Hit[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const shown = wholeCharacters(found.slice(0, length - before));
    hits.push({ start: index, end: index + shown.length, folded: substring, wanted: 0 });
    if (hits.length === maxHits) break;
  }
  return hits;
}

function wordHits(text: string, alternatives: readonly Alternative[]): { hits: Hit[]; complete: boolean } {
  const wanted = alternatives.flatMap((alternative) =>
    alternative.wanted.flatMap(({ words, open, forms }) =>
      words.map((word, index) => {
        const isLast = index === words.length - 1;
        return { word, open: open && isLast, forms: new Set(isLast ? forms : []) };
      }),
    ),
  );
  const hits: Hit[] = [];
  for (const word of wordsOf(text)) {
    const { folded } = word;
    const index = wanted.findIndex(
      ({ word: given, open, forms }) => (open ? folded.startsWith(given) : folded === given) || forms.has(folded),
    );
    if (index !== -1) hits.push({ ...word, wanted: index });
    if (hits.length === maxHits) break;
  }
  return { hits, complete: hits.length > 0 && new Set(hits.map(({ wanted: index }) => index)).size === wanted.length };
}

/** The first hit that is followed by most of the different words. */
function bestHit(hits: readonly Hit[]): Hit | undefined {
  let best: Hit | undefined;
  let most = 0;
  hits.forEach((hit, index) => {
    const near = new Set<number>();
    for (let other = index; other < hits.length; other += 1) {
      const { start, wanted } = hits[other] as Hit;
      if (start > hit.start + length - before) break;
      near.add(wanted);
    }
    if (near.size > most) [best, most] = [hit, near.size];
  });
  return best;
}

/** The next word boundary, if there is one nearby. */
function nextGap(text: string, from: number): number {
  if (from === 0) return 0;
  const gap = text.slice(from, from + before).search(/\s/);
  if (gap !== -1) return from + gap + 1;
  return isLow(text.charCodeAt(from)) ? from + 1 : from;
}

function wholeCharacters(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
