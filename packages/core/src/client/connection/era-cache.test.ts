import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RememberedEras } from './era-cache.ts';

const hour = 60 * 60 * 1000;

describe('the era of a server', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is remembered for an hour, by its endpoint', () => {
    const eras = new RememberedEras();
    expect(eras.isHandshake('a')).toBe(false);
    eras.rememberHandshake('a');
    expect(eras.isHandshake('b')).toBe(false);
    vi.advanceTimersByTime(hour - 1);
    expect(eras.isHandshake('a')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(eras.isHandshake('a')).toBe(false);
  });

  it('is not remembered where there is no endpoint to remember it by', () => {
    const eras = new RememberedEras();
    eras.rememberHandshake(undefined);
    expect(eras.isHandshake(undefined)).toBe(false);
    expect(eras.isHandshake('undefined')).toBe(false);
    eras.forget(undefined);
  });

  it('can be forgotten', () => {
    const eras = new RememberedEras();
    eras.rememberHandshake('a');
    eras.rememberHandshake('b');
    eras.forget('a');
    expect([eras.isHandshake('a'), eras.isHandshake('b')]).toEqual([false, true]);
  });

  it('is remembered of a thousand servers: the one found longest ago makes room', () => {
    const eras = new RememberedEras();
    for (let i = 0; i < 1000; i += 1) eras.rememberHandshake(String(i));
    expect(eras.isHandshake('0')).toBe(true);
    eras.rememberHandshake('0');
    expect(eras.isHandshake('1')).toBe(true);
    eras.rememberHandshake('new');
    expect(['0', '1', '2', 'new'].map((endpoint) => eras.isHandshake(endpoint))).toEqual([true, false, true, true]);
  });
});
