import { describe, expect, it } from 'vitest';
import { FirstLineReader } from './check-process.ts';

function lineOf(pieces: readonly string[], most = 1000): string | undefined {
  const first = new FirstLineReader(most);
  for (const piece of pieces) first.push(piece);
  return first.line;
}

describe('the first line of a text', () => {
  it.each([
    [['one\ntwo\n'], 'one'],
    [['o', 'n', 'e', '\n', 'two\n'], 'one'],
    [['\n \r\n', '\none\r\n'], 'one\r'],
    [['one'], undefined],
    [[''], undefined],
    [['\n\n\n'], undefined],
  ])('of %j is %j', (pieces, line) => {
    expect(lineOf(pieces)).toBe(line);
  });

  it('is truncated if endless, and drops the rest', () => {
    const first = new FirstLineReader(10);
    for (let index = 0; index < 100; index += 1) first.push('xxxx');
    expect(first.line).toBe('xxxxxxxxxxxx');
  });

  it('skips blank lines', () => {
    expect(lineOf([...Array.from({ length: 300 }, () => '    \n'.repeat(100)), 'one\n'])).toBe('one');
  });
});
