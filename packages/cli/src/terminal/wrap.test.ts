import { describe, expect, it } from 'vitest';
import { wrap } from './wrap.ts';

/** The wrapped lines of a text. */
function wrapText(text: string, columns: number, hang?: number): string[] {
  const lines = wrap({ pieces: [{ text }], ...(hang !== undefined && { hang }) }, columns);
  return lines.map((pieces) => pieces.map((piece) => piece.text).join(''));
}

describe('a line on a terminal', () => {
  it('is unchanged if it fits', () => {
    expect(wrapText('  twenty  letters   x', 21)).toEqual(['  twenty  letters   x']);
  });

  it('is broken between words', () => {
    expect(wrapText('one two three four five six', 20)).toEqual(['one two three four', 'five six']);
  });

  it.each([
    ['    one two three four five', ['    one two three', '    four five']],
    ['- one two three four five', ['- one two three four', '  five']],
    ['12. one two three four five', ['12. one two three', '    four five']],
  ])('is indented like its first line: %j', (text, lines) => {
    expect(wrapText(text, 20)).toEqual(lines);
  });

  it('is continued at a given indentation', () => {
    expect(wrapText('one two three four five six', 20, 4)).toEqual(['one two three four', '    five six']);
  });

  it('keeps a word whole that is too long for any line, such as a URL', () => {
    const address = 'https://example.com/a/long/address';
    expect(wrapText(`see ${address} there`, 20)).toEqual(['see', address, 'there']);
    expect(wrapText(`      ${address}`, 20)).toEqual([`      ${address}`]);
  });

  it('is measured in columns, not in characters', () => {
    expect(wrapText('\u6F22\u5B57\u6F22\u5B57 \u6F22\u5B57\u6F22\u5B57 \u6F22\u5B57', 20)).toEqual([
      '\u6F22\u5B57\u6F22\u5B57 \u6F22\u5B57\u6F22\u5B57',
      '\u6F22\u5B57',
    ]);
  });

  it.each([
    ['has a tabulator', 'one two three\tfour five six', 20],
    ['is on a very narrow terminal', 'one two three four five six', 10],
  ])('is not wrapped if it %s', (_, text, columns) => {
    expect(wrapText(text, columns)).toEqual([text]);
  });

  it('keeps its styles', () => {
    const pieces = [{ text: 'one two ' }, { text: 'three four five', style: 'bold' as const }, { text: ' six' }];
    expect(wrap({ pieces }, 20)).toEqual([
      [
        { text: 'one two ', style: undefined },
        { text: 'three four', style: 'bold' },
      ],
      [{ text: '' }, { text: 'five', style: 'bold' }, { text: ' six', style: undefined }],
    ]);
  });

  it('loses only the spaces at line ends', () => {
    const text = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore';
    for (let columns = 20; columns < 110; columns += 1) {
      const lines = wrapText(text, columns);
      expect(lines.join(' ')).toBe(text);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });
});
