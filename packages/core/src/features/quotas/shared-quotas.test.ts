import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquire, unlimited, Usage } from './quota.ts';
import { memoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { SharedQuotas } from './shared-quotas.ts';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => vi.useRealTimers());

interface Instance {
  usage: Usage;
  quotas: SharedQuotas;
  /** Begins a call; false if it is rejected. */
  begin(): boolean | Promise<boolean>;
}

function instance(store: Store, calls: number): Instance {
  const quotas = new SharedQuotas(store);
  const usage = new Usage('ann', 'caller', { ...unlimited, calls });
  quotas.share(usage);
  const begin = (): boolean | Promise<boolean> =>
    acquire(usage, 'calls', (full) => {
      if (full === undefined) usage.take('calls');
      return full === undefined;
    });
  return { usage, quotas, begin };
}

/** How many calls can be begun. */
function fill({ begin }: Instance): number {
  let begun = 0;
  while (begin() === true) begun += 1;
  return begun;
}

describe('a shared quota', () => {
  it.each([2, 5, 64, 1000])('of %s holds over all instances', (calls) => {
    const store = memoryStore();
    const [one, two, three] = [instance(store, calls), instance(store, calls), instance(store, calls)];
    expect(one.begin()).toBe(true);
    const begun = fill(two) + fill(three) + fill(one) + 1;
    expect(begun).toBeGreaterThan(calls * 0.85);
    expect(begun).toBeLessThanOrEqual(calls);
    vi.advanceTimersByTime(20_000);
    expect(begun + fill(one) + fill(two) + fill(three)).toBe(calls);
  });

  it('is released soon after calls ended, completely for an idle caller', () => {
    const store = memoryStore();
    const [one, two] = [instance(store, 64), instance(store, 64)];
    expect(fill(one)).toBe(64);
    expect(two.begin()).toBe(false);
    one.usage.release('calls', 64);
    vi.advanceTimersByTime(600);
    expect(fill(two)).toBe(60);
    vi.advanceTimersByTime(12_000);
    expect(fill(two)).toBe(4);
  });

  it('is leased while calls run, and expires for a crashed instance', () => {
    const store = memoryStore();
    const [one, two] = [instance(store, 8), instance(store, 8)];
    expect(fill(one)).toBe(8);
    vi.advanceTimersByTime(60_000);
    expect(two.begin()).toBe(false);
    const dead = one.quotas;
    vi.spyOn(dead.store, 'leaseQuota').mockImplementation(() => 8);
    vi.advanceTimersByTime(16_000);
    vi.restoreAllMocks();
    expect(fill(two)).toBe(8);
  });

  it('is released when an instance closes', async () => {
    const store = memoryStore();
    const [one, two] = [instance(store, 8), instance(store, 8)];
    fill(one);
    await one.quotas.close();
    expect(fill(two)).toBe(8);
  });

  it('asks the store once for a caller on one instance', () => {
    const store = memoryStore();
    const leaseQuota = vi.spyOn(store, 'leaseQuota');
    const { begin, usage } = instance(store, 1024);
    for (let calls = 0; calls < 500; calls++) {
      expect(begin()).toBe(true);
      usage.release('calls');
    }
    expect(leaseQuota).toHaveBeenCalledTimes(1);
  });

  it('falls back to a quota per instance while the store is unavailable', async () => {
    const memory = memoryStore();
    let isFrozen = false;
    const leaseQuota: Store['leaseQuota'] = () =>
      isFrozen ? new Promise(() => {}) : Promise.reject(new Error('away'));
    const [one, two] = [instance({ ...memory, leaseQuota }, 2), instance({ ...memory, leaseQuota }, 2)];
    expect([await one.begin(), await one.begin(), await one.begin()]).toEqual([true, true, false]);
    isFrozen = true;
    const late = two.begin();
    vi.advanceTimersByTime(1000);
    expect(await late).toBe(true);
  });

  it('waits for a frozen store once, for all callers', async () => {
    const memory = memoryStore();
    let isFrozen = true;
    const leaseQuota = vi.fn<Store['leaseQuota']>(async (...given) =>
      isFrozen ? new Promise(() => {}) : memory.leaseQuota(...given),
    );
    const { quotas, begin } = instance({ ...memory, leaseQuota }, 2);
    const first = begin();
    vi.advanceTimersByTime(1000);
    expect(await first).toBe(true);
    const beginAs = (name: string): boolean | Promise<boolean> => {
      const usage = new Usage(name, 'caller', { ...unlimited, calls: 2 });
      quotas.share(usage);
      return acquire(usage, 'calls', (full) => full === undefined);
    };
    const asked = leaseQuota.mock.calls.length;
    for (let second = 0; second < 10; second++) {
      for (let each = 0; each < 20; each++) expect(beginAs(`${second} ${each}`)).toBe(true);
      vi.advanceTimersByTime(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(leaseQuota.mock.calls.length - asked).toBeLessThanOrEqual(6);
    isFrozen = false;
    for (let half = 0; half < 8; half++) {
      vi.advanceTimersByTime(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await beginAs('late')).toBe(true);
    expect(leaseQuota.mock.calls.at(-1)?.[0]).toBe('quota/calls/caller/late');
  });

  it('is acquired once for many concurrent calls', async () => {
    const memory = memoryStore();
    const leaseQuota = vi.fn<Store['leaseQuota']>(async (...given) => memory.leaseQuota(...given));
    const { begin } = instance({ ...memory, leaseQuota }, 10);
    const begun = await Promise.all(Array.from({ length: 100 }, async () => begin()));
    expect(begun.filter(Boolean)).toHaveLength(10);
    expect(leaseQuota.mock.calls.length).toBeLessThan(5);
  });
});
