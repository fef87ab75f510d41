import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { engineOf } from '../../../server/server-handle.ts';
import { message, wait } from './fixtures/fetch-requests.ts';
import { post } from './fixtures/client.ts';
import { stopClock } from './fixtures/clock.ts';
import { readEvents } from './fixtures/events.ts';
import { testServer } from './fixtures/server.ts';
import { start } from './fixtures/start.ts';
import { watchedStore } from './fixtures/watched-store.ts';
import { httpHandler } from './handler.ts';

it('rejects unknown options', () => {
  const make = (options: object) => () => httpHandler(testServer().server, options);
  expect(make({ authentication: [] })).toThrow('httpHandler has no option "authentication": did you mean "auth"?');
  expect(make({ port: 3000 })).toThrow('httpHandler has no option "port": it has ');
});

describe('the store of a handler', () => {
  it('stays open when the handler is closed, if it was given', async () => {
    const { store } = watchedStore();
    const close = vi.spyOn(store, 'close');
    await httpHandler(testServer().server, { store }).close();
    expect(close).not.toHaveBeenCalled();
  });

  it('gets changes of this instance until the handler is closed', async () => {
    const { store } = watchedStore();
    const publish = vi.spyOn(store, 'publish');
    const { server } = testServer();
    const handler = httpHandler(server, { store });
    await setImmediate();
    server.tools.remove('big');
    await vi.waitFor(() => expect(publish).toHaveBeenCalledTimes(1));
    await handler.close();
    server.prompts.remove('greet');
    await setImmediate();
    expect([publish.mock.calls.length, engineOf(server).feed.size]).toEqual([1, 0]);
  });

  it.each(['subscribe', 'publish'] as const)('that fails to %s is reported, and the server serves on', async (what) => {
    const { store } = watchedStore(() => ({
      [what]: (topic: string) => {
        if (topic === 'changes') throw new Error('The store is away');
      },
    }));
    const { url, server, log } = await start({ store });
    await setImmediate();
    server.tools.remove('big');
    await vi.waitFor(() =>
      expect(log).toMatchObject([{ data: 'The shared store failed', error: { message: 'The store is away' } }]),
    );
    if (what === 'publish') expect((await fetch(url)).status).toBe(405);
  });
});

describe('the defaults of a handler', () => {
  it('allow a body of 1 MiB', async () => {
    const { url } = await start();
    const status = async (length: number): Promise<number> => {
      const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      return (await post(url, text.padEnd(length))).status;
    };
    expect([await status(1024 * 1024), await status(1024 * 1024 + 1)]).toEqual([200, 413]);
  });

  it('send keep-alive comments every 15 seconds', async () => {
    const handler = httpHandler(testServer().server);
    const pass = stopClock();
    const response = await handler.fetch(message('subscriptions/listen', { notifications: {} }));
    const events = readEvents(response);
    await events.next();
    let received = false;
    const comment = events.nextLine().finally(() => {
      received = true;
    });
    await pass(14_999);
    await setImmediate();
    expect(received).toBe(false);
    await pass(1);
    expect(await comment).toEqual({ comment: 'keep-alive' });
    await handler.close();
  });

  it('drain requests for 5 seconds, and aborted ones for half a second', async () => {
    const { server, gates } = testServer();
    const handler = httpHandler(server);
    const running = handler.fetch(wait('g'));
    await gates.reached('g');
    const deaf = httpHandler(server, { auth: { authenticate: () => new Promise(() => {}) } });
    void deaf.fetch(wait('h'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const done: string[] = [];
    const closing = [
      handler.close().finally(() => done.push('one that listens')),
      deaf.close().finally(() => done.push('one that does not')),
    ];
    await vi.advanceTimersByTimeAsync(4999);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await running).text()).toContain('The server was shut down before the request was done');
    await closing[0];
    await vi.advanceTimersByTimeAsync(499);
    expect(done).toEqual(['one that listens']);
    await vi.advanceTimersByTimeAsync(1);
    await closing[1];
    expect(done).toHaveLength(2);
  });
});
