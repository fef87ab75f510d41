import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Beat, letEnd } from './timers.ts';

function stopClock(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('a timer', () => {
  it('that is a number, as in some runtimes, is left as it is', () => {
    expect(letEnd(7)).toBe(7);
    expect(letEnd(undefined)).toBeUndefined();
  });

  it('of Node does not keep the process', () => {
    const timer = letEnd(setTimeout(() => {}, 60_000));
    expect(timer.hasRef()).toBe(false);
    clearTimeout(timer);
  });
});

describe('a beat', () => {
  it('has one timer for all, which ends when a beat finds nobody', () => {
    stopClock();
    const beat = new Beat({ everyMs: 10, apart: false });
    const heard: string[] = [];
    const leave = [beat.join('a', () => heard.push('a')), beat.join('b', () => heard.push('b'))];
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10);
    leave[0]?.();
    vi.advanceTimersByTime(10);
    expect(heard).toEqual(['a', 'b', 'b']);
    leave[1]?.();
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(0);
    beat.join('c', () => heard.push('c'));
    vi.advanceTimersByTime(10);
    expect(heard).toEqual(['a', 'b', 'b', 'c']);
  });

  it('calls once who takes part twice, until the last has left', () => {
    stopClock();
    const beat = new Beat({ everyMs: 10, apart: false });
    let heard = 0;
    const hear = (): void => void (heard += 1);
    const [first, second] = [beat.join('a', hear), beat.join('a', hear)];
    vi.advanceTimersByTime(10);
    first();
    vi.advanceTimersByTime(10);
    second();
    vi.advanceTimersByTime(10);
    expect(heard).toBe(2);
  });

  it('has a timer for each where timers belong to requests: one that is lost takes no other with it', () => {
    stopClock();
    const beat = new Beat({ everyMs: 10, apart: true });
    const heard: string[] = [];
    const lose = beat.join('a', () => heard.push('a'));
    const leave = beat.join('a', () => heard.push('again'));
    expect(vi.getTimerCount()).toBe(2);
    lose();
    vi.advanceTimersByTime(10);
    leave();
    vi.advanceTimersByTime(10);
    expect([heard, vi.getTimerCount()]).toEqual([['again'], 0]);
  });
});
