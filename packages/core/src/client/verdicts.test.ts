import { afterEach, describe, expect, it, vi } from 'vitest';
import { verdicts } from './verdicts.ts';

const hour = 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

describe('what was learnt of servers', () => {
  it('is known of those that it was learnt of, and of no other', () => {
    verdicts.rememberHandshake('a');
    expect(verdicts.isHandshake('a')).toBe(true);
    expect(verdicts.isHandshake('b')).toBe(false);
  });

  it('is nothing where a server has no place', () => {
    verdicts.rememberHandshake(undefined);
    expect(verdicts.isHandshake(undefined)).toBe(false);
    expect(() => verdicts.forget(undefined)).not.toThrow();
  });

  it('can be forgotten, for one server alone', () => {
    verdicts.rememberHandshake('a');
    verdicts.rememberHandshake('b');
    verdicts.forget('a');
    expect([verdicts.isHandshake('a'), verdicts.isHandshake('b')]).toEqual([false, true]);
  });

  it('holds for an hour, because the server may be replaced', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    verdicts.rememberHandshake('a');
    vi.setSystemTime(1_000_000 + hour - 1);
    expect(verdicts.isHandshake('a')).toBe(true);
    vi.setSystemTime(1_000_000 + hour);
    expect(verdicts.isHandshake('a')).toBe(false);
  });

  it('takes a bounded memory: a thousand servers are kept, and the latest is always among them', () => {
    const places = Array.from({ length: 3500 }, (_, index) => `https://${index}.example.com`);
    const known = () => places.filter((place) => verdicts.isHandshake(place)).length;
    const most = places.map((place) => {
      verdicts.rememberHandshake(place);
      expect(verdicts.isHandshake(place)).toBe(true);
      return place.endsWith('99.example.com') ? known() : 0;
    });
    expect(Math.max(...most)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...most)).toBeLessThanOrEqual(1000);
    expect(known()).toBeLessThanOrEqual(1000);
  });
});
