// Scripts that are written without spaces: each character counts as a word, and words are found as sequences of them.
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

/** A word as it stands in a text, and as it is searched for. */
export interface Word {
  start: number;
  end: number;
  folded: string;
}

/** Finds the words of a text, one by one. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(word)) {
    const folded = fold(found);
    if (folded !== '') yield { start: index, end: index + found.length, folded };
  }
}

/** The words of a text as they are searched for. */
export function foldedWords(text: string): string[] {
  return Array.from(wordsOf(text), ({ folded }) => folded);
}

/** Makes spellings of a word equal that differ in case, diacritics or width only. */
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
