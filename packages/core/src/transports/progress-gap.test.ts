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
  const handedOn: Responses[] = [];
  /** Reports progress that is written immediately. */
  const tell = (request: string | number): void => {
    gap.note(request);
    gap.flush(() => {});
  };
  return { gap, tell, handedOn, hold: (reply: Responses) => gap.delay(reply, (late) => handedOn.push(late)) };
}

describe('the gap between progress and a response', () => {
  it('delays a response until the gap after the last progress has passed', async () => {
    const { tell, hold, handedOn } = open();
    tell(1);
    await vi.advanceTimersByTimeAsync(15);
    tell(1);
    await vi.advanceTimersByTimeAsync(4);
    expect(hold(answer(1))).toBe(true);
    await vi.advanceTimersByTimeAsync(15);
    expect(handedOn).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(handedOn).toEqual([answer(1)]);
  });

  it('does not delay a response whose progress was sent long ago', async () => {
    const { tell, hold } = open();
    tell(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(hold(answer(1))).toBe(false);
  });

  it('starts when progress is written, however long the handler blocked the process', async () => {
    const { gap, hold, handedOn } = open();
    gap.note(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(hold(answer(1))).toBe(true);
    gap.flush(() => expect(handedOn).toEqual([]));
    await vi.advanceTimersByTimeAsync(19);
    expect(handedOn).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(handedOn).toEqual([answer(1)]);
  });

  it('delays only the request that reported progress', () => {
    const { tell, hold } = open();
    expect(hold(answer(1))).toBe(false);
    tell('1');
    expect([hold(answer(1)), hold(undefined), hold(answer('1'))]).toEqual([false, false, true]);
  });

  it('delays a batch for the last progress of any of its requests', async () => {
    const { tell, hold, handedOn } = open();
    tell(1);
    await vi.advanceTimersByTimeAsync(3);
    tell(2);
    const batches = [[1, 3], [1, 2, 3], [3]].map((ids) => ids.map((id) => ({ id, json: '{}' })));
    expect(batches.map(hold)).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(17);
    expect(handedOn).toEqual([batches[0]]);
    await vi.advanceTimersByTimeAsync(3);
    expect(handedOn).toEqual([batches[0], batches[1]]);
  });

  it('frees its state after the gap, also for requests that are never answered', async () => {
    const { tell, hold } = open();
    for (let id = 0; id < 5; id++) tell(id);
    await vi.advanceTimersByTimeAsync(20);
    tell(5);
    expect([hold(answer(0)), hold(answer(4)), hold(answer(5))]).toEqual([false, false, true]);
  });

  it('releases all delayed responses on request, each once', () => {
    const { gap, tell, hold, handedOn } = open();
    for (const id of [1, 2]) {
      tell(id);
      hold(answer(id));
    }
    gap.releaseAll();
    gap.releaseAll();
    expect(handedOn).toEqual([answer(1), answer(2)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
