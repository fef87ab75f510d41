import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { engineOf } from '../../../server/server-of-engine.ts';
import { testServer } from './fixtures/server.ts';
import { start } from './fixtures/start.ts';
import { watched } from './fixtures/watched-store.ts';
import { httpHandler } from './handler.ts';

describe('the store of a handler', () => {
  it('that was given stays open when the handler is closed', async () => {
    const { store } = watched();
    const close = vi.spyOn(store, 'close');
    await httpHandler(testServer().server, { store }).close();
    expect(close).not.toHaveBeenCalled();
  });

  it('that others share is told of changes here, and no more when the handler is closed', async () => {
    const { store } = watched();
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
    const { store } = watched(() => ({
      [what]: (topic: string) => {
        if (topic === 'changes') throw new Error('The store is away');
      },
    }));
    const { url, server, log } = await start({ store });
    await setImmediate();
    server.tools.remove('big');
    await vi.waitFor(() =>
      expect(log).toMatchObject([
        { data: 'Changes could not be told to other instances', error: { message: 'The store is away' } },
      ]),
    );
    if (what === 'publish') expect((await fetch(url)).status).toBe(405);
  });
});
