import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { message, wait } from './fixtures/fetch-requests.ts';
import { testServer } from './fixtures/server.ts';
import { httpHandler } from './handler.ts';

describe('the defaults of a handler', () => {
  it('allow 2000 open streams', async () => {
    const handler = httpHandler(testServer().server);
    const listen = (): Promise<Response> => handler.fetch(message('subscriptions/listen', { notifications: {} }));
    const open = await Promise.all(Array.from({ length: 2000 }, listen));
    expect(open.every(({ status }) => status === 200)).toBe(true);
    expect((await listen()).status).toBe(503);
    await handler.close();
  });

  it('allow 4096 concurrent requests', async () => {
    const { server, gates } = testServer();
    const handler = httpHandler(server);
    const running = Array.from({ length: 4096 }, () => handler.fetch(wait('g')));
    await gates.reached('g');
    await setImmediate();
    const rejected = await handler.fetch(wait('g'));
    expect([rejected.status, await rejected.json()]).toMatchObject([
      503,
      { error: { message: 'Server busy: 4096 requests are running' } },
    ]);
    gates.open('g');
    expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
    await handler.close();
  });
});
