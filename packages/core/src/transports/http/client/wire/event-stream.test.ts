import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError } from '../../../../client/errors.ts';
import { events, type MadeResponse, makeResponse } from '../fixtures/made-response.ts';
import { followStream } from './event-stream.ts';

interface Followed {
  asked: { lastEventId: string | undefined; at: number }[];
  taken: string[];
  controller: AbortController;
  outcome: Promise<unknown>;
}

function follow(
  first: MadeResponse,
  resumed: (MadeResponse | Error)[] | undefined,
  isDone = (_: string[]): boolean => false,
): Followed {
  const begun = Date.now();
  const taken: string[] = [];
  const asked: Followed['asked'] = [];
  const controller = new AbortController();
  const following = followStream(first, {
    signal: controller.signal,
    maxMessage: 1000,
    onData: (data) => taken.push(data),
    isDone: () => isDone(taken),
    ...(resumed !== undefined && {
      resume: async (lastEventId: string | undefined) => {
        asked.push({ lastEventId, at: Date.now() - begun });
        const next = resumed[asked.length - 1] ?? new ConnectionError('none left');
        if (next instanceof Error) throw next;
        return next;
      },
    }),
  });
  return {
    asked,
    taken,
    controller,
    outcome: following.then(
      () => 'done',
      (error: Error) => error,
    ),
  };
}

const lost = 'The stream ended before the answer came';
const until =
  (data: string) =>
  (taken: string[]): boolean =>
    taken.includes(data);

describe('followStream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Pauses are as long as they can be.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('reads a stream to its end', async () => {
    const { outcome, taken } = follow(events('data: a\n\n', 'data: b\n\n'), undefined, until('a'));
    expect(await outcome).toBe('done');
    expect(taken).toEqual(['a', 'b']);
  });

  it('throws with the cause if the stream breaks and can not be resumed', async () => {
    const cause = new Error('reset');
    expect(await follow(events('id: e1\ndata: a\n\n', cause), undefined).outcome).toMatchObject({
      message: lost,
      cause,
    });
    const { outcome, asked } = follow(events('data: a\n\n'), []);
    expect(await outcome).toMatchObject({ name: 'ConnectionError', message: lost, cause: undefined });
    expect(asked).toEqual([]);
  });

  it('resumes after the last event, with the retry delay of the server', async () => {
    const { outcome, asked, taken } = follow(
      events('id: e0\ndata:\n\n', 'id: e1\nretry: 300\ndata: a\n\n', 'id: e2\ndata: b\n\n', new Error('reset')),
      [events('data: c\n\n'), events('id: e3\ndata: d\n\n')],
      until('d'),
    );
    await vi.advanceTimersByTimeAsync(600);
    expect(await outcome).toBe('done');
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual([
      { lastEventId: 'e2', at: 300 },
      { lastEventId: 'e2', at: 600 },
    ]);
  });

  it.each<[string, () => MadeResponse | Error]>([
    ['no connection', () => new ConnectionError('refused')],
    ['503', () => makeResponse(503)],
    ['500', () => makeResponse(500)],
    ['409', () => makeResponse(409)],
  ])('is tried five times after %s, ever more slowly', async (_, failure) => {
    const { outcome, asked } = follow(events('id: e1\ndata: a\n\n'), Array.from({ length: 9 }, failure));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ message: lost });
    expect(asked.map(({ at }) => at)).toEqual([1000, 3000, 7000, 15_000, 31_000]);
  });

  it('backs off up to half a minute, unless the server sets more', async () => {
    const failing = Array.from({ length: 5 }, () => makeResponse(500));
    const { asked } = follow(events('id: e1\nretry: 20000\ndata: a\n\n'), failing);
    const slow = follow(events('id: e1\nretry: 60000\ndata: a\n\n'), [events('data: b\n\n')], until('b'));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(asked.map(({ at }) => at)).toEqual([20_000, 50_000, 80_000, 110_000, 140_000]);
    expect(slow.asked.map(({ at }) => at)).toEqual([60_000]);
  });

  it('resets its retries after an event', async () => {
    const down = (): MadeResponse[] => Array.from({ length: 4 }, () => makeResponse(500));
    const { outcome, asked } = follow(
      events('id: e1\nretry: 1\ndata: a\n\n'),
      [...down(), events('data: b\n\n'), ...down(), events('data: c\n\n')],
      until('c'),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toBe('done');
    expect(asked).toHaveLength(10);
  });

  it('throws at once if the server rejects the resume', async () => {
    for (const response of [makeResponse(404), makeResponse(200, { 'content-type': 'application/json' })]) {
      const { outcome } = follow(events('id: e1\nretry: 1\ndata: a\n\n'), [response]);
      await vi.advanceTimersByTimeAsync(100);
      expect(await outcome).toMatchObject({
        name: 'HttpError',
        status: response.status,
        message: `The answer is lost: its stream could not be resumed (${response.status})`,
      });
      expect(response.discarded).toBe(true);
    }
    const odd = follow(events('id: e1\nretry: 1\ndata: a\n\n'), [new TypeError('mistake')]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await odd.outcome).toBeInstanceOf(TypeError);
  });

  it('reconnects with a minimum delay', async () => {
    const again = Array.from({ length: 1000 }, () => events('id: e2\nretry: 0\ndata: b\n\n'));
    const { asked, controller } = follow(events('id: e1\nretry: 0\ndata: a\n\n'), again);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.abort();
    expect(asked).toHaveLength(100);
  });

  it('backs off if the server closes it at once', async () => {
    const again = Array.from({ length: 1000 }, () => events('id: e2\n\n'));
    const { asked, controller } = follow(events('id: e1\nretry: 0\n\n'), again);
    await vi.advanceTimersByTimeAsync(120_000);
    controller.abort();
    const pauses = asked.map(({ at }, index) => at - (asked[index - 1]?.at ?? 0));
    expect(pauses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 100));
    expect(pauses.slice(20, 30)).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('stops with the signal, also during a delay', async () => {
    const { outcome, asked, controller } = follow(events('id: e1\ndata: a\n\n'), [events()]);
    await vi.advanceTimersByTimeAsync(500);
    controller.abort();
    expect(await outcome).toBe('done');
    expect(asked).toEqual([]);
  });

  it('limits the length of events', async () => {
    const { outcome } = follow(events(`data: ${'x'.repeat(1001)}\n\n`), undefined);
    expect(await outcome).toMatchObject({
      cause: { message: 'An event of the stream is longer than 1000 characters' },
    });
  });
});
