import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Cache } from './cache.ts';

const resources = ['resources/list', 'resources/templates/list'];

describe('what is kept', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is kept as long as it holds', () => {
    const cache = new Cache();
    cache.put('tools/list', undefined, { tools: [], ttlMs: 1000 });
    vi.advanceTimersByTime(999);
    expect(cache.get('tools/list', undefined)).toMatchObject({ tools: [] });
    vi.advanceTimersByTime(1);
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it.each([undefined, 0, -1, Number.NaN, 'long'])('is nothing that holds for %s (C-CA-01)', (ttlMs) => {
    const cache = new Cache();
    cache.put('tools/list', undefined, { ttlMs });
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it('is for the same question only, whatever its metadata (C-CA-01)', () => {
    const cache = new Cache();
    cache.put('resources/read', { uri: 'a' }, { ttlMs: 1000 });
    expect(cache.get('resources/read', { uri: 'b' })).toBeUndefined();
    expect(cache.get('resources/read', { uri: 'a', _meta: { x: 1 } })).toBeDefined();
  });

  it.each([
    [{ kind: 'tools' } as const, ['prompts/list', ...resources, 'resources/read']],
    [{ kind: 'prompts' } as const, ['tools/list', ...resources, 'resources/read']],
    [{ kind: 'resources' } as const, ['tools/list', 'prompts/list']],
    [{ kind: 'resource', uri: 'a' } as const, ['tools/list', 'prompts/list', ...resources]],
  ])('is forgotten where it changed: %o', (change, left) => {
    const cache = new Cache();
    const methods = ['tools/list', 'prompts/list', ...resources, 'resources/read'];
    for (const method of methods) cache.put(method, undefined, { ttlMs: 1000 });
    cache.drop(change);
    expect(methods.filter((method) => cache.get(method, undefined) !== undefined)).toEqual(left);
  });

  it('is a copy each time: nobody can change it for others', () => {
    const cache = new Cache();
    const result = { tools: ['a'], ttlMs: 1 };
    cache.put('tools/list', undefined, result);
    result.tools.push('b');
    const got = cache.get('tools/list', undefined) as { tools: string[] };
    got.tools.push('c');
    expect(cache.get('tools/list', undefined)).toEqual({ tools: ['a'], ttlMs: 1 });
  });

  it('is forgotten with all the rest', () => {
    const cache = new Cache();
    cache.put('tools/list', undefined, { ttlMs: 1000 });
    cache.clear();
    expect(cache.get('tools/list', undefined)).toBeUndefined();
  });

  it('is at most a thousand answers: the oldest makes room, but not for what replaces itself or is not kept', () => {
    const cache = new Cache();
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
});
