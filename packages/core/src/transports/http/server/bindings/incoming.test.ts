import { describe, expect, it } from 'vitest';
import { unlimited, Usage } from '../../../../server/quotas/quota.ts';
import { noRoomFor, takePart, untilServed } from './incoming.ts';

function usage(incoming: number, within?: Usage): Usage {
  return new Usage('caller', 'caller', { ...unlimited, incoming }, within);
}

describe('what requests take in memory', () => {
  it('is counted while a body is read; short ones are read all the same', () => {
    const caller = usage(10_000);
    expect(takePart(caller, 9000, 9000)).toBeUndefined();
    expect(takePart(caller, 2000, 2000)).toBe(caller);
    expect(caller.incoming).toBe(9000);
    expect(takePart(caller, 1024, 1024)).toBeUndefined();
    expect(caller.incoming).toBe(10_024);
  });

  it('is looked at before a long request is served, and says whose room is used up', () => {
    const all = usage(10_000);
    const [one, other] = [usage(2500, all), usage(2500, all)];
    one.take('incoming', 2000);
    expect([noRoomFor(one, 1024), noRoomFor(one, 1025), noRoomFor(other, 1025)]).toEqual([undefined, one, undefined]);
    all.take('incoming', 7500);
    expect(noRoomFor(other, 1025)).toBe(all);
  });

  it('is counted while a message is served, by what it takes rather than by its length', async () => {
    const caller = usage(1_000_000);
    const text = JSON.stringify('x'.repeat(10_000));
    const parts = JSON.stringify(Array.from({ length: 5000 }, () => []));
    const served = untilServed(caller, Promise.resolve(), text);
    expect(caller.incoming).toBe(text.length);
    const failed = untilServed(caller, Promise.reject(new Error('failed')), parts);
    expect(caller.incoming).toBeGreaterThan(text.length + 10_000 * 48);
    await served;
    await expect(failed).rejects.toThrow('failed');
    expect(caller.incoming).toBe(0);
  });

  it('is not counted for a short message', () => {
    const serving = Promise.resolve();
    const caller = usage(1);
    expect(untilServed(caller, serving, 'x'.repeat(1024))).toBe(serving);
    expect(caller.incoming).toBe(0);
  });
});
