import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './text-edits.ts';

/** Applies a diff to a text, like `patch`. */
function applyPatch(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const lines = diff.split('\n').slice(2, -1);
  for (const [index, line] of lines.entries()) {
    const [, start, count = '1'] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line) ?? [];
    if (start !== undefined) {
      const from = Number(start) - (count === '0' ? 0 : 1);
      result.push(...old.slice(at, from));
      at = from;
      continue;
    }
    const text = lines[index + 1]?.startsWith('\\') ? line.slice(1) : `${line.slice(1)}\n`;
    if (line.startsWith('+')) result.push(text);
    if (line.startsWith(' ') || line.startsWith('-')) {
      expect(old[at]).toBe(text);
      if (line.startsWith(' ')) result.push(text);
      at += 1;
    }
  }
  return [...result, ...old.slice(at)].join('');
}

describe('a unified diff', () => {
  it('is empty if nothing differs', () => {
    expect(unifiedDiff('a\nb\n', 'a\nb\n', 'x')).toBe('');
    expect(unifiedDiff('', '', 'x')).toBe('');
  });

  it('shows a change with three lines of context', () => {
    const before = Array.from({ length: 10 }, (_, index) => `${index + 1}\n`).join('');
    expect(unifiedDiff(before, before.replace('6\n', 'six\n'), 'a.txt')).toBe(
      '--- a.txt\n+++ a.txt\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n',
    );
  });

  it('has a hunk per change, and one for adjacent changes', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`);
    const change = (...places: number[]): string =>
      lines.map((line, index) => (places.includes(index + 1) ? `new ${line}` : line)).join('');
    const hunks = (after: string): (string | undefined)[] =>
      Array.from(unifiedDiff(lines.join(''), after, 'x').matchAll(/^@@ .*$/gm), ([header]) => header);
    expect(hunks(change(5, 30))).toEqual(['@@ -2,7 +2,7 @@', '@@ -27,7 +27,7 @@']);
    expect(hunks(change(5, 11))).toEqual(['@@ -2,13 +2,13 @@']);
    expect(hunks(change(1, 40))).toEqual(['@@ -1,4 +1,4 @@', '@@ -37,4 +37,4 @@']);
  });

  it('shows insertions into an empty text, and deletions of a whole text', () => {
    expect(unifiedDiff('', 'a\nb\n', 'x')).toBe('--- x\n+++ x\n@@ -0,0 +1,2 @@\n+a\n+b\n');
    expect(unifiedDiff('a\n', '', 'x')).toBe('--- x\n+++ x\n@@ -1 +0,0 @@\n-a\n');
  });

  it('marks a last line without an end', () => {
    expect(unifiedDiff('a', 'a\n', 'x')).toBe('--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
  });

  it('keeps carriage returns', () => {
    expect(unifiedDiff('a\r\nb\r\n', 'a\r\nc\r\n', 'x')).toContain(' a\r\n-b\r\n+c\r\n');
  });

  it('turns one text into the other, with the fewest removed and added lines', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 300; round++) {
      const text = (): string => {
        const lines = Array.from({ length: random(12) }, () => 'abc'.charAt(random(3))).join('\n');
        return lines + (random(2) === 0 ? '\n' : '');
      };
      const [before, after] = [text(), text()];
      const diff = unifiedDiff(before, after, 'x');
      expect(diff === '' ? before : applyPatch(before, diff)).toBe(after);
      const changes = diff
        .split('\n')
        .slice(2)
        .filter((line) => /^[+-]/.test(line)).length;
      expect(changes).toBe(distance(before, after));
    }
  });

  it('of very different texts is correct, and computed quickly', () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `old ${index}\n`).join('');
    const after = Array.from({ length: 30_000 }, (_, index) => (index % 2 ? `old ${index}\n` : `new ${index}\n`)).join(
      '',
    );
    expect(applyPatch(before, unifiedDiff(before, after, 'x'))).toBe(after);
  });
});

/** Minimum number of differing lines, by dynamic programming. */
function distance(before: string, after: string): number {
  const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [old, now] = [linesOf(before), linesOf(after)];
  const table = Array.from({ length: old.length + 1 }, (_, x) =>
    Array.from({ length: now.length + 1 }, (__, y) => (x === 0 ? y : x)),
  );
  const at = (x: number, y: number): number => table[x]?.[y] ?? 0;
  for (let x = 1; x <= old.length; x++) {
    for (let y = 1; y <= now.length; y++) {
      const row = table[x] as number[];
      row[y] = old[x - 1] === now[y - 1] ? at(x - 1, y - 1) : Math.min(at(x - 1, y), at(x, y - 1)) + 1;
    }
  }
  return at(old.length, now.length);
}
