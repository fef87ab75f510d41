import { describe, expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { resource, tool } from './define/define.ts';
import { connectDirect } from './fixtures/direct-client.ts';
import type { DeclaredCapabilities } from './options.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

function serverWith(capabilities: DeclaredCapabilities) {
  return createServer({
    name: 'n',
    version: '1',
    logger: { level: 'emergency', write() {} },
    capabilities,
    tools: [tool('say', {}, (_, { log }) => (log('error', 'said'), 'said'))],
    resources: [resource('a:b', {}, () => 'b')],
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const debug = { 'io.modelcontextprotocol/logLevel': 'debug' };

describe.each(versions)('a server in %s', (version) => {
  const isStateless = version >= '2026';

  it('declares only enabled capabilities', () => {
    const all = { logging: false, listChanged: false, subscribe: false };
    expect(serverWith(all).capabilities).toEqual({ tools: {}, resources: {} });
    expect(serverWith({ logging: false }).capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    });
    const { peer, request } = connectDirect(serverWith(all), { version });
    if (peer.session !== undefined) peer.session.revision = undefined;
    const hello = isStateless ? request('server/discover') : request('initialize', { protocolVersion: version });
    expect(hello).toMatchObject({ result: { capabilities: { tools: {}, resources: {} } } });
  });

  it('sends no log messages with logging disabled', () => {
    const { request, received } = connectDirect(serverWith({ logging: false }), {
      version,
      ...(isStateless && { meta: debug }),
    });
    void request('tools/call', { name: 'say' });
    expect(received).toEqual([]);
    expect(request('logging/setLevel', { level: 'debug' })).toMatchObject({ error: { code: -32601 } });
    const other = connectDirect(serverWith({}), { version, ...(isStateless && { meta: debug }) });
    void other.request('tools/call', { name: 'say' });
    expect(other.received).toHaveLength(1);
  });

  it('sends no list_changed with listChanged disabled', async () => {
    const changed = { toolsListChanged: true, resourceSubscriptions: ['a:b'] };
    const said = async (capabilities: DeclaredCapabilities): Promise<unknown[]> => {
      const server = serverWith(capabilities);
      const { request, received } = connectDirect(server, { version });
      if (isStateless) void request('subscriptions/listen', { notifications: changed });
      else void request('resources/subscribe', { uri: 'a:b' });
      server.tools.remove('say');
      server.resources.updated('a:b');
      await turn();
      return received
        .flatMap((message) => ('method' in message ? message.method : []))
        .filter((method) => !method.endsWith('acknowledged'));
    };
    const [lists, updates] = ['notifications/tools/list_changed', 'notifications/resources/updated'];
    expect(await said({})).toEqual([lists, updates]);
    expect(await said({ listChanged: false })).toEqual([updates]);
    expect(await said({ subscribe: false })).toEqual([lists]);
    expect(await said({ listChanged: false, subscribe: false })).toEqual([]);
  });
});
