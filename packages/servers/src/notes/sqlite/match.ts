import type { Alternative, Phrase } from '../query.ts';

/** Writes a search in the language of FTS5, which can't leave out without looking for something. */
export function toMatch(alternatives: readonly Alternative[]): string {
  return alternatives.map(oneOf).join(' OR ');
}

/** Writes phrases of which one must be there. */
export function anyOf(phrases: readonly Phrase[]): string {
  return phrases.map(toPhrase).join(' OR ');
}

function oneOf({ wanted, unwanted }: Alternative): string {
  const all = `(${wanted.map(toPhrase).join(' AND ')})`;
  return unwanted.length === 0 ? all : `(${all} NOT (${anyOf(unwanted)}))`;
}

/** Words consist of letters and digits, so nothing has to be escaped. */
function toPhrase({ words, open, forms }: Phrase): string {
  const first = words.slice(0, -1);
  const others = forms.map((form) => `"${[...first, form].join(' ')}"`);
  return `(${[`"${words.join(' ')}"${open ? ' *' : ''}`, ...others].join(' OR ')})`;
}
