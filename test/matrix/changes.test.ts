import { expect } from 'vitest';
import { prompt, type Server, tool } from '@ccmcp/core';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere, feature, only, textWires, pipes } from './cells.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const acknowledged = 'notifications/subscriptions/acknowledged';

/** Changes each of the three lists, some of them repeatedly. */
function changeEverything(server: Server): void {
  server.tools.add(tool('new', {}, () => 'new'));
  server.tools.remove('add');
  server.prompts.add(prompt('new', {}, () => 'new'));
  server.resources.remove('text://hello');
  server.templates.remove('note://{id}');
}

async function listen(client: Client, notifications: object, id: string | number = 'ear'): Promise<unknown> {
  client.post('subscriptions/listen', { notifications }, id);
  return (await client.readNotification(acknowledged)).params;
}

/** Messages other than responses and acknowledgements. */
function notificationsOf(client: Client): unknown[] {
  return client.received
    .filter(({ method }) => method !== undefined && method !== acknowledged)
    .map(({ method, params }) => ({ method, params }));
}

feature('a change of the lists', {
  '2024-11-05': [
    'is sent once to each client that shook hands, after it said that it is ready (S-T-02)',
    async ({ open, connect, server }) => {
      const early = open();
      early.post('initialize', { protocolVersion: early.options.version, capabilities: {} }, 'hello');
      await early.answerTo('hello');
      const [client, other] = [await connect(), await connect()];
      await client.request('tools/list');
      await other.request('tools/list');
      changeEverything(server);
      for (const kind of ['tools', 'prompts', 'resources']) {
        await client.readNotification(`notifications/${kind}/list_changed`);
        await other.readNotification(`notifications/${kind}/list_changed`);
      }
      const { tools } = await client.request('tools/list');
      expect(tools.map(({ name }: { name: string }) => name)).toContain('new');
      expect(tools.map(({ name }: { name: string }) => name)).not.toContain('add');
      expect(notificationsOf(client)).toEqual([
        { method: 'notifications/tools/list_changed' },
        { method: 'notifications/prompts/list_changed' },
        { method: 'notifications/resources/list_changed' },
      ]);
      await early.sendRequest('ping');
      expect(notificationsOf(early)).toEqual([]);
    },
  ],
  '2026-07-28': [
    'is sent only to who listens for it, tagged with the id of the listen (S-U-02, S-U-03, S-U-06, S-U-07)',
    async ({ connect, server }) => {
      const [client, deaf, partial] = [await connect(), await connect(), await connect()];
      const filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
      await listen(client, filter, 7);
      await listen(partial, { promptsListChanged: true, toolsListChanged: false }, '7');
      changeEverything(server);
      const _meta = { [subscriptionId]: 7 };
      for (const kind of ['tools', 'prompts', 'resources']) {
        const { params } = await client.readNotification(`notifications/${kind}/list_changed`);
        expect(params).toEqual({ _meta });
      }
      await partial.readNotification('notifications/prompts/list_changed');
      await partial.request('tools/list');
      expect(notificationsOf(client)).toHaveLength(3);
      expect(notificationsOf(partial)).toEqual([
        { method: 'notifications/prompts/list_changed', params: { _meta: { [subscriptionId]: '7' } } },
      ]);
      await deaf.request('tools/list');
      expect(notificationsOf(deaf)).toEqual([]);
    },
  ],
});

feature('a subscription to a resource', {
  '2024-11-05': [
    'tells of its updates until it is ended (S-R-07)',
    async ({ connect, server }) => {
      const client = await connect();
      const uri = 'text://hello';
      expect((await client.sendRequest('resources/subscribe', { uri })).result).toEqual({});
      expect((await client.sendRequest('resources/subscribe', { uri: 'note://a' })).result).toEqual({});
      server.resources.updated('data://json');
      server.resources.updated(uri);
      server.resources.updated(uri);
      server.resources.updated('note://a');
      await client.readNotification('notifications/resources/updated');
      await client.readNotification('notifications/resources/updated');
      expect((await client.sendRequest('resources/unsubscribe', { uri })).result).toEqual({});
      server.resources.updated(uri);
      await client.sendRequest('ping');
      expect(notificationsOf(client)).toEqual([
        { method: 'notifications/resources/updated', params: { uri } },
        { method: 'notifications/resources/updated', params: { uri: 'note://a' } },
      ]);
      expectError(await client.sendRequest('resources/subscribe', { uri: 'text://nowhere' }), -32002);
      expectError(await client.sendRequest('resources/subscribe', {}), -32602);
      expectError(await client.sendRequest('resources/unsubscribe', { uri: 3 }), -32602);
    },
  ],
  '2026-07-28': [
    'is part of a listen (S-U-03)',
    async ({ connect, server }) => {
      const client = await connect();
      const uri = 'text://hello';
      await listen(client, { resourceSubscriptions: [uri, 'note://a'] });
      server.resources.updated('data://json');
      server.resources.updated(uri);
      server.resources.updated(uri);
      const { params } = await client.readNotification('notifications/resources/updated');
      expect(params).toEqual({ uri, _meta: { [subscriptionId]: 'ear' } });
      await client.request('tools/list');
      expect(notificationsOf(client)).toHaveLength(1);
    },
  ],
});

everywhere(
  'a client that is gone is sent nothing, and the server keeps nothing of it',
  async ({ connect, server, stateless }) => {
    const client = await connect();
    if (stateless) await listen(client, { toolsListChanged: true });
    else await client.sendRequest('resources/subscribe', { uri: 'text://hello' });
    expect(engineOf(server).feed.size).toBe(1);
    await client.close();
    expect(engineOf(server).feed.size).toBe(0);
  },
);

only(
  '2026-07-28',
  'the first message of a listen is its acknowledgement, with what will be sent (S-U-01)',
  async ({ connect, server }) => {
    const client = await connect();
    const before = client.received.length;
    const wanted = {
      toolsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['note://a'],
      somethingElse: true,
    };
    client.post('subscriptions/listen', { notifications: wanted }, 1.0);
    changeEverything(server);
    await client.readNotification('notifications/tools/list_changed');
    expect(client.received[before]).toEqual({
      jsonrpc: '2.0',
      method: acknowledged,
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['note://a'] },
        _meta: { [subscriptionId]: 1 },
      },
    });
  },
  { wires: pipes },
);

only(
  '2026-07-28',
  'what the server does not have is left out of the acknowledgement (S-U-01)',
  async ({ connect }) => {
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['text://hello'],
    };
    const nothing = { notifications: {}, _meta: { [subscriptionId]: 'ear' } };
    expect(await listen(await connect(), filter)).toEqual(nothing);
    expect(await listen(await connect(), {})).toEqual(nothing);
  },
  { server: { tools: undefined, resources: undefined, templates: undefined, prompts: undefined } as object },
);

only(
  '2026-07-28',
  'several listens of one client are each notified (S-U-03)',
  async ({ connect, server }) => {
    const client = await connect();
    await listen(client, { toolsListChanged: true }, 1);
    await listen(client, { toolsListChanged: true }, '1');
    changeEverything(server);
    const first = await client.readNotification('notifications/tools/list_changed');
    const second = await client.readNotification('notifications/tools/list_changed');
    expect(first.params).toEqual({ _meta: { [subscriptionId]: 1 } });
    expect(second.params).toEqual({ _meta: { [subscriptionId]: '1' } });
  },
  { wires: pipes },
);

only(
  '2026-07-28',
  'a listen that is cancelled hears nothing more, and gets no result (S-IO-05)',
  async ({ connect, server }) => {
    const client = await connect();
    await listen(client, { toolsListChanged: true });
    client.sendNotification('notifications/cancelled', { requestId: 'ear' });
    await client.request('tools/list');
    expect(engineOf(server).feed.size).toBe(0);
    changeEverything(server);
    await client.request('tools/list');
    expect(notificationsOf(client)).toEqual([]);
    expect(client.received.filter(({ id }) => id === 'ear')).toEqual([]);
  },
);

only('2026-07-28', 'a listen for nothing in particular is invalid', async ({ connect, server }) => {
  const client = await connect();
  for (const notifications of [undefined, null, [], 'tools']) {
    expectError(await client.sendRequest('subscriptions/listen', { notifications }), -32602);
  }
  for (const resourceSubscriptions of ['text://hello', [1], {}]) {
    expectError(await client.sendRequest('subscriptions/listen', { notifications: { resourceSubscriptions } }), -32602);
  }
  expect(engineOf(server).feed.size).toBe(0);
});

only(
  '2026-07-28',
  'a listen that the server ends has a result, and then a cancellation (S-U-05)',
  async ({ connect }) => {
    const client = await connect();
    await listen(client, { toolsListChanged: true });
    void client.close();
    const { result } = await client.answerTo('ear');
    expect(result).toMatchObject({ resultType: 'complete', _meta: { [subscriptionId]: 'ear' } });
    await client.readNotification('notifications/cancelled');
    expect(client.received.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'ear' },
    });
  },
  { wires: textWires },
);
