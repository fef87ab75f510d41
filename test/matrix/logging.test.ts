import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere, feature } from './cells.ts';

const logLevel = 'io.modelcontextprotocol/logLevel';

function logMessages(client: Client): unknown[] {
  return client.notifications('notifications/message').map(({ params }) => params?.level);
}

feature('what a client hears of the log if it says nothing', {
  '2024-11-05': [
    'is what the server chose: info and worse (S-L-03)',
    async ({ connect }) => {
      const client = await connect();
      await client.request('tools/call', { name: 'talk' });
      expect(client.notifications('notifications/message').map(({ params }) => params)).toEqual([
        { level: 'info', logger: 'everything', data: { fact: 1 } },
        { level: 'warning', logger: 'weather', data: 'a warning' },
        { level: 'emergency', logger: 'everything', data: 'the end' },
      ]);
    },
  ],
  '2026-07-28': [
    'is nothing (S-L-04)',
    async ({ connect, server }) => {
      const client = await connect();
      await client.request('tools/call', { name: 'talk' });
      server.log('emergency', 'to everybody');
      await client.request('tools/call', { name: 'nothing' });
      expect(logMessages(client)).toEqual([]);
    },
  ],
});

feature('the level a client chooses', {
  '2024-11-05': [
    'holds for its session until it chooses another, and for no other session (S-L-03)',
    async ({ connect }) => {
      const [client, other] = [await connect(), await connect()];
      expect((await client.sendRequest('logging/setLevel', { level: 'emergency' })).result).toEqual({});
      await client.request('tools/call', { name: 'talk' });
      expect(logMessages(client)).toEqual(['emergency']);
      await client.sendRequest('logging/setLevel', { level: 'debug' });
      await client.request('tools/call', { name: 'talk' });
      expect(logMessages(client)).toEqual(['emergency', 'debug', 'info', 'warning', 'emergency']);
      await other.request('tools/call', { name: 'talk' });
      expect(logMessages(other)).toEqual(['info', 'warning', 'emergency']);
    },
  ],
  '2026-07-28': [
    'holds for the request that names it, and no other (S-L-04)',
    async ({ connect }) => {
      const client = await connect();
      await client.request('tools/call', { name: 'talk', _meta: { [logLevel]: 'warning' } });
      expect(logMessages(client)).toEqual(['warning', 'emergency']);
      await client.request('tools/call', { name: 'talk' });
      expect(logMessages(client)).toEqual(['warning', 'emergency']);
    },
  ],
});

feature('a level that does not exist', {
  '2024-11-05': [
    'is invalid params, and changes nothing (S-L-03)',
    async ({ connect }) => {
      const client = await connect();
      for (const level of ['loud', 'INFO', 3, null, undefined, 'constructor']) {
        expectError(await client.sendRequest('logging/setLevel', { level }), -32602);
      }
      await client.request('tools/call', { name: 'talk' });
      expect(logMessages(client)).toEqual(['info', 'warning', 'emergency']);
    },
  ],
  '2026-07-28': [
    'is invalid params, and nothing is called (S-L-05)',
    async ({ connect, log }) => {
      const client = await connect();
      expectError(await client.sendRequest('tools/call', { name: 'talk', _meta: { [logLevel]: 'loud' } }), -32602);
      expect(log.entries).toEqual([]);
    },
  ],
});

feature('what the server says outside of any request', {
  '2024-11-05': [
    'reaches every client that shook hands and wants messages of its level',
    async ({ open, connect, server }) => {
      const early = open();
      early.post('ping', {}, 'early');
      await early.answerTo('early');
      const [quiet, client] = [await connect(), await connect()];
      await quiet.sendRequest('logging/setLevel', { level: 'error' });
      server.log('notice', 'to everybody');
      expect((await client.readNotification('notifications/message')).params).toEqual({
        level: 'notice',
        logger: 'everything',
        data: 'to everybody',
      });
      server.log('error', { code: 7 }, 'disk');
      expect((await quiet.readNotification('notifications/message')).params).toEqual({
        level: 'error',
        logger: 'disk',
        data: { code: 7 },
      });
      expect(logMessages(early)).toEqual([]);
    },
  ],
  '2026-07-28': [
    'reaches nobody, not even who listens (S-U-04)',
    async ({ connect, server }) => {
      const client = await connect({ meta: { [logLevel]: 'debug' } });
      client.post('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'ear');
      await client.readNotification('notifications/subscriptions/acknowledged');
      server.log('emergency', 'to everybody');
      await client.request('tools/list');
      expect(logMessages(client)).toEqual([]);
    },
  ],
});

everywhere("the server's own log has it all, whatever clients want", async ({ connect, log }) => {
  const client = await connect();
  await client.request('tools/call', { name: 'talk' });
  expect(log.entries.map(({ level, logger }) => [level, logger])).toEqual([
    ['debug', 'everything'],
    ['info', 'everything'],
    ['warning', 'weather'],
    ['emergency', 'everything'],
  ]);
});

feature('the stateless level on a connection with a handshake', {
  '2024-11-05': [
    "is the request's own, not the session's",
    async ({ connect }) => {
      const client = await connect();
      await client.sendRequest('logging/setLevel', { level: 'debug' });
      const M = 'io.modelcontextprotocol/';
      const introduction = { [`${M}protocolVersion`]: '2026-07-28', [`${M}clientCapabilities`]: {} };
      await client.sendRequest('tools/call', { name: 'talk', _meta: introduction });
      expect(logMessages(client)).toEqual([]);
      await client.sendRequest('tools/call', { name: 'talk', _meta: { ...introduction, [logLevel]: 'emergency' } });
      expect(logMessages(client)).toEqual(['emergency']);
    },
  ],
  '2026-07-28': [
    "does not become the session's",
    async ({ connect }) => {
      const client = await connect({ meta: { [logLevel]: 'debug' } });
      await client.request('tools/call', { name: 'talk' });
      expect(logMessages(client)).toHaveLength(4);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      client.wire.send({ jsonrpc: '2.0', id: 'late', method: 'initialize', params });
      await client.answerTo('late');
      client.wire.send({ jsonrpc: '2.0', id: 'talk', method: 'tools/call', params: { name: 'talk' } });
      await client.answerTo('talk');
      expect(logMessages(client).slice(4)).toEqual(['info', 'warning', 'emergency']);
    },
  ],
});
