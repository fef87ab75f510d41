import { describe, expect, it } from 'vitest';
import { bytesOf, exceeds } from './size.ts';

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const anyLength = Number.POSITIVE_INFINITY;

describe('a JSON value exceeds its limits', () => {
  it.each([
    ['a text', 'x'.repeat(98), 100],
    ['a list', ['x'.repeat(95)], 100],
    ['an object', { name: 'x'.repeat(88) }, 100],
    ['a long name', { ['x'.repeat(90)]: 1 }, 100],
    ['numbers', [1, 2, 3], 17],
  ])('by length, to the character: %s', (_, value, length) => {
    expect(exceeds(value, { length, depth: 9 })).toBe(false);
    expect(exceeds(value, { length: length - 1, depth: 9 })).toBe(true);
  });

  it('by depth', () => {
    expect(exceeds(deep(5), { length: anyLength, depth: 5 })).toBe(false);
    expect(exceeds(deep(6), { length: anyLength, depth: 5 })).toBe(true);
    expect(exceeds({ a: { b: {} } }, { length: anyLength, depth: 3 })).toBe(false);
    expect(exceeds({ a: { b: {} } }, { length: anyLength, depth: 2 })).toBe(true);
    expect(exceeds(deep(100_000), { length: anyLength, depth: 5 })).toBe(true);
  });
});

describe('the heap size of a JSON value', () => {
  it('grows with its texts and with the number of its members', () => {
    expect(bytesOf('x'.repeat(1000))).toBeGreaterThan(1000);
    expect(bytesOf({ ['x'.repeat(1000)]: 1 })).toBeGreaterThan(1000);
    expect(bytesOf(Array.from({ length: 1000 }, () => []))).toBeGreaterThan(64_000);
    expect(bytesOf(null)).toBe(0);
  });

  it('is estimated for values that are nested too deeply for recursion', () => {
    expect(bytesOf(deep(100_000))).toBeGreaterThan(6_400_000);
  });
});
