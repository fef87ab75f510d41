import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handshake } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import type { EventReader, WireMessage } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { sharedUrl } from '../../packages/redis/src/fixtures/redis.ts';
import { type Instance, startInstance, stopInstances } from './fixtures/instances.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** The next message of a method, skipping others. */
async function receive(events: EventReader, method: string): Promise<WireMessage | undefined> {
  for (;;) {
    const message = await events.message();
    if (message === undefined || message.method === method) return message;
  }
}

describe.skipIf(sharedUrl === undefined)('a change on one of two instances with Redis', () => {
  let one: Instance;
  let two: Instance;

  beforeAll(async () => {
    const redis = { url: sharedUrl ?? '', prefix: `changes-${process.pid}-${Date.now()}` };
    [one, two] = await Promise.all([startInstance({ name: 'one', redis }), startInstance({ name: 'two', redis })]);
  });

  afterAll(stopInstances);

  describe.each(versions)('reaches a session of %s on the other (MI-03)', (version) => {
    const places = [
      { where: 'that has everything there', begun: 'two', watched: 'two' },
      { where: 'that was begun here, and listens there', begun: 'one', watched: 'two' },
      { where: 'that subscribed here, and listens there', begun: 'two', watched: 'one' },
    ] as const;

    it.each(places)('$where', async ({ begun, watched }) => {
      const at = { one: one.url, two: two.url };
      const session = await handshake(at[begun], { version, headers: { 'MCP-Protocol-Version': version } });
      const events = await session.listen({}, { url: at.two });
      const subscribed = await session.request('resources/subscribe', { uri: 'test://1' }, { url: at[watched] });
      expect(subscribed).toMatchObject({ result: {} });

      expect(await one.call('change', { first: 1, count: 1 })).toBe('one');
      expect(await receive(events, 'notifications/resources/updated')).toMatchObject({ params: { uri: 'test://1' } });
      expect(await one.call('grow')).toBe('one');
      expect(await receive(events, 'notifications/tools/list_changed')).toBeDefined();
      await events.cancel();
      await session.end();
    });

    it('that subscribed there before it opened its stream', async () => {
      const session = await handshake(two.url, { version, headers: { 'MCP-Protocol-Version': version } });
      expect(await session.request('resources/subscribe', { uri: 'test://2' })).toMatchObject({ result: {} });
      const events = await session.listen();
      expect(await one.call('change', { first: 2, count: 1 })).toBe('one');
      expect(await receive(events, 'notifications/resources/updated')).toMatchObject({ params: { uri: 'test://2' } });
      await events.cancel();
      await session.end();
    });
  });
});
