import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedWords, wordsOf } from './search.ts';
import { anyText } from '../../../../test/support/any-text.ts';

describe('the words of a text', () => {
  it.each([
    ['Hello, World!', ['hello', 'world']],
    ["don't e-mail", ['don', 't', 'e', 'mail']],
    ['Ünïcödé ÇA', ['unicode', 'ca']],
    ['e\u0301te\u0301', ['ete']],
    ['Straße STRASSE', ['strasse', 'strasse']],
    ['Łódź Ærø ΣΊΣΥΦΟΣ', ['lodz', 'aero', 'σισυφοσ']],
    ['İstanbul ısı', ['istanbul', 'isi']],
    ['ＡＢＣ ﬁn', ['abc', 'fin']],
    ['東京 tower', ['東', '京', 'tower']],
    ['が か\u3099', ['が', 'が']],
    ['한국어', ['한국어']],
    ['हिन्दी', ['हिन्दी']],
    ['a_b 🎉 %', ['a', 'b']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });

  it('are truncated if they are too long', () => {
    expect(foldedWords('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
  });

  it('have correct positions and contain no query syntax', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        let last = 0;
        for (const { start, end, folded } of wordsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(folded).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('are folded to the same form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldedWords(text.normalize('NFD'))).toEqual(foldedWords(text.normalize('NFC')));
      }),
    );
  });
});
