import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty-json.ts';

/** The lines as one text. */
function readable(source: string): string | undefined {
  return prettyJson(source)
    ?.map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

describe('JSON on a terminal', () => {
  it.each([
    ['members', { a: 1, b: { c: [true, null, 'x'] } }],
    ['nothing', {}],
    ['nothing inside', { a: {}, b: [], c: [[], {}] }],
    ['a list', [1, [2, [3]], { a: [] }]],
    ['letters of the notation in texts', { 'a:{[': '"}],\\', '\n': '\u001B' }],
    ['numbers', [0.5, -1e-7, 1e21]],
  ])('has a line for each member, in the usual format: %s', (_, value) => {
    expect(readable(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(readable(` ${JSON.stringify(value, null, '\t')}\n`)).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps details that parsing would lose', () => {
    expect(readable('{"a":12345678901234567890,"a":1.10}')).toBe('{\n  "a": 12345678901234567890,\n  "a": 1.10\n}');
  });

  it('is coloured by type', () => {
    const styles = prettyJson('{"a":["x",1,true]}')
      ?.flat()
      .flatMap(({ text, style }) => (style === undefined ? [] : [[text, style]]));
    expect(styles).toEqual([
      ['"a"', 'cyan'],
      ['"x"', 'green'],
      ['1', 'yellow'],
      ['true', 'magenta'],
    ]);
  });

  it.each([
    ['a text', 'hello'],
    ['a number', '42'],
    ['a text in quotes', '"x"'],
    ['what only looks like it', '{not json}'],
    ['two values', '{} {}'],
    ['what is too deep', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['what is too long', JSON.stringify(['x'.repeat(1_000_001)])],
  ])('is not created from %s', (_, text) => {
    expect(prettyJson(text)).toBeUndefined();
  });
});
