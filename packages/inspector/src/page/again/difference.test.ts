import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, withValueAt } from '../form/json.ts';
import { differences } from './difference.ts';
import { excerpts } from './excerpts.ts';
import { type DifferentLine, lineDifference } from './line-difference.ts';

describe('the differences of two values', () => {
  it('are none where both say the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as Json;
        expect(differences(value as Json, copy)).toEqual([]);
      }),
    );
  });

  it('are the places where one was changed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.nat(), { minKeys: 1 }), (value) => {
        const name = Object.keys(value)[0] ?? '';
        const changed = withValueAt(value, [name], 'changed');
        expect(differences(value, changed)).toEqual([{ path: [name], before: value[name], after: 'changed' }]);
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
    expect(differences(before, after)).toEqual([
      { path: ['a'], before: { name: 'a', size: 1 }, after: undefined },
      { path: ['b', 'size'], before: 2, after: 3 },
      { path: ['c'], before: undefined, after: { name: 'c', size: 1 } },
    ]);
  });
});

describe('long texts that differ', () => {
  it('are shown from a little before the place where they do', () => {
    const text = 'same '.repeat(1000);
    const [before, after] = excerpts(`${text}red ${text}`, `${text}blue ${text}`);
    expect(before).toMatch(/^… .*same red same.* …$/);
    expect(after).toMatch(/^… .*same blue same.* …$/);
    expect(before.length).toBeLessThan(410);
  });

  it('are shown from their beginning where there is only one', () => {
    expect(excerpts(undefined, 'x'.repeat(1000))).toEqual(['', `${'x'.repeat(400)} …`]);
    expect(excerpts({ a: 1 }, 'b')).toEqual(['{"a":1}', 'b']);
  });
});

describe('the differences of two texts', () => {
  const text = (lines: readonly DifferentLine[] | undefined, left: 'went' | 'came') =>
    (lines ?? []).flatMap((line) => (line.is === 'same' || line.is === left ? [line.text] : []));

  it('are their lines: those of the one and those of the other, in order', () => {
    const line = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 2 }), fc.array(line, { maxLength: 2 }), (before, after) => {
        fc.pre(before.join() !== after.join());
        // Both begin alike, and are so short that nothing of them is left out.
        const [left, right] = [
          ['x', ...before],
          ['x', ...after],
        ];
        const lines = lineDifference(left.join('\n'), right.join('\n'));
        expect(text(lines, 'went')).toEqual(left);
        expect(text(lines, 'came')).toEqual(right);
      }),
    );
  });

  it('leave out what is the same, but for a little around what is not', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const changed = lines.with(10, 'another');
    expect(lineDifference(lines.join('\n'), changed.join('\n'))).toEqual([
      { is: 'skipped', count: 8 },
      { is: 'same', text: 'line 8' },
      { is: 'same', text: 'line 9' },
      { is: 'went', text: 'line 10' },
      { is: 'came', text: 'another' },
      { is: 'same', text: 'line 11' },
      { is: 'same', text: 'line 12' },
      { is: 'skipped', count: 7 },
    ]);
  });

  it('are not looked for in what is no text, has one line, or has no line in common', () => {
    expect(lineDifference({ a: 1 }, 'a\nb')).toBeUndefined();
    expect(lineDifference('a', 'b')).toBeUndefined();
    expect(lineDifference('a\nb', 'c\nd')).toBeUndefined();
  });
});
