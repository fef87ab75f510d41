import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, withValueAt } from '../../shared/json.ts';
import { diffJson } from './diff.ts';
import { toExcerpts } from './diff-view.tsx';

describe('a JSON diff', () => {
  it('is empty for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as Json;
        expect(diffJson(value as Json, copy)).toEqual([]);
      }),
    );
  });

  it('contains exactly the changed paths', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.nat(), { minKeys: 1 }), (value) => {
        const name = Object.keys(value)[0] ?? '';
        const changed = withValueAt(value, [name], 'changed');
        expect(diffJson(value, changed)).toEqual([{ path: [name], before: value[name], after: 'changed' }]);
      }),
    );
  });

  it('matches list entries by name', () => {
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

describe('excerpts of long texts', () => {
  it('start shortly before the first difference', () => {
    const text = 'same '.repeat(1000);
    const [before, after] = toExcerpts(`${text}red ${text}`, `${text}blue ${text}`);
    expect(before).toMatch(/^… .*same red same.* …$/);
    expect(after).toMatch(/^… .*same blue same.* …$/);
    expect(before.length).toBeLessThan(410);
  });

  it('start at the beginning if there is only one text', () => {
    expect(toExcerpts(undefined, 'x'.repeat(1000))).toEqual(['', `${'x'.repeat(400)} …`]);
    expect(toExcerpts({ a: 1 }, 'b')).toEqual(['{"a":1}', 'b']);
  });
});
