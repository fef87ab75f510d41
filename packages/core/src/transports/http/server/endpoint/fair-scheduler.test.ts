import { describe, expect, it } from 'vitest';
import { unlimited } from '../../../../features/quotas/quota.ts';
import { HttpCaller } from './callers.ts';
import { FairScheduler } from './fair-scheduler.ts';

const companyMs = 10 * 1000;

/** Turns by a clock that moves only while something is served, and who was served in which order. */
function turns(): { turns: FairScheduler; served: string[]; pass: (ms: number) => void; send: Send } {
  const served: string[] = [];
  let now = 1000;
  const made = new FairScheduler(() => now);
  const send: Send = (caller, ms = 0.1) => {
    const work = (): void => {
      served.push(caller.key);
      now += ms;
    };
    if (made.runsImmediately(caller)) work();
    else void made.schedule(caller, work);
  };
  return { turns: made, served, pass: (ms) => (now += ms), send };
}

type Send = (caller: HttpCaller, ms?: number) => void;

function caller(key: string, within?: HttpCaller): HttpCaller {
  return new HttpCaller(key, 'caller', unlimited, within);
}

/** The end of a turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a single caller', () => {
  it('runs immediately, however much it sends, while its requests are quick', () => {
    const { send, served } = turns();
    const ann = caller('ann');
    for (let each = 0; each < 1000; each++) send(ann, 0.01);
    expect(served).toHaveLength(1000);
  });

  it('yields to the event loop if its requests take long', async () => {
    const { send, served } = turns();
    const [ann, bob] = [caller('ann'), caller('bob')];
    for (let each = 0; each < 100; each++) send(ann, 10);
    expect(served.length).toBeLessThan(8);
    await turn();
    send(bob);
    expect(served.length).toBeLessThan(10);
    expect(served.at(-1)).toBe('bob');
    while (ann.waiting > 0) await turn();
    expect(served).toHaveLength(101);
  });

  it('is not rejected for a full queue', () => {
    const { turns: made, send, served } = turns();
    const ann = new HttpCaller('ann', 'caller', { ...unlimited, waiting: 10 });
    for (let each = 0; each < 100; each++) send(ann, 10);
    expect([ann.waiting, served.length, made.runsImmediately(ann)]).toEqual([10, 90, true]);
  });

  it('counts as single again after a while without others', async () => {
    const { send, served, pass } = turns();
    const [ann, bob] = [caller('ann'), caller('bob')];
    send(bob);
    for (let each = 0; each < 100; each++) send(ann);
    expect(served.length).toBeLessThan(100);
    while (ann.waiting > 0) await turn();
    pass(companyMs);
    send(ann);
    await turn();
    for (let each = 0; each < 100; each++) send(ann);
    expect(served).toHaveLength(202);
  });
});

describe('several callers', () => {
  it('run immediately within their time slice, and the rest in later turns', async () => {
    const { send, served } = turns();
    const [greedy, modest] = [caller('greedy'), caller('modest')];
    send(modest);
    for (let each = 0; each < 20; each++) send(greedy);
    send(modest);
    expect(served.filter((each) => each === 'greedy').length).toBeLessThan(10);
    expect(served.at(-1)).toBe('modest');
    expect(greedy.waiting).toBe(22 - served.length);
    while (greedy.waiting > 0) await turn();
    expect(served).toHaveLength(22);
  });

  it('with many requests are served round-robin', async () => {
    const { send, served } = turns();
    const all = ['a', 'b', 'c'].map((key) => caller(key));
    send(caller('first'));
    for (const each of all) for (let count = 0; count < 30; count++) send(each, 0.2);
    const before = served.length;
    await turn();
    await turn();
    const next = served.slice(before);
    for (const { key } of all) {
      const count = next.filter((each) => each === key).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(next.length / 2);
    }
    while (all.some(({ waiting }) => waiting > 0)) await turn();
    expect(served).toHaveLength(91);
  });

  it('that were not served in a round are the first in the next one', async () => {
    const { send, served } = turns();
    const all = ['a', 'b', 'c'].map((key) => caller(key));
    send(caller('first'));
    for (const each of all) for (let count = 0; count < 4; count++) send(each, 100);
    expect(served).toEqual(['first', 'a', 'a', 'b', 'b', 'c', 'c']);
    while (all.some(({ waiting }) => waiting > 0)) await turn();
    expect(served.slice(7)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('from one address share a time slice', async () => {
    const { send, served } = turns();
    const address = new HttpCaller('address', 'address', unlimited);
    const all = Array.from({ length: 400 }, (_, each) => caller(`session ${each}`, address));
    send(caller('other'));
    for (const each of all) send(each);
    expect(served.length).toBeLessThan(200);
    while (address.waiting > 0) await turn();
    expect(served).toHaveLength(401);
  });
});

describe('a queued request', () => {
  it('resolves or rejects with its outcome', async () => {
    const { turns: made, send } = turns();
    const [ann, bob] = [caller('ann'), caller('bob')];
    send(bob);
    send(ann, 10);
    send(ann, 10);
    expect(made.runsImmediately(ann)).toBe(false);
    const done: string[] = [];
    const late = made.schedule(ann, async () => void done.push('done'));
    const failing = made.schedule(ann, () => {
      throw new Error('broken');
    });
    const rejecting = made.schedule(ann, () => Promise.reject(new Error('rejected')));
    expect(done).toEqual([]);
    expect(await Promise.allSettled([late, failing, rejecting])).toMatchObject([
      { status: 'fulfilled' },
      { reason: { message: 'broken' } },
      { reason: { message: 'rejected' } },
    ]);
    expect([done, ann.waiting]).toEqual([['done'], 0]);
  });
});
