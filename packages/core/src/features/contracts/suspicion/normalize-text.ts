/** Letters of other scripts that look like Latin ones. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    у: 'y',
    ѵ: 'v',
    ԝ: 'w',
    х: 'x',
    ʏ: 'y',
    α: 'a',
    β: 'b',
    ϲ: 'c',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    γ: 'y',
    ω: 'w',
    ı: 'i',
    ɡ: 'g',
    ɑ: 'a',
    օ: 'o',
    ո: 'n',
    ս: 'u',
    հ: 'h',
    ց: 'g',
    ʟ: 'l',
    ɴ: 'n',
    ɪ: 'i',
    ʀ: 'r',
    ᴀ: 'a',
    ᴇ: 'e',
    ᴏ: 'o',
    ᴛ: 't',
    ᴜ: 'u',
    ꜱ: 's',
    ᴅ: 'd',
    ᴄ: 'c',
    ᴘ: 'p',
    ᴍ: 'm',
  }),
);

/** Created lazily, because expressions with \p compile slowly. */
let expressions: ReturnType<typeof createExpressions> | undefined;

function createExpressions(): Record<'invisible' | 'latin' | 'foreign' | 'letters' | 'spaced', RegExp> {
  return {
    invisible: /[\p{Cf}\p{Variation_Selector}\u115F\u1160\u2800\u3164\uFFA0]|(?![\t\n\r])\p{Cc}/gu,
    latin: /\p{Script=Latin}/gu,
    foreign: /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/gu,
    letters: /[\p{L}\p{M}]+/gu,
    spaced: /(?<![\p{L}\p{N}])(?:\p{L}[ ._*-]){4,400}\p{L}(?![\p{L}\p{N}])/gu,
  };
}

function get(): ReturnType<typeof createExpressions> {
  expressions ??= createExpressions();
  return expressions;
}

/** A text as a model reads it. */
export interface NormalizedText {
  /** In lower case, without invisible characters, look-alikes and spaces between letters. */
  readonly text: string;
  /** Words that mix Latin letters with look-alikes. */
  readonly mixed: readonly string[];
  /** Words whose letters were written apart. */
  readonly spaced: readonly string[];
}

/** Normalizes a text, so that different spellings of the same words are equal. */
export function normalizeText(given: string): NormalizedText {
  if (/^[\n\r\t -~]*$/.test(given)) {
    const spaced: string[] = [];
    return { text: writeOut(joinSpaced(given, spaced)), mixed: [], spaced };
  }
  const { invisible, latin, foreign, letters } = get();
  // Characters of the "tag" block are invisible copies of ASCII.
  const visible = given
    .replace(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replace(invisible, '')
    .normalize('NFKC');
  const isLatin = (visible.match(latin)?.length ?? 0) > 2 * (visible.match(foreign)?.length ?? 0);
  const mixed: string[] = [];
  const folded = visible.replace(letters, (word) => {
    const lower = word.toLowerCase();
    const plain = Array.from(lower, (letter) => lookAlikes.get(letter) ?? letter).join('');
    if (plain === lower || !(isLatin || /[a-z]/.test(lower))) return word;
    if (/^[a-z]+$/.test(plain) && /[a-z]/.test(lower)) mixed.push(word);
    return isLatin ? plain : word;
  });
  const spaced: string[] = [];
  return { text: writeOut(joinSpaced(folded, spaced)), mixed: isLatin ? mixed : [], spaced };
}

/** Writes out the short forms of "not". */
function writeOut(text: string): string {
  const lower = text.toLowerCase();
  if (!lower.includes('n') || !/n['’]t|cannot/.test(lower)) return lower;
  return lower
    .replace(/\bcan['’]t\b|\bcannot\b/g, 'can not')
    .replace(/\bwon['’]t\b/g, 'will not')
    .replace(/n['’]t\b/g, ' not');
}

function joinSpaced(text: string, found: string[]): string {
  // Quick for nearly all texts.
  if (!/[A-Za-z][ ._*-][A-Za-z][ ._*-][A-Za-z][ ._*-][A-Za-z]/.test(text)) return text;
  return text.replace(get().spaced, (letters) => {
    const word = letters.replace(/[ ._*-]/g, '');
    if (word.length >= 6) found.push(word);
    return word;
  });
}
