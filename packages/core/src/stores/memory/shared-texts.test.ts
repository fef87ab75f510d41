import { describe, expect, it } from 'vitest';
import { SharedTexts } from './records.ts';

describe('shared texts', () => {
  it('remember a text once, however often it comes', () => {
    const texts = new SharedTexts();
    expect([texts.share('a'), texts.share('b'), texts.share('a')]).toEqual(['a', 'b', 'a']);
    expect(texts.size).toBe(2);
  });

  it('remember no text that is longer than 1000', () => {
    const texts = new SharedTexts();
    const [longest, tooLong] = ['x'.repeat(1000), 'x'.repeat(1001)];
    expect(texts.share(tooLong)).toBe(tooLong);
    expect(texts.size).toBe(0);
    expect(texts.share(longest)).toBe(longest);
    expect(texts.size).toBe(1);
  });

  it('remember at most 1000, and begin anew with the next', () => {
    const texts = new SharedTexts();
    for (let each = 0; each < 1000; each++) texts.share(`${each}`);
    expect(texts.size).toBe(1000);
    expect(texts.share('0')).toBe('0');
    expect(texts.size).toBe(1000);
    expect(texts.share('one more')).toBe('one more');
    expect(texts.size).toBe(1);
  });

  it('are forgotten when they are cleared', () => {
    const texts = new SharedTexts();
    texts.share('a');
    texts.clear();
    expect(texts.size).toBe(0);
  });
});
