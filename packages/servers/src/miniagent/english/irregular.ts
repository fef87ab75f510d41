import data from 'english-verbs-irregular/dist/verbs.json' with { type: 'json' };
import { everydayIrregulars, type Irregular } from './irregular-table.ts';
import { regularPast } from './regular.ts';

/** Entries of the data that are misspelled, doubtful, or regular. */
const unusable = new Set('boycot but duet misset outsmell overspeak predo retear telegram unhang unspin'.split(' '));

function merge(): Map<string, readonly Irregular[]> {
  const verbs = new Map(everydayIrregulars);
  for (const [base, pairs] of Object.entries(data as Record<string, string[][]>)) {
    if (verbs.has(base) || base === 'be' || unusable.has(base)) continue;
    const past = distinct(pairs.map(([form]) => form));
    const participle = distinct(pairs.map(([, form]) => form));
    // The data also lists regular verbs that double a consonant.
    const regular = regularPast(base).spellings;
    if ([...past, ...participle].every((form) => regular.includes(form))) continue;
    verbs.set(base, [{ past, participle }]);
  }
  return verbs;
}

function distinct(forms: readonly (string | undefined)[]): string[] {
  return [...new Set(forms.filter((form) => form !== undefined))];
}

/** All irregular verbs but `be`: our own table first, and the long tail of compounds from the data. */
export const irregulars: ReadonlyMap<string, readonly Irregular[]> = merge();
