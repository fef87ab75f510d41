import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Responses } from '../server/call/encode-responses.ts';
import { createProgressGap } from './progress-gap.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 1000 });
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

const answer = (id: string | number) => ({ jsonrpc: '2.0', id, result: {} }) as const;

function open() {
  const gap = createProgressGap();
  const released: Responses[] = [];
  /** Reports progress that is written immediately. */
  const reportProgress = (request: string | number): void => {
    gap.note(request);
    gap.flush(() => {});
  };
  return {
    gap,
    reportProgress,
    released,
    delay: (reply: Responses) => gap.delay(reply, (late) => released.push(late)),
  };
}

describe('the gap between progress and a response', () => {
  it('delays a response until the gap after the last progress has passed', async () => {
    const { reportProgress, delay, released } = open();
    reportProgress(1);
    await vi.advanceTimersByTimeAsync(15);
    reportProgress(1);
    await vi.advanceTimersByTimeAsync(4);
    expect(delay(answer(1))).toBe(true);
    await vi.advanceTimersByTimeAsync(15);
    expect(released).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(released).toEqual([answer(1)]);
  });

  it('does not delay a response whose progress was sent long ago', async () => {
    const { reportProgress, delay } = open();
    reportProgress(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(delay(answer(1))).toBe(false);
  });

  it('starts when progress is written, however long the handler blocked the process', async () => {
    const { gap, delay, released } = open();
    gap.note(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(delay(answer(1))).toBe(true);
    gap.flush(() => expect(released).toEqual([]));
    await vi.advanceTimersByTimeAsync(19);
    expect(released).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(released).toEqual([answer(1)]);
  });

  it('delays only the request that reported progress', () => {
    const { reportProgress, delay } = open();
    expect(delay(answer(1))).toBe(false);
    reportProgress('1');
    expect([delay(answer(1)), delay(undefined), delay(answer('1'))]).toEqual([false, false, true]);
  });

  it('delays a batch for the last progress of any of its requests', async () => {
    const { reportProgress, delay, released } = open();
    reportProgress(1);
    await vi.advanceTimersByTimeAsync(3);
    reportProgress(2);
    const batches = [[1, 3], [1, 2, 3], [3]].map((ids) => ids.map((id) => ({ id, json: '{}' })));
    expect(batches.map(delay)).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(17);
    expect(released).toEqual([batches[0]]);
    await vi.advanceTimersByTimeAsync(3);
    expect(released).toEqual([batches[0], batches[1]]);
  });

  it('frees its state after the gap, also for requests that are never answered', async () => {
    const { reportProgress, delay } = open();
    for (let id = 0; id < 5; id++) reportProgress(id);
    await vi.advanceTimersByTimeAsync(20);
    reportProgress(5);
    expect([delay(answer(0)), delay(answer(4)), delay(answer(5))]).toEqual([false, false, true]);
  });

  it('releases all delayed responses on request, each once', () => {
    const { gap, reportProgress, delay, released } = open();
    for (const id of [1, 2]) {
      reportProgress(id);
      delay(answer(id));
    }
    gap.releaseAll();
    gap.releaseAll();
    expect(released).toEqual([answer(1), answer(2)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
