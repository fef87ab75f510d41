const vowel = /[aeiouy]/;
const doubled = /([b-df-hj-np-tv-z])\1$/;
const doubles = /^[^aeiou]*[aeiou][bdgklmnprtvz]$/;

/** The same English word with other endings: `runs` gives run, running and the like, not all of which are words. */
export function otherEndings(word: string): string[] {
  if (!/^[a-z]{3,30}$/.test(word)) return [];
  const forms = new Set([word, ...basesOf(word)].flatMap((base) => [base, ...endingsOf(base)]));
  forms.delete(word);
  return [...forms];
}

/** What a word may be an ending of. A wrong guess does little harm: nobody writes the forms that it leads to. */
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
