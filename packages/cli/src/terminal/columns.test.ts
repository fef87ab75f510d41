import { describe, expect, it } from 'vitest';
import { textWidth, truncate } from './columns.ts';

describe('the width of text on a terminal', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['\u00E9e\u0301', 2],
    ['\u6F22\u5B57', 4],
    ['\uD55C', 2],
    ['\u{1F600}!', 3],
  ])('of %j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  it.each([
    ['plain', 3, 'pla'],
    ['plain', 9, 'plain'],
    ['\u6F22\u5B57', 3, '\u6F22'],
    ['\u{1F600}\u{1F600}', 2, '\u{1F600}'],
    ['x', 0, ''],
  ])('%j truncated to %i columns is %j', (text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected);
  });
});
