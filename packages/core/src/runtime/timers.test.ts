import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SharedInterval, unref } from './timers.ts';

function stopClock(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('a timer', () => {
  it('that is a number, as in some runtimes, is unchanged', () => {
    expect(unref(7)).toBe(7);
    expect(unref(undefined)).toBeUndefined();
  });

  it('of Node does not keep the process alive', () => {
    const timer = unref(setTimeout(() => {}, 60_000));
    expect(timer.hasRef()).toBe(false);
    clearTimeout(timer);
  });
});

describe('an interval', () => {
  it('has one timer for all members, which stops without members', () => {
    stopClock();
    const interval = new SharedInterval({ everyMs: 10, apart: false });
    const received: string[] = [];
    const leave = [interval.join('a', () => received.push('a')), interval.join('b', () => received.push('b'))];
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10);
    leave[0]?.();
    vi.advanceTimersByTime(10);
    expect(received).toEqual(['a', 'b', 'b']);
    leave[1]?.();
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(0);
    interval.join('c', () => received.push('c'));
    vi.advanceTimersByTime(10);
    expect(received).toEqual(['a', 'b', 'b', 'c']);
  });

  it('calls a member once that joined twice, until it left twice', () => {
    stopClock();
    const interval = new SharedInterval({ everyMs: 10, apart: false });
    let received = 0;
    const onTick = (): void => void (received += 1);
    const [first, second] = [interval.join('a', onTick), interval.join('a', onTick)];
    vi.advanceTimersByTime(10);
    first();
    vi.advanceTimersByTime(10);
    second();
    vi.advanceTimersByTime(10);
    expect(received).toBe(2);
  });

  it('has a timer per member where timers belong to requests: a lost one does not stop the others', () => {
    stopClock();
    const interval = new SharedInterval({ everyMs: 10, apart: true });
    const received: string[] = [];
    const lose = interval.join('a', () => received.push('a'));
    const leave = interval.join('a', () => received.push('again'));
    expect(vi.getTimerCount()).toBe(2);
    lose();
    vi.advanceTimersByTime(10);
    leave();
    vi.advanceTimersByTime(10);
    expect([received, vi.getTimerCount()]).toEqual([['again'], 0]);
  });
});
