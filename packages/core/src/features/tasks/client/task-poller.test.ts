import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DetailedTask } from '../protocol.ts';
import { TaskPoller, pollDelay } from './task-poller.ts';
import type { TaskWire } from './task-wire.ts';

const working: DetailedTask = {
  taskId: 't',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttlMs: null,
  pollIntervalMs: 1000,
};
const at = (second: number, more: Partial<DetailedTask> = {}): DetailedTask => ({
  ...working,
  lastUpdatedAt: `2026-01-01T00:00:0${second}Z`,
  statusMessage: `second ${second}`,
  ...more,
});

/** A wire with responses that the test sets, which counts requests. */
function wired() {
  const wire = {
    state: working,
    gets: 0,
    notify: (_: DetailedTask): void => {},
    hangUp: (): void => {},
    rejects: false,
  };
  const sides: TaskWire = {
    form: 'extension',
    async get() {
      wire.gets += 1;
      return wire.state;
    },
    async cancel() {},
    outcome: async () => ({}),
    async listen(onTask) {
      if (wire.rejects) throw new Error('not here');
      wire.notify = onTask;
      return {
        closed: new Promise((resolve) => {
          wire.hangUp = resolve;
        }),
      };
    },
  };
  const over = new AbortController();
  const watch = new TaskPoller({ signal: over.signal }, sides, working);
  const seen: string[] = [];
  const watcher = {
    changed: ({ status, statusMessage }: DetailedTask) => seen.push(statusMessage ?? status),
    failed: (error: Error) => seen.push(`failed: ${error.message}`),
  };
  return { wire, watch, watcher, seen };
}

describe('a polled task (TC-02)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is polled while there are watchers, once for all of them', async () => {
    const { wire, watch, watcher } = wired();
    wire.rejects = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wire.gets).toBe(0);
    const [one, other] = [watch.watch(watcher), watch.watch({ ...watcher })];
    await vi.advanceTimersByTimeAsync(10_000);
    const looks = wire.gets;
    expect(looks).toBeGreaterThan(8);
    expect(looks).toBeLessThan(18);
    one();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wire.gets).toBeGreaterThan(looks);
    other();
    const last = wire.gets;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wire.gets).toBe(last);
  });

  it('is polled rarely during a subscription, and as before after it', async () => {
    const { wire, watch, watcher, seen } = wired();
    watch.watch(watcher);
    await vi.advanceTimersByTimeAsync(3000);
    const before = wire.gets;
    await vi.advanceTimersByTimeAsync(12_000);
    expect(wire.gets).toBe(before);
    wire.notify(at(1));
    expect(seen).toEqual(['second 1']);
    wire.hangUp();
    await vi.advanceTimersByTimeAsync(5000);
    expect(wire.gets).toBeGreaterThan(before + 3);
  });

  it('ends with the notification of the server', async () => {
    const { wire, watch, watcher, seen } = wired();
    watch.watch(watcher);
    await vi.advanceTimersByTimeAsync(3000);
    const before = wire.gets;
    wire.notify(at(2, { status: 'cancelled' }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual(['second 2']);
    expect(wire.gets).toBe(before);
  });

  it('never goes back to an older state, or from a final one', async () => {
    const { wire, watch, watcher, seen } = wired();
    watch.watch(watcher);
    wire.state = at(5);
    await vi.advanceTimersByTimeAsync(3000);
    wire.notify(at(4));
    wire.notify(at(6, { status: 'cancelled' }));
    wire.notify(at(7));
    expect(seen).toEqual(['second 5', 'second 6']);
    expect(watch.task.status).toBe('cancelled');
  });

  it("follows answers even if the server's clock went back", async () => {
    const { wire, watch, watcher, seen } = wired();
    wire.rejects = true;
    watch.watch(watcher);
    wire.state = at(5);
    await vi.advanceTimersByTimeAsync(3000);
    wire.state = at(2, { status: 'input_required' });
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen).toEqual(['second 5', 'second 2']);
    wire.state = at(1);
    expect((await watch.refresh()).statusMessage).toBe('second 1');
  });

  it('prefers a notification that arrived during a poll', async () => {
    const { wire, watch, watcher, seen } = wired();
    watch.watch(watcher);
    await vi.advanceTimersByTimeAsync(3000);
    wire.state = at(1);
    const asked = watch.refresh();
    wire.notify(at(2));
    await asked;
    expect(seen).toEqual(['second 2']);
  });

  it('is given up when it expires without an outcome (TC-05)', async () => {
    const { wire, watch, watcher, seen } = wired();
    wire.state = { ...working, ttlMs: 5000 };
    watch.watch(watcher);
    await vi.advanceTimersByTimeAsync(4900);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(seen).toEqual([expect.stringContaining('is lost')]);
    const last = wire.gets;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wire.gets).toBe(last);
  });

  it('has more time when the server extends its lifetime', async () => {
    const { wire, watch, watcher, seen } = wired();
    wire.state = { ...working, ttlMs: 5000 };
    watch.watch(watcher);
    await vi.advanceTimersByTimeAsync(4000);
    wire.state = { ...working, ttlMs: 60_000 };
    await vi.advanceTimersByTimeAsync(30_000);
    expect(seen).toEqual([]);
  });
});

const even = { random: () => 0 };

describe('the polling delay (TC-02)', () => {
  it("is the server's interval, from the first poll on", () => {
    const pauses = [0, 1, 2, 50, 5000].map((looks) => pollDelay(looks, 1000, even));
    expect(pauses).toEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it('starts short and grows to a second without a server interval', () => {
    const pauses = [0, 1, 2, 3, 4, 50, 5000].map((looks) => pollDelay(looks, undefined, even));
    expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it('is clamped, whatever the server asks for', () => {
    expect(pollDelay(20, 1, even)).toBe(50);
    expect(pollDelay(99, Number.MAX_VALUE, even)).toBe(3_600_000);
  });

  it('is long during a subscription', () => {
    expect(pollDelay(0, 100, { ...even, isSubscribed: true })).toBe(15_000);
    expect(pollDelay(0, 20_000, { ...even, isSubscribed: true })).toBe(20_000);
  });

  it('has up to a tenth of jitter, and is never too short', () => {
    expect(pollDelay(20, 1000, { random: () => 0 })).toBe(1000);
    expect(pollDelay(20, 1000, { random: () => 0.999_999 })).toBe(1100);
  });
});
