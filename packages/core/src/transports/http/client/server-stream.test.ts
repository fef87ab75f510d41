import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events, type MadeResponse, makeResponse } from './fixtures/made-response.ts';
import { openServerStream } from './server-stream.ts';

interface Stood {
  asked: { lastEventId: string | undefined; at: number }[];
  taken: string[];
  warnings: string[];
  gone: number;
  ready: boolean;
  controller: AbortController;
}

/** Opens a stream whose connections are these, one after the other; then none ever answers. */
function stand(...connections: (MadeResponse | Error)[]): Stood {
  const controller = new AbortController();
  const stood: Stood = { asked: [], taken: [], warnings: [], gone: 0, ready: false, controller };
  const begun = Date.now();
  const opening = openServerStream({
    signal: controller.signal,
    maxMessage: 1000,
    open: async (lastEventId) => {
      stood.asked.push({ lastEventId, at: Date.now() - begun });
      const next = connections[stood.asked.length - 1] ?? new Promise<MadeResponse>(() => {});
      if (next instanceof Error) throw next;
      return next;
    },
    onData: (data) => stood.taken.push(data),
    warn: (text) => stood.warnings.push(text),
    onSessionLost: () => {
      stood.gone += 1;
    },
  });
  void opening.finally(() => {
    stood.ready = true;
  });
  return stood;
}

const times = ({ asked }: Stood): number[] => asked.map(({ at }) => at);

describe('the server stream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Pauses are as long as they can be.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('reconnects after the retry delay of the server, with the last event id', async () => {
    const stood = stand(
      events('id: e0\ndata:\n\n', 'id: e1\nretry: 300\ndata: a\n\n', 'data: b\n\n'),
      events('id: e2\ndata: c\n\n'),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stood).toMatchObject({ taken: ['a', 'b', 'c'], warnings: [], gone: 0, ready: true });
    expect(stood.asked).toEqual([
      { lastEventId: undefined, at: 0 },
      { lastEventId: 'e1', at: 300 },
      { lastEventId: 'e2', at: 600 },
    ]);
  });

  it('is awaited for at most a second', async () => {
    const stood = stand();
    await vi.advanceTimersByTimeAsync(999);
    expect(stood.ready).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(stood.ready).toBe(true);
  });

  it('is not awaited once it is open or unsupported', async () => {
    for (const connection of [events('data: a\n\n'), makeResponse(405)]) {
      const stood = stand(connection);
      await vi.advanceTimersByTimeAsync(0);
      expect(stood.ready).toBe(true);
      stood.controller.abort();
      await vi.advanceTimersByTimeAsync(0);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it.each([405, 404, 501])('may be unsupported: %i causes no warning', async (status) => {
    const response = makeResponse(status);
    const stood = stand(response);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stood).toMatchObject({ warnings: [], gone: 0 });
    expect(stood.asked).toHaveLength(1);
    expect(response.discarded).toBe(true);
  });

  it.each([
    ['400', makeResponse(400)],
    ['200', makeResponse(200, { 'content-type': 'text/html' })],
  ])('that is answered with %s is reported, and not asked for again', async (status, response) => {
    const stood = stand(response);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stood.warnings).toEqual([`The server's event stream could not be opened (${status})`]);
    expect([stood.asked.length, stood.gone]).toEqual([1, 0]);
  });

  it('reports a lost session on 404 after it was open', async () => {
    const stood = stand(events('data: a\n\n'), makeResponse(404));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stood).toMatchObject({ gone: 1, warnings: [] });
    expect(times(stood)).toEqual([0, 1000]);
  });

  it.each<[string, () => MadeResponse | Error]>([
    ['no connection', () => new Error('ECONNREFUSED')],
    ['500', () => makeResponse(500)],
    ['409', () => makeResponse(409)],
    ['429', () => makeResponse(429)],
  ])('is asked for ever more slowly after %s, but never less often than each half minute', async (_, failure) => {
    const stood = stand(...Array.from({ length: 7 }, failure), events('data: a\n\n'), failure());
    await vi.advanceTimersByTimeAsync(200_000);
    const pauses = times(stood).map((at, i, all) => at - (all[i - 1] ?? 0));
    expect(pauses).toEqual([0, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 1000, 2000]);
    expect(stood).toMatchObject({ taken: ['a'], warnings: [], gone: 0 });
  });

  it('honours a long retry delay of the server', async () => {
    const stood = stand(events('retry: 60000\ndata: a\n\n'), makeResponse(500));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(times(stood)).toEqual([0, 60_000, 120_000]);
  });

  it('reconnects with a minimum delay', async () => {
    const stood = stand(...Array.from({ length: 1000 }, () => events('retry: 0\ndata: a\n\n')));
    await vi.advanceTimersByTimeAsync(10_000);
    stood.controller.abort();
    expect(stood.asked).toHaveLength(101);
  });

  it('backs off if the server closes it at once', async () => {
    const stood = stand(events('retry: 0\n\n'), ...Array.from({ length: 1000 }, () => events()));
    await vi.advanceTimersByTimeAsync(120_000);
    stood.controller.abort();
    expect(stood.asked.length).toBeLessThan(35);
  });

  it('stops with the signal, also during a delay', async () => {
    const stood = stand(events('data: a\n\n'), events('data: b\n\n'));
    await vi.advanceTimersByTimeAsync(500);
    stood.controller.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stood).toMatchObject({ taken: ['a'] });
    expect(stood.asked).toHaveLength(1);
    const late = stand(makeResponse(400));
    late.controller.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(late.warnings).toEqual([]);
  });
});
