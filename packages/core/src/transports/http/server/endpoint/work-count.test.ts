import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkCount } from './work-count.ts';

/** Whether a promise is resolved by now. */
function settled(promise: Promise<void>): Promise<boolean> {
  const late = vi.advanceTimersByTimeAsync(0).then(() => false);
  return Promise.race([promise.then(() => true), late]);
}

function stopTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('waiting until nothing is being done', () => {
  it('takes no time where nothing is', async () => {
    stopTimers();
    const work = new WorkCount();
    const before = vi.getTimerCount();
    const idle = work.idle(1000);
    expect(vi.getTimerCount()).toBe(before);
    expect(await settled(idle)).toBe(true);
    work.begin();
    work.end();
    expect(await settled(work.idle(1000))).toBe(true);
  });

  it('lasts until the last is done, for all who wait', async () => {
    stopTimers();
    const work = new WorkCount();
    work.begin();
    work.begin();
    const both = [work.idle(1000), work.idle(2000)];
    work.end();
    expect(await Promise.all(both.map(settled))).toEqual([false, false]);
    // Others in this process may have timers too.
    const waiting = vi.getTimerCount();
    work.end();
    expect(await Promise.all(both.map(settled))).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(waiting - 2);
  });

  it('lasts at most as long as was said', async () => {
    stopTimers();
    const work = new WorkCount();
    work.begin();
    const waiting = work.idle(1000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await settled(waiting)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await settled(waiting)).toBe(true);
  });

  it('begins anew with what is begun later', async () => {
    stopTimers();
    const work = new WorkCount();
    work.begin();
    work.end();
    work.begin();
    const waiting = work.idle(1000);
    expect(await settled(waiting)).toBe(false);
    work.end();
    expect(await settled(waiting)).toBe(true);
  });
});
