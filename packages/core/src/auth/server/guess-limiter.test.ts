import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GuessLimiter } from './guess-limiter.ts';

const wrong = { principal: undefined, empty: false };
const empty = { principal: undefined, empty: true };
const anna = { principal: 'anna', empty: false };
const bob = { principal: 'bob', empty: false };

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('wrong API keys', () => {
  it('lock new callers from their address out for the rest of ten seconds', () => {
    stopClock();
    const keys = new GuessLimiter(2);
    expect(keys.secondsBlocked('a', anna)).toBe(0);
    expect([keys.secondsBlocked('a', wrong), keys.secondsBlocked('a', wrong)]).toEqual([0, 0]);
    expect([keys.secondsBlocked('a', wrong), keys.secondsBlocked('a', empty), keys.secondsBlocked('a', bob)]).toEqual([
      10, 10, 10,
    ]);
    expect([keys.secondsBlocked('a', anna), keys.secondsBlocked('b', bob)]).toEqual([0, 0]);
    vi.advanceTimersByTime(8500);
    expect(keys.secondsBlocked('a', bob)).toBe(2);
    vi.advanceTimersByTime(1499);
    expect(keys.secondsBlocked('a', bob)).toBe(1);
    vi.advanceTimersByTime(1);
    expect(keys.secondsBlocked('a', bob)).toBe(0);
  });

  it('are counted per window of ten seconds', () => {
    stopClock();
    const keys = new GuessLimiter(2);
    keys.secondsBlocked('a', wrong);
    vi.advanceTimersByTime(10_000);
    keys.secondsBlocked('a', wrong);
    expect(keys.secondsBlocked('a', wrong)).toBe(0);
    expect(keys.secondsBlocked('a', wrong)).toBe(10);
  });

  it('do not include missing ones', () => {
    stopClock();
    const keys = new GuessLimiter(1);
    for (let each = 0; each < 5; each++) expect(keys.secondsBlocked('a', empty)).toBe(0);
    keys.secondsBlocked('a', wrong);
    expect(keys.secondsBlocked('a', empty)).toBe(10);
  });

  it('are dropped for the oldest address above the limit', () => {
    stopClock();
    const keys = new GuessLimiter(1);
    for (let each = 0; each < 10_000; each++) keys.secondsBlocked(`${each}`, wrong);
    expect([keys.secondsBlocked('0', bob), keys.secondsBlocked('9999', bob)]).toEqual([10, 10]);
    keys.secondsBlocked('one more', wrong);
    expect([keys.secondsBlocked('1', bob), keys.secondsBlocked('one more', bob)]).toEqual([10, 10]);
    expect(keys.secondsBlocked('0', bob)).toBe(0);
  });
});
