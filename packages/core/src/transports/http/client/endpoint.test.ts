import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../client/connect.ts';
import { MethodTable } from '../../../protocol/methods.ts';
import { Endpoint } from './endpoint.ts';
import { answer, scripted } from './fixtures/scripted.ts';
import { MessagePoster } from './message-poster.ts';
import { httpTransport } from './transport.ts';

describe('a message of the server', () => {
  it('may have 64 Mi characters, or as many as maxMessage allows', async () => {
    expect(new Endpoint('http://a.example/', {}).maxMessage).toBe(64 * 1024 * 1024);
    const { url } = await scripted(({ method, id }, response) =>
      method === 'x/y' ? answer(response, id, { text: 'x'.repeat(300) }) : undefined,
    );
    const client = await connect(httpTransport(url, { maxMessage: 300 }));
    onTestFinished(() => client.close());
    await expect(client.request('x/y')).rejects.toThrow('The answer is longer than 300 bytes');
  });
});

describe('ending a session at a server that does not respond', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ['two seconds', undefined, 2000],
    ['the grace period given', 100, 100],
  ])('takes %s for what is still being sent', async (_time, graceMs, most) => {
    const signals: AbortSignal[] = [];
    const never = (_: URL, { signal }: { signal: AbortSignal }): Promise<Response> => {
      signals.push(signal);
      return new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const posting = new MessagePoster(new Endpoint('http://a.example/', { fetch: never as unknown as typeof fetch }), {
      receiver: {
        methods: new MethodTable(),
        receive: () => {},
        warn: () => {},
        sessionLost: () => {},
        closed: () => {},
      },
      sessionLost: () => {},
      sendOverSse: async () => false,
    });
    const request = posting.post({ jsonrpc: '2.0', id: 1, method: 'x/y' });
    const notice = posting.post({ jsonrpc: '2.0', method: 'notifications/x' });
    await vi.advanceTimersByTimeAsync(0);
    let isOver = false;
    const finished = posting.close(graceMs).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(most - 1);
    expect([isOver, ...signals.map(({ aborted }) => aborted)]).toEqual([false, true, false]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([finished, request, notice]);
    expect(isOver).toBe(true);
  });
});
