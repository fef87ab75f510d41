import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlowConsumers } from './slow-consumers.ts';

/** A connection on which something waits. */
class Reader {
  taken = 0;
  isDropped = false;

  constructor(public unsent: number) {}

  drop(): void {
    this.isDropped = true;
    this.unsent = 0;
  }

  take(bytes: number): void {
    this.unsent -= bytes;
    this.taken += bytes;
  }
}

function watching(consumers: SlowConsumers, ...unsent: number[]): Reader[] {
  return unsent.map((bytes) => {
    const reader = new Reader(bytes);
    consumers.watch(reader);
    return reader;
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('slow consumers', () => {
  it('are watched until they have read everything', () => {
    const consumers = new SlowConsumers();
    const [one, two] = watching(consumers, 10, 10) as [Reader, Reader];
    expect([consumers.watched.size, vi.getTimerCount()]).toEqual([2, 1]);
    one.take(10);
    vi.advanceTimersByTime(1000);
    expect(consumers.watched.size).toBe(1);
    two.take(10);
    vi.advanceTimersByTime(1000);
    expect([consumers.watched.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('are dropped after the stall timeout, however much is written', () => {
    const consumers = new SlowConsumers({ stalledMs: 5000 });
    const [reader] = watching(consumers, 10) as [Reader];
    for (let second = 0; second < 4; second++) {
      vi.advanceTimersByTime(1000);
      reader.unsent += 10;
      consumers.watch(reader);
    }
    expect(reader.isDropped).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([reader.isDropped, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('are kept while they read a little', () => {
    const consumers = new SlowConsumers({ stalledMs: 5000 });
    const [reader] = watching(consumers, 1000) as [Reader];
    for (let each = 0; each < 20; each++) {
      vi.advanceTimersByTime(4000);
      reader.take(1);
    }
    expect(reader.isDropped).toBe(false);
    consumers.clear();
    expect([consumers.watched.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('slow consumers above the memory limit', () => {
  it('are not dropped if they read recently, and backpressure is signalled', () => {
    const consumers = new SlowConsumers({ max: 100 });
    const readers = watching(consumers, 60, 30);
    expect(consumers.backpressured).toBe(false);
    readers.push(...watching(consumers, 30));
    expect(consumers.backpressured).toBe(true);
    expect(readers.some(({ isDropped }) => isDropped)).toBe(false);
    readers[0]?.take(20);
    expect(consumers.backpressured).toBe(false);
  });

  it('are dropped by size and idle time, as many as needed', () => {
    const consumers = new SlowConsumers({ max: 100 });
    const [old, small] = watching(consumers, 40, 10) as [Reader, Reader];
    vi.advanceTimersByTime(10_000);
    const [large] = watching(consumers, 45) as [Reader];
    vi.advanceTimersByTime(2000);
    const [newest] = watching(consumers, 30) as [Reader];
    expect([old, small, large, newest].map(({ isDropped }) => isDropped)).toEqual([true, false, false, false]);
    expect(consumers.backpressured).toBe(false);
  });

  it('are counted once while they grow', () => {
    const consumers = new SlowConsumers({ max: 100 });
    const [reader] = watching(consumers, 40) as [Reader];
    for (let each = 0; each < 5; each++) consumers.watch(reader);
    reader.unsent = 90;
    consumers.watch(reader);
    expect(consumers.backpressured).toBe(false);
    reader.unsent = 101;
    consumers.watch(reader);
    expect(consumers.backpressured).toBe(true);
  });
});
