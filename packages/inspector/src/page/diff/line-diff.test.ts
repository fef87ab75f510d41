import { describe, expect, it } from 'vitest';
import { diffLines } from './diff.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

describe('a line diff', () => {
  it('contains changed lines with some context', () => {
    const before = numbered(12);
    const after = [...before.slice(0, 5), 'another', ...before.slice(6), 'one more'];
    expect(diffLines(before.join('\n'), after.join('\n'))).toEqual([
      { is: 'more', count: 3 },
      { is: 'both', text: 'line 4' },
      { is: 'both', text: 'line 5' },
      { is: 'removed', text: 'line 6' },
      { is: 'added', text: 'another' },
      { is: 'both', text: 'line 7' },
      { is: 'both', text: 'line 8' },
      { is: 'more', count: 2 },
      { is: 'both', text: 'line 11' },
      { is: 'both', text: 'line 12' },
      { is: 'added', text: 'one more' },
    ]);
  });

  it('replaces everything if one text is empty or a single line', () => {
    expect(diffLines('a\nb', '')).toEqual([
      { is: 'removed', text: 'a' },
      { is: 'removed', text: 'b' },
      { is: 'added', text: '' },
    ]);
    expect(diffLines('a', 'a\nb')).toEqual([
      { is: 'both', text: 'a' },
      { is: 'added', text: 'b' },
    ]);
  });

  it('reconstructs both texts', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const some = (salt: number) =>
        Array.from({ length: (seed * salt) % 9 }, (_, at) => `${(seed * salt * (at + 3)) % 4}`).join('\n');
      const [before, after] = [some(7), some(11)];
      const lines = (diffLines(before, after) ?? []).flatMap((line) => (line.is === 'more' ? [] : [line]));
      const text = (but: 'removed' | 'added') => lines.filter(({ is }) => is !== but).map((line) => line.text);
      const left = new Set(before.split('\n'));
      const right = new Set(after.split('\n'));
      expect(text('added').every((line) => left.has(line))).toBe(true);
      expect(text('removed').every((line) => right.has(line))).toBe(true);
    }
  });

  it('is not computed if almost nothing is equal', () => {
    const other = numbered(1200).map((line) => `${line}!`);
    expect(diffLines(numbered(1200).join('\n'), other.join('\n'))).toBeUndefined();
  });
});
