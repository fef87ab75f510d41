import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ResponseCache } from './response-cache.ts';

const resources = ['resources/list', 'resources/templates/list'];

describe('the response cache', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('keeps a response until its ttl expires', () => {
    const cache = new ResponseCache();
    cache.put('tools/list', undefined, { tools: [], ttlMs: 1000 });
    vi.advanceTimersByTime(999);
    expect(cache.get('tools/list', undefined)).toMatchObject({ tools: [] });
    vi.advanceTimersByTime(1);
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it.each([undefined, 0, -1, Number.NaN, 'long'])('is nothing that holds for %s (C-CA-01)', (ttlMs) => {
    const cache = new ResponseCache();
    cache.put('tools/list', undefined, { ttlMs });
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it('ignores metadata in its key (C-CA-01)', () => {
    const cache = new ResponseCache();
    cache.put('resources/read', { uri: 'a' }, { ttlMs: 1000 });
    expect(cache.get('resources/read', { uri: 'b' })).toBeUndefined();
    expect(cache.get('resources/read', { uri: 'a', _meta: { x: 1 } })).toBeDefined();
  });

  it.each([
    [{ kind: 'tools' } as const, ['prompts/list', ...resources, 'resources/read']],
    [{ kind: 'prompts' } as const, ['tools/list', ...resources, 'resources/read']],
    [{ kind: 'resources' } as const, ['tools/list', 'prompts/list']],
    [{ kind: 'resource', uri: 'a' } as const, ['tools/list', 'prompts/list', ...resources]],
  ])('drops entries that changed: %o', (change, left) => {
    const cache = new ResponseCache();
    const methods = ['tools/list', 'prompts/list', ...resources, 'resources/read'];
    for (const method of methods) cache.put(method, undefined, { ttlMs: 1000 });
    cache.invalidate(change);
    expect(methods.filter((method) => cache.get(method, undefined) !== undefined)).toEqual(left);
  });

  it('returns a copy to each caller', () => {
    const cache = new ResponseCache();
    const result = { tools: ['a'], ttlMs: 1 };
    cache.put('tools/list', undefined, result);
    result.tools.push('b');
    const got = cache.get('tools/list', undefined) as { tools: string[] };
    got.tools.push('c');
    expect(cache.get('tools/list', undefined)).toEqual({ tools: ['a'], ttlMs: 1 });
  });

  it('can be cleared', () => {
    const cache = new ResponseCache();
    cache.put('tools/list', undefined, { ttlMs: 1000 });
    cache.clear();
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it('evicts the oldest of a thousand entries, but not for a replacement or an uncacheable response', () => {
    const cache = new ResponseCache();
    const kept = (i: number): boolean => cache.get('resources/read', { uri: String(i) }) !== undefined;
    const put = (i: number, ttlMs = 1000): void => cache.put('resources/read', { uri: String(i) }, { ttlMs });
    for (let i = 0; i < 1000; i += 1) put(i);
    put(5);
    put(1000, 0);
    expect([0, 1, 999].map(kept)).toEqual([true, true, true]);
    put(1000);
    expect([0, 1, 5, 1000].map(kept)).toEqual([false, true, true, true]);
    put(2, 1);
    vi.advanceTimersByTime(1);
    expect(kept(2)).toBe(false);
    put(1001);
    expect([1, 1001].map(kept)).toEqual([true, true]);
  });

  it('caches deeply nested responses completely or not at all', () => {
    const cache = new ResponseCache();
    let contents: unknown[] = [];
    for (let level = 0; level < 200_000; level += 1) contents = [contents];
    cache.put('resources/read', { uri: 'a' }, { contents, ttlMs: 1000 });
    const kept = cache.get('resources/read', { uri: 'a' })?.contents;
    let depth = 0;
    for (let inner = kept; Array.isArray(inner); [inner] = inner) depth += 1;
    expect(depth).toBe(kept === undefined ? 0 : 200_001);
  });

  it('is bounded in size, whatever ttl the server sets', () => {
    const cache = new ResponseCache();
    const kept = (i: number): boolean => cache.get('resources/read', { uri: String(i) }) !== undefined;
    const put = (i: number, size: number): void =>
      cache.put('resources/read', { uri: String(i) }, { contents: 'x'.repeat(size), ttlMs: 1e9 });
    const mega = 1024 * 1024;
    for (let i = 0; i < 5; i += 1) put(i, 10 * mega);
    expect([0, 1, 2, 3, 4].map(kept)).toEqual([false, false, true, true, true]);
    put(5, 33 * mega);
    expect([3, 4, 5].map(kept)).toEqual([true, true, false]);
    cache.invalidate({ kind: 'resource', uri: '' });
    for (let i = 6; i < 9; i += 1) put(i, 10 * mega);
    expect([6, 7, 8].map(kept)).toEqual([true, true, true]);
    cache.clear();
    for (let i = 9; i < 12; i += 1) put(i, 10 * mega);
    expect([9, 10, 11].map(kept)).toEqual([true, true, true]);
  });
});
