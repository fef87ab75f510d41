import { describe, expect, it } from 'vitest';
import { StringPool } from './records.ts';

describe('shared texts', () => {
  it('remember a text once, however often it comes', () => {
    const texts = new StringPool();
    expect([texts.intern('a'), texts.intern('b'), texts.intern('a')]).toEqual(['a', 'b', 'a']);
    expect(texts.size).toBe(2);
  });

  it('remember no text that is longer than 1000', () => {
    const texts = new StringPool();
    const [longest, tooLong] = ['x'.repeat(1000), 'x'.repeat(1001)];
    expect(texts.intern(tooLong)).toBe(tooLong);
    expect(texts.size).toBe(0);
    expect(texts.intern(longest)).toBe(longest);
    expect(texts.size).toBe(1);
  });

  it('remember at most 1000, and begin anew with the next', () => {
    const texts = new StringPool();
    for (let each = 0; each < 1000; each++) texts.intern(`${each}`);
    expect(texts.size).toBe(1000);
    expect(texts.intern('0')).toBe('0');
    expect(texts.size).toBe(1000);
    expect(texts.intern('one more')).toBe('one more');
    expect(texts.size).toBe(1);
  });

  it('are forgotten when they are cleared', () => {
    const texts = new StringPool();
    texts.intern('a');
    texts.clear();
    expect(texts.size).toBe(0);
  });
});
