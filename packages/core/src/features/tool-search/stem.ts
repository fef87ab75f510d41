/** Endings of derived words, the longest first, and what replaces them. */
const suffixes: readonly (readonly [suffix: string, replacement: string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['ation', 'ate'],
  ['ition', 'it'],
  ['tion', 't'],
  ['ship', ''],
  ['able', ''],
  ['ible', ''],
  ['ment', ''],
  ['ness', ''],
  ['ity', ''],
  ['ive', ''],
  ['ial', ''],
  ['al', ''],
  ['er', ''],
  ['or', ''],
  ['ly', ''],
];

/** Words whose ending looks like a plural or a participle and is none. */
const exceptions = new Set([
  'news',
  'series',
  'species',
  'always',
  'process',
  'string',
  'during',
  'nothing',
  'something',
]);

/** Reduces an English word to a stem that its forms share: `searches`, `searching` and `searched` become `search`. */
export function stem(word: string): string {
  if (word.length <= 3 || exceptions.has(word)) return word;
  const base = replaceSuffix(stripParticiple(toSingular(word)));
  if (base.length <= 3) return base;
  if (base.endsWith('e') && base.length > 4) return base.slice(0, -1);
  return base.endsWith('y') ? `${base.slice(0, -1)}i` : base;
}

function toSingular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function stripParticiple(word: string): string {
  const base = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  if (base === undefined || base.length < 3) return word;
  return /([^aeiouylsz])\1$/.test(base) ? base.slice(0, -1) : base;
}

function replaceSuffix(word: string): string {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix) && word.length - suffix.length >= 4);
  return found === undefined ? word : `${word.slice(0, -found[0].length)}${found[1]}`;
}
