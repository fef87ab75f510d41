import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Life } from '../store.ts';
import { Records, type StoredRecord } from './records.ts';

const life: Life = { ttlMs: 1000, kind: 'test', limit: 10 };

let dropped: string[];
let records: Records;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  dropped = [];
  records = new Records({ maxLength: 1000, maxMemberLength: 1000 }, (key) => dropped.push(key));
});

afterEach(() => {
  vi.useRealTimers();
});

function found(key: string): StoredRecord {
  return records.find(key) ?? expect.fail(`${key} is not there`);
}

function create(keys: string, own: Partial<Life> = {}): void {
  for (const key of keys) records.create(key, {}, { ...life, ...own });
}

describe('a record', () => {
  it('is there until its time is over, to the millisecond', () => {
    create('a');
    vi.advanceTimersByTime(999);
    expect(records.find('a')).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(records.size).toBe(1);
    expect(records.find('a')).toBeUndefined();
    expect(records.size).toBe(0);
    expect(dropped).toEqual(['a']);
  });

  it('lives on from its last use', () => {
    create('a');
    vi.advanceTimersByTime(600);
    records.use(found('a'), life);
    vi.advanceTimersByTime(999);
    expect(records.find('a')).toBeDefined();
    records.use(found('a'), { ...life, ttlMs: 10 });
    vi.advanceTimersByTime(10);
    expect(records.find('a')).toBeUndefined();
  });

  it('replaces one with its key, which is dropped', () => {
    create('a');
    create('a');
    expect([records.size, dropped]).toEqual([1, ['a']]);
  });

  it('goes where all together are too long, the least recently used first', () => {
    records.create('a', { x: 'x'.repeat(500) }, life);
    records.create('b', { x: 'x'.repeat(498) }, life);
    expect(dropped).toEqual([]);
    records.use(found('a'), life);
    create('c');
    expect(dropped).toEqual([]);
    records.change(found('c'), { y: 'y' });
    records.create('d', { x: 'x' }, life);
    expect(dropped).toEqual(['b']);
    records.create('e', { x: 'x'.repeat(2000) }, life);
    expect([dropped, records.size]).toEqual([['b', 'a', 'c', 'd'], 1]);
    records.create('f', {}, life);
    expect(dropped.at(-1)).toBe('e');
    records.create('g', { x: 'x'.repeat(999) }, life);
    expect(records.size).toBe(2);
  });

  it('stays where its kind has a room of its own, however long all others are, and these stay too', () => {
    const roomy = { ...life, kind: 'kept', room: { length: 2000, ownerLength: 2000 } };
    create('a');
    expect(records.create('k', { x: 'x'.repeat(1500) }, roomy)).toBe(true);
    create('b');
    records.change(found('k'), { x: 'x'.repeat(5000) });
    create('c');
    expect(records.create('l', {}, roomy)).toBe(false);
    expect(dropped).toEqual([]);
    records.drop('k');
    expect(records.create('l', {}, roomy)).toBe(true);
    records.create('d', { x: 'x'.repeat(2000) }, life);
    expect(dropped).not.toContain('l');
  });

  it('is dropped once', () => {
    create('a');
    expect([records.drop('a'), records.drop('a')]).toEqual([true, false]);
    expect(dropped).toEqual(['a']);
  });

  it('has fields that can be set and removed, and those given before stay as they were', () => {
    const given = { a: '1', b: '1' };
    records.create('a', given, life);
    const before = found('a').fields;
    expect(before).toEqual(given);
    expect(before).not.toBe(given);
    records.change(found('a'), { b: undefined, c: '2' });
    expect(found('a').fields).toEqual({ a: '1', c: '2' });
    expect(before).toEqual({ a: '1', b: '1' });
  });
});

describe('a kind that has too many records', () => {
  it('drops the least recently used, and as many as are too many', () => {
    create('abcd');
    records.use(found('a'), life);
    create('e', { limit: 3 });
    expect(dropped).toEqual(['b', 'c']);
  });

  it('may have as many as its limit says', () => {
    create('abc', { limit: 3 });
    expect(dropped).toEqual([]);
  });

  it('is counted for itself', () => {
    create('ab', { limit: 2 });
    create('cd', { limit: 2, kind: 'other' });
    expect(dropped).toEqual([]);
    create('e', { limit: 2, kind: 'other' });
    expect(dropped).toEqual(['c']);
  });

  it('passes over what is in use, which then counts as used', () => {
    create('a', { busyMs: 500 });
    create('bc', { limit: 2 });
    expect(dropped).toEqual(['b']);
    create('d', { limit: 2 });
    expect(dropped).toEqual(['b', 'c']);
    vi.advanceTimersByTime(499);
    create('e', { limit: 2 });
    expect(dropped).toEqual(['b', 'c', 'd']);
    vi.advanceTimersByTime(1);
    create('f', { limit: 1 });
    expect(dropped).toEqual(['b', 'c', 'd', 'e', 'a']);
  });

  it('drops a record that was in use until just now', () => {
    create('a', { busyMs: 500 });
    vi.advanceTimersByTime(500);
    create('b', { limit: 1 });
    expect(dropped).toEqual(['a']);
  });

  it('keeps what is in use for the longest time that anyone has said', () => {
    create('a', { busyMs: 500 });
    records.use(found('a'), { ...life, busyMs: 10 });
    records.use(found('a'), life);
    vi.advanceTimersByTime(499);
    create('bc', { limit: 2 });
    expect(dropped).toEqual(['b']);
  });

  it('drops the least recently used where all are in use', () => {
    create('abc', { limit: 2, busyMs: 500 });
    expect(dropped).toEqual(['a']);
    create('d', { limit: 1, busyMs: 500 });
    expect(dropped).toEqual(['a', 'b', 'c']);
  });

  it('drops even the newest where none may be', () => {
    create('a', { limit: 0 });
    expect(dropped).toEqual(['a']);
  });
});

describe('records', () => {
  it('are searched every 30 seconds for expired ones, as long as there are any', () => {
    expect(vi.getTimerCount()).toBe(0);
    create('a', { ttlMs: 30_000 });
    create('b', { ttlMs: 30_001 });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(29_999);
    expect(records.size).toBe(2);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(dropped).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
    create('c');
    expect(vi.getTimerCount()).toBe(1);
  });

  it('are gone when they are cleared, and nothing is searched any more', () => {
    create('a');
    records.clear();
    expect([records.size, vi.getTimerCount()]).toEqual([0, 0]);
    expect(records.find('a')).toBeUndefined();
    create('b', { limit: 1 });
    expect(records.find('b')).toBeDefined();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('do not keep a process from ending', () => {
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    create('a');
    const created = timers.flatMap(({ mock }) => mock.results).map(({ value }) => (value as NodeJS.Timeout).hasRef());
    expect(created).toEqual([false]);
  });
});
