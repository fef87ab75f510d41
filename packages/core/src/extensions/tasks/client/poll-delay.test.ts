import { describe, expect, it } from 'vitest';
import { pollPause } from './poll-delay.ts';

const even = { random: () => 0 };

describe('the pause before a task is looked at (TC-02)', () => {
  it('is what the server asks for, from the first look on', () => {
    const pauses = [0, 1, 2, 50, 5000].map((looks) => pollPause(looks, 1000, even));
    expect(pauses).toEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it('is short at first and grows to a second where the server asks for nothing', () => {
    const pauses = [0, 1, 2, 3, 4, 50, 5000].map((looks) => pollPause(looks, undefined, even));
    expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it('has bounds, whatever the server asks for', () => {
    expect(pollPause(20, 1, even)).toBe(50);
    expect(pollPause(99, Number.MAX_VALUE, even)).toBe(3_600_000);
  });

  it('is long while the server tells', () => {
    expect(pollPause(0, 100, { ...even, isHeard: true })).toBe(15_000);
    expect(pollPause(0, 20_000, { ...even, isHeard: true })).toBe(20_000);
  });

  it('differs by a tenth, so that clients do not ask all at once, and is never too short', () => {
    expect(pollPause(20, 1000, { random: () => 0 })).toBe(1000);
    expect(pollPause(20, 1000, { random: () => 0.999_999 })).toBe(1100);
  });
});
