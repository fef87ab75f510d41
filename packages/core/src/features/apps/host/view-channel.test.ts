import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ViewChannel } from './view-channel.ts';

function conversation(
  serve: (method: string, params: object, signal: AbortSignal) => Promise<object> = async () => ({}),
) {
  const posted: Record<string, unknown>[] = [];
  const received: string[] = [];
  const problems: string[] = [];
  const talk = new ViewChannel({
    post: (message) => posted.push(message as unknown as Record<string, unknown>),
    onRequest: serve,
    onNotification: (method) => received.push(method),
    onMessage: undefined,
    onProblem: ({ message }) => problems.push(message),
    onFlood: () => problems.push('flooded'),
    messagesPerSecond: 1000,
  });
  return { talk, posted, received, problems };
}

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the channel to a view', () => {
  it('answers requests with their ids, and errors with their codes', async () => {
    const { talk, posted } = conversation(async (method) => {
      if (method === 'ping') return { pong: true };
      throw Object.assign(new Error('no'), { code: -32000 });
    });
    talk.receive(ping('a'));
    talk.receive({ jsonrpc: '2.0', id: 2, method: 'other' });
    await settled();
    expect(posted).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { pong: true } },
      { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'no' } },
    ]);
  });

  it.each([
    ['text', 'text'],
    ['a list', [ping(1)]],
    ['another version', { ...ping(1), jsonrpc: '1.0' }],
    ['params that are a list', { ...ping(1), params: [] }],
    ['an id that is an object', ping({})],
    ['too many levels', { ...ping(1), params: JSON.parse(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`) }],
    ['nothing', undefined],
  ])('rejects %s (AH-15)', async (_, message) => {
    const served: string[] = [];
    const { talk, problems, received } = conversation(async (method) => {
      served.push(method);
      return {};
    });
    talk.receive(message);
    await settled();
    expect(served).toEqual([]);
    expect(received).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  it('survives whatever a view may send (AH-15)', async () => {
    const { talk, received } = conversation();
    fc.assert(
      fc.property(fc.anything(), (message) => talk.receive(message)),
      { numRuns: 500 },
    );
    await settled();
    expect(received).toEqual([]);
  });

  it('limits concurrent requests, and rejects duplicate ids (AH-15)', async () => {
    const { talk, posted } = conversation(() => new Promise(() => {}));
    talk.receive(ping(0));
    talk.receive(ping(0));
    for (let id = 1; id < 70; id++) talk.receive(ping(id));
    await settled();
    expect(posted.map(({ id }) => id)).toEqual([0, 64, 65, 66, 67, 68, 69]);
    expect(posted).toMatchObject(posted.map(() => ({ error: { code: -32000 } })));
  });

  it('cancels a request of the view and sends no response', async () => {
    const aborted: unknown[] = [];
    const { talk, posted } = conversation(
      (_, __, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(aborted.push('a')))),
    );
    talk.receive(ping(1));
    talk.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    talk.receive(ping(2));
    talk.end(new Error('over'));
    await settled();
    expect(aborted).toHaveLength(2);
    await expect(talk.request('ping', {}, 1000)).rejects.toThrow('over');
    expect(posted).toEqual([]);
  });

  it('drops requests of the previous page when a new one reuses their ids', async () => {
    const answers: ((result: object) => void)[] = [];
    const { talk, posted } = conversation((method) =>
      method === 'ui/initialize' ? Promise.resolve({}) : new Promise((resolve) => answers.push(resolve)),
    );
    talk.receive(ping(1));
    talk.receive(ping(2));
    talk.receive({ jsonrpc: '2.0', id: 1, method: 'ui/initialize' });
    talk.receive(ping(2));
    await settled();
    answers.forEach((answer, index) => answer({ index }));
    await settled();
    expect(posted).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: { index: 2 } },
    ]);
  });

  it('sends requests with a timeout', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { talk, posted } = conversation();
    const first = talk.request('ping', {}, 100);
    talk.receive({ jsonrpc: '2.0', id: posted[0]?.id, result: { a: 1 } });
    expect(await first).toEqual({ a: 1 });
    const late = talk.request('ping', {}, 100).catch((error: Error) => error.message);
    vi.advanceTimersByTime(100);
    expect(await late).toBe('The view did not answer ping');
  });
});
