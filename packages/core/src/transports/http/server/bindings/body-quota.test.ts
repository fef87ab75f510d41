import { describe, expect, it } from 'vitest';
import { unlimited, Usage } from '../../../../features/quotas/quota.ts';
import { bodyQuotaExceeded, countChunk, countUntilServed } from './body-quota.ts';

function usage(incoming: number, within?: Usage): Usage {
  return new Usage('caller', 'caller', { ...unlimited, incoming }, within);
}

describe('the memory quota of requests', () => {
  it('counts a body while it is read, except short ones', () => {
    const caller = usage(10_000);
    expect(countChunk(caller, 9000, 9000)).toBeUndefined();
    expect(countChunk(caller, 2000, 2000)).toBe(caller);
    expect(caller.incoming).toBe(9000);
    expect(countChunk(caller, 1024, 1024)).toBeUndefined();
    expect(caller.incoming).toBe(10_024);
  });

  it('is checked before a long request is served, and names the exceeded quota', () => {
    const all = usage(10_000);
    const [one, other] = [usage(2500, all), usage(2500, all)];
    one.take('incoming', 2000);
    expect([bodyQuotaExceeded(one, 1024), bodyQuotaExceeded(one, 1025), bodyQuotaExceeded(other, 1025)]).toEqual([
      undefined,
      one,
      undefined,
    ]);
    all.take('incoming', 7500);
    expect(bodyQuotaExceeded(other, 1025)).toBe(all);
  });

  it('counts a message while it is served, by its estimated memory', async () => {
    const caller = usage(1_000_000);
    const text = JSON.stringify('x'.repeat(10_000));
    const parts = JSON.stringify(Array.from({ length: 5000 }, () => []));
    const served = countUntilServed(caller, Promise.resolve(), text);
    expect(caller.incoming).toBe(text.length);
    const failed = countUntilServed(caller, Promise.reject(new Error('failed')), parts);
    expect(caller.incoming).toBeGreaterThan(text.length + 10_000 * 48);
    await served;
    await expect(failed).rejects.toThrow('failed');
    expect(caller.incoming).toBe(0);
  });

  it('does not count a short message', () => {
    const serving = Promise.resolve();
    const caller = usage(1);
    expect(countUntilServed(caller, serving, 'x'.repeat(1024))).toBe(serving);
    expect(caller.incoming).toBe(0);
  });
});
