/** Endings of derived words, the longest first, and what replaces them. */
const suffixes: readonly (readonly [suffix: string, replacement: string])[] = [
  ['fication', 'fy'],
  ['ization', 'ize'],
  ['ational', ''],
  ['ation', ''],
  ['ition', 'it'],
  ['tion', 't'],
  ['ator', ''],
  ['ship', ''],
  ['able', ''],
  ['ible', ''],
  ['ment', ''],
  ['ness', ''],
  ['ate', ''],
  ['ity', ''],
  ['ive', ''],
  ['ial', ''],
  ['al', ''],
  ['er', ''],
  ['or', ''],
  ['ly', ''],
];

/** Words whose ending looks like one of these, a plural or a participle, and is none. */
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
  'general',
  'private',
  'climate',
]);

/** Reduces an English word to a stem that its forms share: `searches`, `searching` and `searched` become `search`. */
export function stem(word: string): string {
  if (word.length <= 3 || exceptions.has(word)) return word;
  // Twice, as `nutritional` has two.
  const base = withoutDouble(replaceSuffix(replaceSuffix(stripParticiple(toSingular(word)))));
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
  // `generated` comes from `generate`, whose suffix is stripped next.
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  return base.endsWith('ll') ? base : withoutDouble(base);
}

/** `planned` leaves `plann`, `cancelled` and `cancellation` leave `cancell`. */
function withoutDouble(word: string): string {
  return word.length > 3 && /([^aeiouysz])\1$/.test(word) ? word.slice(0, -1) : word;
}

function replaceSuffix(word: string): string {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix) && word.length - suffix.length >= 4);
  return found === undefined ? word : `${word.slice(0, -found[0].length)}${found[1]}`;
}
