import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WrongKeys } from './wrong-keys.ts';

const wrong = { principal: undefined, empty: false };
const empty = { principal: undefined, empty: true };
const anna = { principal: 'anna', empty: false };
const bob = { principal: 'bob', empty: false };

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('wrong keys', () => {
  it('keep who is new out from their address for the rest of ten seconds', () => {
    stopClock();
    const keys = new WrongKeys(2);
    expect(keys.secondsOut('a', anna)).toBe(0);
    expect([keys.secondsOut('a', wrong), keys.secondsOut('a', wrong)]).toEqual([0, 0]);
    expect([keys.secondsOut('a', wrong), keys.secondsOut('a', empty), keys.secondsOut('a', bob)]).toEqual([10, 10, 10]);
    expect([keys.secondsOut('a', anna), keys.secondsOut('b', bob)]).toEqual([0, 0]);
    vi.advanceTimersByTime(8500);
    expect(keys.secondsOut('a', bob)).toBe(2);
    vi.advanceTimersByTime(1499);
    expect(keys.secondsOut('a', bob)).toBe(1);
    vi.advanceTimersByTime(1);
    expect(keys.secondsOut('a', bob)).toBe(0);
  });

  it('are counted anew every ten seconds', () => {
    stopClock();
    const keys = new WrongKeys(2);
    keys.secondsOut('a', wrong);
    vi.advanceTimersByTime(10_000);
    keys.secondsOut('a', wrong);
    expect(keys.secondsOut('a', wrong)).toBe(0);
    expect(keys.secondsOut('a', wrong)).toBe(10);
  });

  it('are not those that were not sent', () => {
    stopClock();
    const keys = new WrongKeys(1);
    for (let each = 0; each < 5; each++) expect(keys.secondsOut('a', empty)).toBe(0);
    keys.secondsOut('a', wrong);
    expect(keys.secondsOut('a', empty)).toBe(10);
  });

  it('are forgotten for the address that came first where there are too many', () => {
    stopClock();
    const keys = new WrongKeys(1);
    for (let each = 0; each < 10_000; each++) keys.secondsOut(`${each}`, wrong);
    expect([keys.secondsOut('0', bob), keys.secondsOut('9999', bob)]).toEqual([10, 10]);
    keys.secondsOut('one more', wrong);
    expect([keys.secondsOut('1', bob), keys.secondsOut('one more', bob)]).toEqual([10, 10]);
    expect(keys.secondsOut('0', bob)).toBe(0);
  });
});
