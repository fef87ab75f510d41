import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, withValueAt } from '../form/json.ts';
import { diffJson } from './diff.ts';
import { toExcerpts } from './diff-view.tsx';

describe('the differences of two values', () => {
  it('are none where both say the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as Json;
        expect(diffJson(value as Json, copy)).toEqual([]);
      }),
    );
  });

  it('are the places where one was changed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.nat(), { minKeys: 1 }), (value) => {
        const name = Object.keys(value)[0] ?? '';
        const changed = withValueAt(value, [name], 'changed');
        expect(diffJson(value, changed)).toEqual([{ path: [name], before: value[name], after: 'changed' }]);
      }),
    );
  });

  it('go by names in lists of things that have them', () => {
    const before = [
      { name: 'a', size: 1 },
      { name: 'b', size: 2 },
    ];
    const after = [
      { name: 'b', size: 3 },
      { name: 'c', size: 1 },
    ];
    expect(diffJson(before, after)).toEqual([
      { path: ['a'], before: { name: 'a', size: 1 }, after: undefined },
      { path: ['b', 'size'], before: 2, after: 3 },
      { path: ['c'], before: undefined, after: { name: 'c', size: 1 } },
    ]);
  });
});

describe('long texts that differ', () => {
  it('are shown from a little before the place where they do', () => {
    const text = 'same '.repeat(1000);
    const [before, after] = toExcerpts(`${text}red ${text}`, `${text}blue ${text}`);
    expect(before).toMatch(/^… .*same red same.* …$/);
    expect(after).toMatch(/^… .*same blue same.* …$/);
    expect(before.length).toBeLessThan(410);
  });

  it('are shown from their beginning where there is only one', () => {
    expect(toExcerpts(undefined, 'x'.repeat(1000))).toEqual(['', `${'x'.repeat(400)} …`]);
    expect(toExcerpts({ a: 1 }, 'b')).toEqual(['{"a":1}', 'b']);
  });
});
