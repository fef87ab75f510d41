import { describe, expect, it } from 'vitest';
import { inflections } from './search.ts';

/** Words that differ only in their endings. */
const families = [
  ['run', 'runs', 'running'],
  ['plan', 'plans', 'planned', 'planning'],
  ['meet', 'meets', 'meeting'],
  ['note', 'notes', 'noted', 'noting'],
  ['story', 'stories'],
  ['try', 'tries', 'tried', 'trying'],
  ['play', 'plays', 'played', 'playing'],
  ['box', 'boxes', 'boxed', 'boxing'],
  ['church', 'churches'],
  ['class', 'classes'],
  ['wish', 'wishes', 'wished', 'wishing'],
  ['house', 'houses', 'housing'],
  ['hope', 'hopes', 'hoped', 'hoping'],
  ['hop', 'hops', 'hopped', 'hopping'],
  ['call', 'calls', 'called', 'calling'],
  ['tomato', 'tomatoes'],
  ['agree', 'agrees', 'agreed'],
  ['invoice', 'invoices', 'invoiced', 'invoicing'],
];

describe('endings of English words', () => {
  it.each(families)('match in all of %s, %s …', (...family) => {
    for (const word of family) expect([word, ...inflections(word)]).toEqual(expect.arrayContaining(family));
  });

  it.each(['is', 'bus', 'class', 'string', 'bring', 'king', 'this', 'über', '2026', 'x'.repeat(40)])(
    'are not taken off %s',
    (word) => {
      expect(inflections(word).filter((form) => form.length < word.length)).toEqual([]);
    },
  );

  it('are a short list', () => {
    for (const word of families.flat()) expect(inflections(word).length).toBeLessThan(24);
  });
});
