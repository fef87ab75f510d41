import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InFlight } from './in-flight.ts';

/** Whether a promise is resolved by now. */
function settled(promise: Promise<void>): Promise<boolean> {
  const late = vi.advanceTimersByTimeAsync(0).then(() => false);
  return Promise.race([promise.then(() => true), late]);
}

function stopTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('waiting for requests in flight', () => {
  it('resolves at once if there are none', async () => {
    stopTimers();
    const work = new InFlight();
    const before = vi.getTimerCount();
    const idle = work.idle(1000);
    expect(vi.getTimerCount()).toBe(before);
    expect(await settled(idle)).toBe(true);
    work.count += 1;
    work.end();
    expect(await settled(work.idle(1000))).toBe(true);
  });

  it('resolves for all waiters when the last one ends', async () => {
    stopTimers();
    const work = new InFlight();
    work.count += 1;
    work.count += 1;
    const both = [work.idle(1000), work.idle(2000)];
    work.end();
    expect(await Promise.all(both.map(settled))).toEqual([false, false]);
    // Others in this process may have timers too.
    const waiting = vi.getTimerCount();
    work.end();
    expect(await Promise.all(both.map(settled))).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(waiting - 2);
  });

  it('resolves after the timeout', async () => {
    stopTimers();
    const work = new InFlight();
    work.count += 1;
    const waiting = work.idle(1000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await settled(waiting)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await settled(waiting)).toBe(true);
  });

  it('also waits for later requests', async () => {
    stopTimers();
    const work = new InFlight();
    work.count += 1;
    work.end();
    work.count += 1;
    const waiting = work.idle(1000);
    expect(await settled(waiting)).toBe(false);
    work.end();
    expect(await settled(waiting)).toBe(true);
  });
});
