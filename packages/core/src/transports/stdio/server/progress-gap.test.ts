import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Responses } from '../../../server/receive.ts';
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
  return { gap, handedOn, hold: (reply: Responses) => gap.hold(reply, (late) => handedOn.push(late)) };
}

describe('the gap between progress and an answer', () => {
  it('is as long as it takes, counted from the last progress', () => {
    const { gap, hold, handedOn } = open();
    gap.note(1);
    vi.advanceTimersByTime(15);
    gap.note(1);
    vi.advanceTimersByTime(4);
    expect(hold(answer(1))).toBe(true);
    vi.advanceTimersByTime(15);
    expect(handedOn).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(handedOn).toEqual([answer(1)]);
  });

  it('is nothing where progress was told long enough ago', () => {
    const { gap, hold } = open();
    gap.note(1);
    vi.advanceTimersByTime(20);
    expect(hold(answer(1))).toBe(false);
  });

  it('is for the request that had the progress alone', () => {
    const { gap, hold } = open();
    expect(hold(answer(1))).toBe(false);
    gap.note('1');
    expect([hold(answer(1)), hold(undefined), hold(answer('1'))]).toEqual([false, false, true]);
  });

  it('holds a batch for the last progress of any of its requests', () => {
    const { gap, hold, handedOn } = open();
    gap.note(1);
    vi.advanceTimersByTime(3);
    gap.note(2);
    const batches = [[answer(1), answer(3)], [answer(1), answer(2), answer(3)], [answer(3)]];
    expect(batches.map(hold)).toEqual([true, true, false]);
    vi.advanceTimersByTime(17);
    expect(handedOn).toEqual([batches[0]]);
    vi.advanceTimersByTime(3);
    expect(handedOn).toEqual([batches[0], batches[1]]);
  });

  it('is forgotten when it is over, also of requests that are never answered', () => {
    const { gap, hold } = open();
    for (let id = 0; id < 5; id++) gap.note(id);
    vi.advanceTimersByTime(20);
    gap.note(5);
    expect([hold(answer(0)), hold(answer(4)), hold(answer(5))]).toEqual([false, false, true]);
  });

  it('ends for all that is kept back when it must, once', () => {
    const { gap, hold, handedOn } = open();
    for (const id of [1, 2]) {
      gap.note(id);
      hold(answer(id));
    }
    gap.letGo();
    gap.letGo();
    expect(handedOn).toEqual([answer(1), answer(2)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
