import data from 'english-verbs-irregular/dist/verbs.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { englishKey } from '../fixtures/english-forms.ts';
import { keyByClass, keyOfThirdPersons } from '../fixtures/english-key-by-class.ts';
import { commonVerbs, commonIrregulars, type Form, findVerb, knownVerbs } from './verb.ts';

const texts = (forms: readonly Form[]) => [...new Set(forms.map(({ text }) => text))];

describe('the forms of a verb', () => {
  it('have more than a thousand expected forms to compare with', () => {
    expect(englishKey.length * 4).toBeGreaterThan(1000);
  });

  it.each(englishKey)('of $base are $third, $past, $participle, $gerund', ({ base, ...expected }) => {
    const verb = findVerb(base);
    expect(
      verb && {
        third: texts(verb.thirdPerson),
        past: texts(verb.past),
        participle: texts(verb.participle),
        gerund: texts(verb.gerund),
      },
    ).toEqual(expected);
  });

  it.each(keyByClass)('$kind: $base, $past, $participle, $gerund', ({ kind, base, ...expected }) => {
    const verb = findVerb(base);
    const { past, participle, gerund } = verb ?? { past: [], participle: [], gerund: [] };
    expect({ kind, past: texts(past), participle: texts(participle), gerund: texts(gerund) }).toEqual({
      kind,
      ...expected,
    });
  });

  it.each(keyOfThirdPersons)('of %s in the third person are %j', (base, expected) => {
    expect(texts(findVerb(base)?.thirdPerson ?? [])).toEqual(expected);
  });

  it('say whether they come from a table or a rule', () => {
    expect(findVerb('eat')?.past).toEqual([{ text: 'ate', source: 'table' }]);
    expect(findVerb('stop')?.past).toEqual([
      { text: 'stopped', source: 'rule', rule: 'double the last consonant, add -ed' },
    ]);
    expect(findVerb('eat')?.thirdPerson[0]?.source).toBe('rule');
    expect(findVerb('have')?.thirdPerson[0]?.source).toBe('table');
  });

  it('state the sense if a verb has two inflections', () => {
    expect(findVerb('lie')?.past.map(({ text, sense }) => [text, sense])).toEqual([
      ['lay', 'be flat, or be somewhere'],
      ['lied', 'say what is not true'],
    ]);
  });
});

describe('the known verbs', () => {
  it('are several thousand, unique and lowercase', () => {
    expect(knownVerbs.size).toBeGreaterThan(4000);
    expect(new Set(commonVerbs).size).toBe(commonVerbs.length);
    expect(commonVerbs.filter((verb) => !/^[a-zé]+(?:-[a-zé]+)*$/.test(verb))).toEqual([]);
  });

  it('include British spellings in -ise of those in -ize', () => {
    expect(findVerb('organise')?.past[0]?.text).toBe('organised');
    expect(findVerb('analyse')?.gerund[0]?.text).toBe('analysing');
    expect(findVerb('nonsensise')).toBeUndefined();
  });

  it.each(['xyzzy', 'walked', 'table-cloth', '', 'constructor', '__proto__', 'Eat'])('do not include %j', (word) => {
    expect(findVerb(word)).toBeUndefined();
  });

  it('have all forms of the data package, except a few', () => {
    const differing = Object.entries(data as Record<string, string[][]>).flatMap(([base, pairs]) => {
      const verb = findVerb(base);
      if (verb === undefined) return [];
      const known = [...texts(verb.past), ...texts(verb.participle)];
      const missing = pairs.flat().filter((form) => !known.includes(form));
      return missing.length > 0 ? [`${base}: ${missing.join(' ')}`] : [];
    });
    // Other forms in the data are rare or wrong.
    expect(differing).toEqual([
      'awake: awakened awakened',
      'reawake: reawaken',
      'retread: retread retread',
      'rewake: rewaken',
      'shit: shitted shitted',
      'slit: slitted slitted',
    ]);
  });

  it('that are irregular and end in one vowel and one consonant double it before -ing', () => {
    const single = [...knownVerbs].flatMap((base) => {
      const verb = findVerb(base);
      if (verb?.isIrregular !== true || !/(?:[^aeiou]|qu)[aeiou][bdgmnprt]$/.test(base)) return [];
      return texts(verb.gerund).filter((form) => form !== `${base}${base.at(-1)}ing`);
    });
    expect(single).toEqual([]);
  });

  it('have every irregular verb of the table', () => {
    expect([...commonIrregulars.keys()].filter((base) => findVerb(base)?.isIrregular !== true)).toEqual([]);
  });
});
