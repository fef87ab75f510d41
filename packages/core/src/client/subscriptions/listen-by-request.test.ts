import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notification, Request } from '../../jsonrpc/message.ts';
import { ConnectionError, HttpError } from '../errors.ts';
import { type Scripted, scripted, silent } from '../fixtures/scripted.ts';

const meta = (id: unknown): object => ({ 'io.modelcontextprotocol/subscriptionId': id });
const notice = (method: string, id: unknown, params: object = {}): Notification => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params: { ...params, _meta: meta(id) },
});
const wants = { toolsListChanged: true, resourceSubscriptions: ['a:b'] };

interface Listening extends Scripted {
  /** The requests to listen, in order. */
  asked: Request[];
  acknowledge: (request?: Request) => void;
}

/** A server that ignores subscription requests, or answers them as the test wants. */
async function reach(
  answer: (request: Request, nth: number) => object | undefined = () => undefined,
): Promise<Listening> {
  const asked: Request[] = [];
  const reached = await scripted(
    (request) => {
      if (request.method !== 'subscriptions/listen') return undefined;
      return answer(request, asked.push(request)) ?? silent;
    },
    { era: 'stateless', timeoutMs: 1000 },
  );
  const acknowledge = (request = asked.at(-1)): void =>
    reached.say(notice('subscriptions/acknowledged', request?.id, { notifications: wants }));
  return { ...reached, asked, acknowledge };
}

const filter = { tools: true, prompts: false, uris: ['a:b'] };
const sentListen = (message: object): boolean => 'method' in message && message.method === 'subscriptions/listen';

describe('listening with subscriptions/listen', () => {
  beforeEach(() => {
    // Not immediate ones: one process runs many files, and timers of others would be counted.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('resolves with the acknowledgement, and delivers its own notifications', async () => {
    const { client, asked, say, acknowledge, waitForSent } = await reach();
    const received: unknown[] = [];
    const timers = vi.getTimerCount();
    const listening = client.listen(filter, { onChange: (change) => received.push(change) });
    await waitForSent(sentListen);
    await vi.advanceTimersByTimeAsync(0);
    say(notice('subscriptions/acknowledged', 'other', { notifications: {} }));
    acknowledge();
    const subscription = await listening;
    expect(vi.getTimerCount()).toBe(timers);
    expect(asked[0]?.params?.notifications).toEqual(wants);
    expect(subscription.honoured).toEqual({ tools: true, uris: ['a:b'] });
    say(notice('tools/list_changed', 'other'));
    say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    say(notice('resources/updated', asked[0]?.id, { uri: 'a:b/c' }));
    expect(received).toEqual([{ kind: 'resource', uri: 'a:b/c' }]);
    const read = subscription[Symbol.asyncIterator]();
    expect((await read.next()).value).toEqual({ kind: 'resource', uri: 'a:b/c' });
    await subscription.close();
    say(notice('tools/list_changed', asked[0]?.id));
    expect(received).toHaveLength(1);
    expect((await read.next()).done).toBe(true);
  });

  it('never times out', async () => {
    const { client, acknowledge } = await reach();
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const subscription = await listening;
    let over = false;
    const end = (): void => {
      over = true;
    };
    subscription.closed.then(end, end);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    expect(over).toBe(false);
  });

  it('ends when the client is closed, without a retry', async () => {
    const { client, acknowledge, asked } = await reach();
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const { closed } = await listening;
    await client.close();
    await expect(closed).rejects.toThrow('The client is closed');
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the connection', async () => {
    const { client, acknowledge, end } = await reach();
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const { closed } = await listening;
    end(new ConnectionError('The server ended'));
    await expect(closed).rejects.toThrow('The server ended');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects if the server does not acknowledge in time', async () => {
    const { client } = await reach();
    const failed = client.listen(filter).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(999);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({
      name: 'TimeoutError',
      message: 'The server did not confirm the subscription',
    });
  });

  it('rejects if the server rejects it, or ends it before the acknowledgement', async () => {
    const rejecting = await reach(() => ({ error: { code: -32601, message: 'Unknown' } }));
    await expect(rejecting.client.listen(filter)).rejects.toMatchObject({ code: -32601 });
    const ending = await reach(() => ({}));
    await expect(ending.client.listen(filter)).rejects.toThrow('The server ended the subscription before it started');
  });

  it('closes without an error if the server or the caller ends it', async () => {
    const { client, asked, say, acknowledge, waitForSent } = await reach();
    const first = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    say({ jsonrpc: '2.0', id: asked[0]?.id ?? 0, result: {} });
    await (await first).closed;
    const controller = new AbortController();
    const second = client.listen(filter, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const subscription = await second;
    controller.abort();
    await subscription.closed;
    const cancelled = await waitForSent(
      (message) => 'method' in message && message.method === 'notifications/cancelled',
    );
    expect(cancelled).toMatchObject({ params: { requestId: asked[1]?.id, reason: 'The subscription is closed' } });
    await expect(client.listen(filter, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a broken connection', new ConnectionError('broke')],
    ['a server error', new HttpError(500, 'Out of order')],
    ['too many requests', new HttpError(429, 'Slow down')],
  ])('retries after %s, with growing delays, at most five times', async (_, failure) => {
    const { breakOff, first } = breakable();
    const { client, asked, acknowledge } = await reach((__, nth) => (nth === 1 ? first : failure));
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const broken = (await listening).closed.catch((error: Error) => error);
    breakOff(failure);
    await vi.advanceTimersByTimeAsync(0);
    for (const [nth, pauseMs] of [250, 500, 1000, 2000, 4000].entries()) {
      await vi.advanceTimersByTimeAsync(pauseMs - 1);
      expect(asked).toHaveLength(nth + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(nth + 2);
    }
    expect(await broken).toBe(failure);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(6);
  });

  it('reports everything as changed after a reconnect, and resets its retries', async () => {
    const { breakOff, first } = breakable();
    const second = breakable();
    const { client, asked, acknowledge, say } = await reach((_, nth) => [first, second.first][nth - 1]);
    const received: unknown[] = [];
    const listening = client.listen(filter, { onChange: (change) => received.push(change) });
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    await listening;
    breakOff(new ConnectionError('broke'));
    await vi.advanceTimersByTimeAsync(250);
    expect(received).toEqual([]);
    acknowledge();
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual([{ kind: 'tools' }, { kind: 'resource', uri: 'a:b' }]);
    say(notice('tools/list_changed', asked[0]?.id));
    expect(received).toHaveLength(2);
    say(notice('tools/list_changed', asked[1]?.id));
    expect(received).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(5000);
    second.breakOff(new ConnectionError('broke again'));
    await vi.advanceTimersByTimeAsync(250);
    expect(asked).toHaveLength(3);
  });

  it('stops if the server acknowledges and disconnects repeatedly', async () => {
    const begun: ReturnType<typeof breakable>[] = [];
    const { client, asked, acknowledge } = await reach(() => {
      const one = breakable();
      begun.push(one);
      return one.first;
    });
    const listening = client.listen({ tools: true });
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const { closed } = await listening;
    const outcome = closed.catch((error: Error) => error);
    for (let nth = 0; nth < 500; nth += 1) {
      acknowledge();
      begun.at(-1)?.breakOff(new ConnectionError('broken off'));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(await Promise.race([outcome, Promise.resolve('still listening')])).toMatchObject({ message: 'broken off' });
    expect(asked).toHaveLength(6);
  });

  it('does not retry after a permanent error', async () => {
    const { breakOff, first } = breakable();
    const { client, asked, acknowledge } = await reach(() => first);
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const subscription = await listening;
    breakOff(new HttpError(404, 'Gone'));
    await expect(subscription.closed).rejects.toThrow('Gone');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
  });

  it('does not reconnect after it was closed', async () => {
    const { breakOff, first } = breakable();
    const { client, asked, acknowledge } = await reach(() => first);
    const listening = client.listen(filter);
    await vi.advanceTimersByTimeAsync(0);
    acknowledge();
    const subscription = await listening;
    breakOff(new ConnectionError('broke'));
    await vi.advanceTimersByTimeAsync(100);
    await subscription.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
  });
});

/** A response that never arrives, until the connection breaks. */
function breakable(): { first: Promise<never>; breakOff: (failure: Error) => void } {
  let breakOff = (_: Error): void => {};
  const first = new Promise<never>((_, reject) => {
    breakOff = reject;
  });
  return { first, breakOff: (failure) => breakOff(failure) };
}
