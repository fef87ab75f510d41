import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Outgoing } from './outgoing.ts';

/** A connection on which something waits. */
class Reader {
  taken = 0;
  isCut = false;

  constructor(public unsent: number) {}

  cut(): void {
    this.isCut = true;
    this.unsent = 0;
  }

  take(bytes: number): void {
    this.unsent -= bytes;
    this.taken += bytes;
  }
}

function watching(outgoing: Outgoing, ...unsent: number[]): Reader[] {
  return unsent.map((bytes) => {
    const reader = new Reader(bytes);
    outgoing.watch(reader);
    return reader;
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what waits for clients to read it', () => {
  it('is watched until it is read, and no longer', () => {
    const outgoing = new Outgoing();
    const [one, two] = watching(outgoing, 10, 10) as [Reader, Reader];
    expect([outgoing.size, vi.getTimerCount()]).toEqual([2, 1]);
    one.take(10);
    vi.advanceTimersByTime(1000);
    expect(outgoing.size).toBe(1);
    two.take(10);
    vi.advanceTimersByTime(1000);
    expect([outgoing.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('is given up where its client takes nothing for too long, however much more comes', () => {
    const outgoing = new Outgoing({ stalledMs: 5000 });
    const [reader] = watching(outgoing, 10) as [Reader];
    for (let second = 0; second < 4; second++) {
      vi.advanceTimersByTime(1000);
      reader.unsent += 10;
      outgoing.watch(reader);
    }
    expect(reader.isCut).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([reader.isCut, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('stays for a client that takes a little now and then', () => {
    const outgoing = new Outgoing({ stalledMs: 5000 });
    const [reader] = watching(outgoing, 1000) as [Reader];
    for (let each = 0; each < 20; each++) {
      vi.advanceTimersByTime(4000);
      reader.take(1);
    }
    expect(reader.isCut).toBe(false);
    outgoing.clear();
    expect([outgoing.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('where too much waits', () => {
  it('nobody is cut off who took something just now, and there is no room', () => {
    const outgoing = new Outgoing({ max: 100 });
    const readers = watching(outgoing, 60, 30);
    expect(outgoing.full).toBe(false);
    readers.push(...watching(outgoing, 30));
    expect(outgoing.full).toBe(true);
    expect(readers.some(({ isCut }) => isCut)).toBe(false);
    readers[0]?.take(20);
    expect(outgoing.full).toBe(false);
  });

  it('those are cut off that hold most and have taken nothing for longest, as many as must', () => {
    const outgoing = new Outgoing({ max: 100 });
    const [old, small] = watching(outgoing, 40, 10) as [Reader, Reader];
    vi.advanceTimersByTime(10_000);
    const [large] = watching(outgoing, 45) as [Reader];
    vi.advanceTimersByTime(2000);
    const [newest] = watching(outgoing, 30) as [Reader];
    expect([old, small, large, newest].map(({ isCut }) => isCut)).toEqual([true, false, false, false]);
    expect(outgoing.full).toBe(false);
  });

  it('one that grows is counted once', () => {
    const outgoing = new Outgoing({ max: 100 });
    const [reader] = watching(outgoing, 40) as [Reader];
    for (let each = 0; each < 5; each++) outgoing.watch(reader);
    reader.unsent = 90;
    outgoing.watch(reader);
    expect(outgoing.full).toBe(false);
    reader.unsent = 101;
    outgoing.watch(reader);
    expect(outgoing.full).toBe(true);
  });
});
