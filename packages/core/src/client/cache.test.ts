import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Cache } from './cache.ts';

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
    [{ kind: 'tools' } as const, ['prompts/list', 'resources/list', 'resources/read']],
    [{ kind: 'prompts' } as const, ['tools/list', 'resources/list', 'resources/read']],
    [{ kind: 'resources' } as const, ['tools/list', 'prompts/list']],
    [{ kind: 'resource', uri: 'a' } as const, ['tools/list', 'prompts/list', 'resources/list']],
  ])('is forgotten where it changed: %o', (change, left) => {
    const cache = new Cache();
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/read'];
    for (const method of methods) cache.put(method, undefined, { ttlMs: 1000 });
    cache.drop(change);
    expect(methods.filter((method) => cache.get(method, undefined) !== undefined)).toEqual(left);
  });

  it('has a limit', () => {
    const cache = new Cache();
    for (let i = 0; i <= 1000; i += 1) cache.put('resources/read', { uri: String(i) }, { ttlMs: 1000 });
    expect(cache.get('resources/read', { uri: '0' })).toBeUndefined();
    expect(cache.get('resources/read', { uri: '1000' })).toBeDefined();
  });
});
