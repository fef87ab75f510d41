import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestId } from '../../jsonrpc/message.ts';
import { PendingRequests, initialTiming } from './pending-requests.ts';

const endless = Number.POSITIVE_INFINITY;

function openRequests(options?: { apart: boolean }) {
  const late: RequestId[] = [];
  let stopped = false;
  const requests = new PendingRequests(
    {
      onTimeout(id) {
        late.push(id);
        requests.take(id);
      },
      onAbort() {},
      isPaused: () => stopped,
    },
    options,
  );
  const add = (id: RequestId, timeoutMs: number, maxTimeoutMs = 600_000): void =>
    requests.add(id, {
      method: 'x',
      waiting: { timeoutMs, maxTimeoutMs },
      resolve() {},
      reject() {},
      ...initialTiming,
    });
  const stop = (on: boolean): void => {
    stopped = on;
  };
  return { requests, late, add, stop };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['with one timer for all', { apart: false }],
  ['with a timer for each', { apart: true }],
])('open requests, %s', (_, options) => {
  it('time out each after its own timeout, in any order', () => {
    const { late, add } = openRequests(options);
    add(1, 300);
    add(2, 100);
    add(3, 200, 150);
    vi.advanceTimersByTime(50);
    add(4, 100);
    vi.advanceTimersByTime(49);
    expect(late).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(late).toEqual([2]);
    vi.advanceTimersByTime(50);
    expect(new Set(late)).toEqual(new Set([2, 3, 4]));
    vi.advanceTimersByTime(149);
    expect(late).not.toContain(1);
    vi.advanceTimersByTime(1);
    expect(late).toContain(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that were answered do not time out, others do', () => {
    const { requests, late, add } = openRequests(options);
    add(1, 100);
    add(2, 100);
    requests.take(1);
    vi.advanceTimersByTime(100);
    expect(late).toEqual([2]);
  });

  it('do not time out while the clock is paused, up to the maximum', () => {
    const { late, add, stop } = openRequests(options);
    add(1, 100, 250);
    stop(true);
    vi.advanceTimersByTime(249);
    expect(late).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(late).toEqual([1]);
  });

  it('without a timeout need no timer', () => {
    const { late, add } = openRequests(options);
    add(1, endless, endless);
    add(2, 2 ** 31, endless);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2 ** 32);
    expect(late).toEqual([]);
  });

  it('leave no timer when all are rejected', () => {
    const { requests, add } = openRequests(options);
    add(1, 100);
    add(2, 200);
    requests.rejectAll(new Error('over'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the shared timer of requests', () => {
  it('is set once for consecutive requests', () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const { requests, add } = openRequests({ apart: false });
    for (let id = 1; id <= 100; id += 1) {
      add(id, 1000);
      requests.take(id);
    }
    expect(set).toHaveBeenCalledTimes(1);
    set.mockRestore();
  });

  it('is unreferenced while no request is pending', () => {
    vi.useRealTimers();
    const set = vi.spyOn(globalThis, 'setTimeout');
    const { requests, add } = openRequests({ apart: false });
    add(1, 10_000);
    const timer = set.mock.results[0]?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(true);
    add('listening', endless, endless);
    requests.take(1);
    expect(timer.hasRef()).toBe(false);
    add(2, 10_000);
    expect(timer.hasRef()).toBe(true);
    requests.rejectAll(new Error('over'));
    set.mockRestore();
  });
});
