import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../stores/memory.ts';
import type { Store, TokenBucket } from '../../stores/store.ts';
import type { Rated } from '../../server/peer.ts';
import { TokenBuckets } from './rate-limit.ts';
import { SharedRates } from './shared-rates.ts';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => vi.useRealTimers());

/** Numbers that look random and are the same each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function instances(count: number, bucket: TokenBucket, store: Store = memoryStore()): SharedRates[] {
  return Array.from({ length: count }, () => new SharedRates({ store, bucket, prefix: 'test/' }));
}

const buckets = [
  { size: 100, perMs: 0.1 },
  { size: 8, perMs: 0.05 },
  { size: 1, perMs: 0.01 },
  { size: 1000, perMs: 0.02 },
  { size: 50, perMs: 2 },
];

describe('a rate limit shared by instances', () => {
  it.each(buckets)('never allows more calls than one bucket of $size (MI-10)', (bucket) => {
    for (let seed = 1; seed <= 20; seed++) {
      const shared = instances(3, bucket);
      const single = new TokenBuckets(bucket);
      const next = random(seed);
      const fillMs = bucket.size / bucket.perMs;
      let tooMany = 0;
      for (let step = 0; step < 400; step++) {
        vi.advanceTimersByTime(next() < 0.1 ? next() * fillMs * 2 : next() * (2 / bucket.perMs));
        // Bursts at times, on different instances.
        for (let calls = next() < 0.2 ? bucket.size * next() * 2 : 1; calls > 0; calls--) {
          const rated = (shared[Math.floor(next() * 3)] as SharedRates).take('caller') as Rated;
          if (rated.waitMs === 0 && single.take('caller').waitMs > 0) tooMany += 1;
        }
      }
      expect(tooMany).toBe(0);
    }
  });

  it.each([
    ['one instance', 1],
    ['three', 3],
  ])('allows a caller on %s nearly the full rate', (_, used) => {
    const bucket = { size: 100, perMs: 0.1 };
    const shared = instances(3, bucket);
    let served = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      vi.advanceTimersByTime(1);
      if (((shared[ms % used] as SharedRates).take('caller') as Rated).waitMs === 0) served += 1;
    }
    expect(served).toBeGreaterThan(1100 * 0.97);
    expect(served).toBeLessThanOrEqual(1100);
  });

  it('batches requests to the store, and returns unused tokens', () => {
    const store = memoryStore();
    const asked = vi.spyOn(store, 'take');
    const [one, two] = instances(2, { size: 800, perMs: 1e-6 }, store) as [SharedRates, SharedRates];
    for (let calls = 0; calls < 100; calls++) expect((one.take('caller') as Rated).waitMs).toBe(0);
    expect(asked).toHaveBeenCalledTimes(1);
    for (let calls = 0; calls < 10; calls++) void one.take('caller');
    expect(asked).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(2000);
    let served = 0;
    while ((two.take('caller') as Rated).waitMs === 0) served += 1;
    expect(served).toBe(690);
  });

  it('reports the remaining calls and the refill time', () => {
    const [one, two] = instances(2, { size: 10, perMs: 0.01 }) as [SharedRates, SharedRates];
    expect(one.take('caller')).toEqual({ waitMs: 0, left: 9, fullMs: expect.closeTo(100) });
    expect(two.take('caller')).toEqual({ waitMs: 0, left: 8, fullMs: expect.closeTo(200) });
    for (let calls = 0; calls < 8; calls++) void two.take('caller');
    expect(one.take('caller')).toMatchObject({ waitMs: 100, left: 0 });
    expect(one.take('another')).toMatchObject({ waitMs: 0, left: 9 });
  });

  it('falls back to counting per instance while the store is down or frozen', async () => {
    let isAway = false;
    let isFrozen = false;
    const memory = memoryStore();
    const take: Store['take'] = async (...given) => {
      if (isAway) throw new Error('away');
      return isFrozen ? new Promise(() => {}) : memory.take(...given);
    };
    const [one, two] = instances(2, { size: 3, perMs: 1e-6 }, { ...memory, take }) as [SharedRates, SharedRates];
    const waits = async (rates: SharedRates): Promise<boolean> => (await rates.take('caller')).waitMs > 0;
    isAway = true;
    expect([await waits(one), await waits(one), await waits(one), await waits(one)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(await waits(two)).toBe(false);
    isAway = false;
    vi.advanceTimersByTime(2000);
    expect([await waits(one), await waits(two), await waits(one), await waits(two)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    isFrozen = true;
    const late = two.take('another');
    vi.advanceTimersByTime(1000);
    expect((await late).waitMs).toBe(0);
    isFrozen = false;
  });

  it('waits for a frozen store only once, and recovers soon after it answers', async () => {
    const memory = memoryStore();
    const frozen: (() => void)[] = [];
    let isFrozen = true;
    const take = vi.fn<Store['take']>(async (...given) => {
      if (isFrozen) await new Promise<void>((resolve) => void frozen.push(resolve));
      return memory.take(...given);
    });
    const [one] = instances(1, { size: 3, perMs: 1e-6 }, { ...memory, take }) as [SharedRates];
    const first = one.take('caller');
    vi.advanceTimersByTime(1000);
    expect((await first).waitMs).toBe(0);
    for (let second = 0; second < 10; second++) {
      for (let each = 0; each < 100; each++) expect(one.take(`${second} ${each}`)).not.toBeInstanceOf(Promise);
      vi.advanceTimersByTime(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(take.mock.calls.length).toBeLessThanOrEqual(6);
    isFrozen = false;
    for (const thaw of frozen) thaw();
    vi.advanceTimersByTime(1000);
    void one.take('another');
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.take('another')).toBeInstanceOf(Promise);
  });

  it('sends one store request for concurrent calls', async () => {
    const memory = memoryStore();
    const take = vi.fn<Store['take']>(async (...given) => memory.take(...given));
    const [one] = instances(1, { size: 80, perMs: 1e-6 }, { ...memory, take }) as [SharedRates];
    const rated = await Promise.all(Array.from({ length: 100 }, async () => one.take('caller')));
    expect(rated.filter(({ waitMs }) => waitMs === 0)).toHaveLength(80);
    expect(take.mock.calls.length).toBeLessThan(40);
  });
});
