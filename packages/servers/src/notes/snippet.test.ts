import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, type Phrase, snippet } from './search.ts';

/** The required phrases of a query without alternatives. */
const wanted = (text: string): Phrase[] => parseQuery(text).alternatives[0]?.wanted ?? [];

const filler = 'lorem ipsum dolor sit amet '.repeat(40);

describe('a query', () => {
  it.each([
    ['two words', [['two'], ['words']]],
    ['"a phrase" more', [['a', 'phrase'], ['more']]],
    ['e-mail', [['e', 'mail']]],
    ['"open end', [['open'], ['end']]],
    ['"" % *', []],
  ])('%j asks for %j', (text, words) => {
    expect(wanted(text).map((phrase) => phrase.words)).toEqual(words);
  });

  it('treats the last word as a prefix, except in quotes', () => {
    expect(wanted('meet "the end"').map(({ open }) => open)).toEqual([true, false]);
  });

  it('is limited in length and number of phrases', () => {
    expect(wanted('a '.repeat(10_000))).toHaveLength(32);
    expect(wanted('a-'.repeat(10_000))[0]?.words).toHaveLength(32);
    expect(parseQuery('a OR -b OR '.repeat(10_000)).alternatives).toHaveLength(32);
  });

  it.each([
    ['a OR b c', [['a'], ['b', 'c']], [[], []]],
    ['a -b "-c" -"d e" --f g-h', [['a', 'c', 'f', 'g h']], [['b', 'd e']]],
    ['OR a OR OR -b OR', [['a'], []], [[], ['b']]],
    ['a or b', [['a', 'or', 'b']], [[]]],
    ['"OR" - -(', [['or']], [[]]],
  ])('%j has the alternatives %j without %j', (text, some, without) => {
    const words = (phrases: readonly Phrase[]): string[] => phrases.map((phrase) => phrase.words.join(' '));
    expect(parseQuery(text).alternatives.map((alternative) => words(alternative.wanted))).toEqual(some);
    expect(parseQuery(text).alternatives.map((alternative) => words(alternative.unwanted))).toEqual(without);
  });
});

describe('a snippet', () => {
  it('marks the matches in their original spelling', () => {
    expect(snippet('Das Café,\n\n  heute', parseQuery('cafe'))).toBe('Das **Café**, heute');
    expect(snippet('meetings meet', parseQuery('meet'))).toBe('**meetings** **meet**');
    expect(snippet('meetings meet', parseQuery('"meet"'))).toBe('meetings **meet**');
    expect(snippet('a run, running runways', parseQuery('runs'))).toBe('a **run**, **running** runways');
    expect(snippet('pear or apple', parseQuery('apple OR pear -plum'))).toBe('**pear** or **apple**');
  });

  it('shows the part with the most matches', () => {
    const text = `${filler}apple ${filler}apple and pear ${filler}`;
    const shown = snippet(text, parseQuery('apple pear'));
    expect(shown).toMatch(/^….*\*\*apple\*\* and \*\*pear\*\* lorem.*…$/);
    expect(shown.length).toBeLessThan(230);
  });

  it('marks a substring if no word matches', () => {
    expect(snippet('We are overBudgeted', parseQuery('bUdget'))).toBe('We are over**Budget**ed');
    expect(snippet('p->q and q->r', parseQuery('->'))).toBe('p**->**q and q**->**r');
    expect(snippet('Plant roses, plant roots', parseQuery('lant ro'))).toBe('P**lant ro**ses, p**lant ro**ots');
    expect(snippet('İ ÜBERFÜLLT', parseQuery('füll'))).toBe('İ ÜBER**FÜLL**T');
    expect(snippet('a $^.*+?()[]{}|\\/- b', parseQuery('$^.*+?()[]{}|\\/-'))).toBe('a **$^.*+?()[]{}|\\/-** b');
    expect(snippet(`${filler}subway ${filler}`, parseQuery('ubwa'))).toMatch(/^….* s\*\*ubwa\*\*y lorem.*…$/);
    expect(snippet('anything', parseQuery(''))).toBe('anything');
    const long = 'orem-ipsum-'.repeat(80);
    expect(snippet(`l${long}`, parseQuery(long))).toMatch(/^l\*\*orem-ipsum.*\*\*.*…$/);
  });

  it('shows the beginning if only the title matched', () => {
    expect(snippet('short', parseQuery('title'))).toBe('short');
    expect(snippet(filler, parseQuery('title'))).toMatch(/^lorem ipsum.*…$/);
  });

  it('never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 150, maxLength: 400 }), fc.string(), (text, query) => {
        expect(snippet(text, parseQuery(query))).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
