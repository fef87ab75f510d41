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
  it('exists until it expires, to the millisecond', () => {
    create('a');
    vi.advanceTimersByTime(999);
    expect(records.find('a')).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(records.size).toBe(1);
    expect(records.find('a')).toBeUndefined();
    expect(records.size).toBe(0);
    expect(dropped).toEqual(['a']);
  });

  it('is extended by each use', () => {
    create('a');
    vi.advanceTimersByTime(600);
    records.use(found('a'), life);
    vi.advanceTimersByTime(999);
    expect(records.find('a')).toBeDefined();
    records.use(found('a'), { ...life, ttlMs: 10 });
    vi.advanceTimersByTime(10);
    expect(records.find('a')).toBeUndefined();
  });

  it('replaces one with the same key, which is dropped', () => {
    create('a');
    create('a');
    expect([records.size, dropped]).toEqual([1, ['a']]);
  });

  it('is evicted if all records together are too long, least recently used first', () => {
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

  it('is not evicted if its kind has a separate budget, and evicts no others', () => {
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

  it('has fields that can be set and removed; earlier copies are unchanged', () => {
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

describe('a kind with too many records', () => {
  it('evicts the least recently used, as many as necessary', () => {
    create('abcd');
    records.use(found('a'), life);
    create('e', { limit: 3 });
    expect(dropped).toEqual(['b', 'c']);
  });

  it('may reach its limit exactly', () => {
    create('abc', { limit: 3 });
    expect(dropped).toEqual([]);
  });

  it('is counted separately', () => {
    create('ab', { limit: 2 });
    create('cd', { limit: 2, kind: 'other' });
    expect(dropped).toEqual([]);
    create('e', { limit: 2, kind: 'other' });
    expect(dropped).toEqual(['c']);
  });

  it('skips records in use, and marks them as used', () => {
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

  it('evicts a record that was in use until now', () => {
    create('a', { busyMs: 500 });
    vi.advanceTimersByTime(500);
    create('b', { limit: 1 });
    expect(dropped).toEqual(['a']);
  });

  it('keeps a record in use for the longest requested time', () => {
    create('a', { busyMs: 500 });
    records.use(found('a'), { ...life, busyMs: 10 });
    records.use(found('a'), life);
    vi.advanceTimersByTime(499);
    create('bc', { limit: 2 });
    expect(dropped).toEqual(['b']);
  });

  it('evicts the least recently used if all are in use', () => {
    create('abc', { limit: 2, busyMs: 500 });
    expect(dropped).toEqual(['a']);
    create('d', { limit: 1, busyMs: 500 });
    expect(dropped).toEqual(['a', 'b', 'c']);
  });

  it('evicts even the newest with a limit of 0', () => {
    create('a', { limit: 0 });
    expect(dropped).toEqual(['a']);
  });
});

describe('records', () => {
  it('are swept every 30 seconds while there are any', () => {
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

  it('are removed when cleared, and the sweep stops', () => {
    create('a');
    records.clear();
    expect([records.size, vi.getTimerCount()]).toEqual([0, 0]);
    expect(records.find('a')).toBeUndefined();
    create('b', { limit: 1 });
    expect(records.find('b')).toBeDefined();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('do not keep the process alive', () => {
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    create('a');
    const created = timers.flatMap(({ mock }) => mock.results).map(({ value }) => (value as NodeJS.Timeout).hasRef());
    expect(created).toEqual([false]);
  });
});
