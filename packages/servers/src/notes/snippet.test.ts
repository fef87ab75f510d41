import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './query.ts';
import { snippet } from './snippet.ts';

const filler = 'lorem ipsum dolor sit amet '.repeat(40);

describe('a query', () => {
  it.each([
    ['two words', [['two'], ['words']]],
    ['"a phrase" more', [['a', 'phrase'], ['more']]],
    ['e-mail', [['e', 'mail']]],
    ['"open end', [['open'], ['end']]],
    ['"" % *', []],
  ])('%j asks for %j', (text, words) => {
    expect(parseQuery(text).map((phrase) => phrase.words)).toEqual(words);
  });

  it('lets the last word go on, but not in quotes', () => {
    expect(parseQuery('meet "the end"').map(({ open }) => open)).toEqual([true, false]);
  });

  it('is cut to what is bearable', () => {
    expect(parseQuery('a '.repeat(10_000))).toHaveLength(32);
    expect(parseQuery('a-'.repeat(10_000))[0]?.words).toHaveLength(32);
  });
});

describe('a snippet', () => {
  it('marks what was found, as it is written', () => {
    expect(snippet('Das Café,\n\n  heute', parseQuery('cafe'))).toBe('Das **Café**, heute');
    expect(snippet('meetings meet', parseQuery('meet'))).toBe('**meetings** **meet**');
    expect(snippet('meetings meet', parseQuery('"meet"'))).toBe('meetings **meet**');
  });

  it('shows the place where most of it is', () => {
    const text = `${filler}apple ${filler}apple and pear ${filler}`;
    const shown = snippet(text, parseQuery('apple pear'));
    expect(shown).toMatch(/^….*\*\*apple\*\* and \*\*pear\*\* lorem.*…$/);
    expect(shown.length).toBeLessThan(230);
  });

  it('shows the beginning where only the title matched', () => {
    expect(snippet('short', parseQuery('title'))).toBe('short');
    expect(snippet(filler, parseQuery('title'))).toMatch(/^lorem ipsum.*…$/);
  });

  it('never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 150, maxLength: 400 }), fc.string(), (text, query) => {
        expect(snippet(text, parseQuery(query))).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
