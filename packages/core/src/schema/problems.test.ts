import { describe, expect, it } from 'vitest';
import {
  formatProblems,
  isInsidePath,
  valueAtPath,
  formatPath,
  formatPointer,
  quoteShort,
  parsePointer,
} from './problems.ts';

describe('formatProblems', () => {
  it('writes a line per problem, with a readable path', () => {
    const text = formatProblems([
      { path: '', message: 'unknown property "nam"' },
      { path: '/name', message: 'is required' },
      { path: '/items/0/name', message: 'expected string, got number' },
    ]);
    expect(text).toBe('unknown property "nam"\nname: is required\nitems[0].name: expected string, got number');
  });

  it('does not repeat the path if the message starts with it', () => {
    expect(formatProblems([{ path: '/name', message: 'name must be a string' }])).toBe('name must be a string');
    expect(formatProblems([{ path: '/name', message: 'names differ' }])).toBe('name: names differ');
  });

  it('writes 20 problems and the number of the others', () => {
    const problems = Array.from({ length: 23 }, (_, index) => ({ path: `/p${index}`, message: 'is required' }));
    expect(formatProblems(problems.slice(0, 20)).split('\n')).toHaveLength(20);
    const lines = formatProblems(problems).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 3 more');
  });

  it('returns an empty text for no problems', () => {
    expect(formatProblems([])).toBe('');
  });
});

describe('plainPath', () => {
  it.each([
    ['', ''],
    ['/a', 'a'],
    ['/a/b', 'a.b'],
    ['/0', '[0]'],
    ['/a/12/345', 'a[12][345]'],
    ['/a1/b2', 'a1.b2'],
    ['/1a', '["1a"]'],
    ['/a/0/1/b', 'a[0][1].b'],
    ['/über-uns/$x', 'über-uns.$x'],
    ['/a b', '["a b"]'],
    ['/a/b.c/d', 'a["b.c"].d'],
    ['/a~1b~0c', '["a/b~c"]'],
    ['/', '[""]'],
    ['/line\nbreak', '["line\\nbreak"]'],
  ])('writes %j as %j', (pointer, path) => {
    expect(formatPath(pointer)).toBe(path);
  });

  it('truncates long names', () => {
    expect(formatPath(`/${'x'.repeat(1000)}`)).toBe(`["${'x'.repeat(80)}"…]`);
  });
});

describe('JSON pointers', () => {
  it('survive encoding and decoding', () => {
    const segments = ['a/b', 'c~d', '~1', '', '0'];
    expect(parsePointer(formatPointer(segments))).toEqual(segments);
    expect(parsePointer('')).toEqual([]);
    expect(formatPointer([])).toBe('');
  });

  it('resolve own properties only', () => {
    const value = { a: [{ b: 1 }] };
    expect(valueAtPath(value, ['a', '0', 'b'])).toBe(1);
    expect(valueAtPath(value, [])).toBe(value);
    expect(valueAtPath(value, ['a', '1', 'b'])).toBeUndefined();
    expect(valueAtPath(value, ['toString'])).toBeUndefined();
    expect(valueAtPath('text', ['length'])).toBeUndefined();
    expect(valueAtPath({ a: null }, ['a', 'b'])).toBeUndefined();
  });

  it('are prefixes of others by whole segments', () => {
    expect(isInsidePath('/a', '/a')).toBe(true);
    expect(isInsidePath('/a/b', '/a')).toBe(true);
    expect(isInsidePath('/ab', '/a')).toBe(false);
    expect(isInsidePath('/b', '/a')).toBe(false);
    expect(isInsidePath('/a', '/a/b')).toBe(false);
  });
});

describe('quoted', () => {
  it('truncates a text to 80 characters', () => {
    expect(quoteShort('a"b')).toBe('"a\\"b"');
    expect(quoteShort('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quoteShort('x'.repeat(81))).toBe(`"${'x'.repeat(80)}"…`);
  });
});
