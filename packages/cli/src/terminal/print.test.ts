import { describe, expect, it } from 'vitest';
import { stringifyDeep, toOneLine, escapeControls, safeJson, type ColourChoice, hasColour } from './print.ts';

describe('printed text', () => {
  it.each([
    ['colours', 'a\u001B[31mb', 'a\\u001b[31mb'],
    ['a title of the window', '\u001B]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['eight-bit control characters', '\u009B2J\u0085', '\\u009b2J\\u0085'],
    ['a line that is written over', 'bad\rgood', 'bad\\u000dgood'],
    ['a line end of Windows', 'a\r\nb', 'a\nb'],
    ['text that turns round', 'a\u202Eb\u2066c\u200F', 'a\\u202eb\\u2066c\\u200f'],
    ['tags, which nobody sees', 'a\u{E0041}b', 'a\\udb40\\udc41b'],
    ['other line ends, and what has no width', 'a\u2028b\u200Bc\uFEFF', 'a\\u2028b\\u200bc\\ufeff'],
  ])('shows %s', (_, text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });

  it('leaves all other text unchanged', () => {
    const text = 'tab\tline\n\u00E9 \u05E9\u05DC\u05D5\u05DD \u{1F468}\u200D\u{1F469} \\u001b "quoted"';
    expect(escapeControls(text)).toBe(text);
  });

  it('stays equal if it is JSON', () => {
    const value = { 'a\u009B': ['\u001B[2J', '\u202E\u{E0041}', '\n\t'] };
    expect(JSON.parse(escapeControls(JSON.stringify(value, null, 2)))).toEqual(value);
  });

  it('escapes line breaks in a name', () => {
    expect(toOneLine('a\nok    b\tc')).toBe('a\\nok    b c');
  });

  it('is complete at any depth, like the output of JSON.stringify', () => {
    const depth = 100_000;
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1)
      value = level % 2 === 0 ? [value, 'x'] : { a: value, b: undefined, c: {} };
    const text = stringifyDeep({ toJSON: () => ({ error: value, none: [] }) });
    expect(text.slice(0, 25)).toBe('{"error":{"a":[{"a":[{"a"');
    expect(text.slice(-30)).toBe(',"c":{}},"x"],"c":{}},"none":[]}'.slice(-30));
    expect(JSON.parse(text)).toMatchObject({ none: [] });
    expect(stringifyDeep({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('shows a placeholder for a value that is nested too deeply for this Node', () => {
    const depth = 200_000;
    let value: unknown[] = [];
    for (let level = 1; level < depth; level += 1) value = [value];
    expect(['(nested too deeply to show)', '['.repeat(depth) + ']'.repeat(depth)]).toContain(safeJson(value));
    expect(safeJson({ a: [1] })).toBe('{"a":[1]}');
  });
});

describe('colour', () => {
  const cases: [string, boolean, ColourChoice, Record<string, string>, boolean][] = [
    ['on a terminal', true, 'auto', {}, true],
    ['in a pipe', false, 'auto', {}, false],
    ['on a terminal without abilities', true, 'auto', { TERM: 'dumb' }, false],
    ['where nobody wants it', true, 'auto', { NO_COLOR: '1' }, false],
    ['where NO_COLOR is empty', true, 'auto', { NO_COLOR: '' }, true],
    ['where it is forced', false, 'auto', { FORCE_COLOR: '1' }, true],
    ['where it is forced away', true, 'auto', { FORCE_COLOR: '0' }, false],
    ['where it is forced and unwanted', false, 'auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['where the command line says always', false, 'always', { NO_COLOR: '1' }, true],
    ['where the command line says never', true, 'never', { FORCE_COLOR: '1' }, false],
  ];

  it.each(cases)('%s', (_, isTTY, choice, env, expected) => {
    expect(hasColour({ isTTY }, choice, env)).toBe(expected);
  });
});
