import { describe, expect, it } from 'vitest';
import { diffLists } from './lists.ts';

function toTexts(entries: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name, JSON.stringify(entry)]));
}

describe('a list diff', () => {
  it('contains the definitions before and after', () => {
    const before = toTexts({ stays: 1, goes: { old: true }, turns: { is: 'one' } });
    const after = toTexts({ stays: 1, turns: { is: 'two' }, comes: { new: true } });
    const { changes, definitions = '' } = diffLists(before, after);
    expect(changes).toEqual({ added: ['comes'], removed: ['goes'], changed: ['turns'] });
    expect(JSON.parse(definitions)).toEqual([
      { name: 'turns', before: { is: 'one' }, after: { is: 'two' } },
      { name: 'comes', after: { new: true } },
      { name: 'goes', before: { old: true } },
    ]);
  });

  it('is empty for equal lists', () => {
    expect(diffLists(toTexts({ a: 1 }), toTexts({ a: 1 }))).toEqual({
      changes: { added: [], removed: [], changed: [] },
    });
  });

  it('is limited, and counts the rest', () => {
    const many = toTexts(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`tool ${at}`, 'x'.repeat(5000)])));
    const { changes, definitions = '' } = diffLists(toTexts({}), many);
    expect(changes.added).toHaveLength(500);
    expect(changes.more).toEqual({ added: 2500, removed: 0, changed: 0 });
    expect(definitions.length).toBeLessThan(1_100_000);
    expect((JSON.parse(definitions) as unknown[]).length).toBeGreaterThan(100);

    const long = toTexts(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}`.padEnd(10_000, 'x'), 1])));
    expect(diffLists(long, toTexts({})).changes).toMatchObject({
      removed: { length: 3 },
      more: { removed: 97 },
    });
  });
});
