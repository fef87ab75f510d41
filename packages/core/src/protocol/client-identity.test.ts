import { describe, expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { openClientConnection } from '../server/client-connection.ts';
import { engineOf } from '../server/server-handle.ts';
import { boundedInfo } from './identity.ts';
import { MetaKey } from './meta.ts';

const info = { name: 'me', version: '1' };
const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, {}]));

const tooLarge: [string, { capabilities?: object; clientInfo?: object }][] = [
  ['a name of 900 KB', { clientInfo: { ...info, name: 'x'.repeat(900_000) } }],
  ['an object of many members', { clientInfo: { ...info, more: many } }],
  ['members that nobody knows', { clientInfo: { ...info, more: 'x'.repeat(5000) } }],
  ['capabilities of 900 KB', { capabilities: { experimental: { x: { y: 'x'.repeat(900_000) } } } }],
  ['a thousand capabilities', { capabilities: { extensions: many } }],
  ['capabilities nested 100 000 deep', { capabilities: deep }],
  ['a name nested 100 000 deep', { clientInfo: { ...info, title: deep } }],
];

const rejected = { error: { code: -32602, message: expect.stringMatching(/too large: at most \d+ characters/) } };

describe.each(tooLarge)('an oversized client identity is rejected: %s', (_, said) => {
  it('in the handshake', async () => {
    const { peer } = openClientConnection({ send: () => {} });
    const server = engineOf(createServer(info));
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info, ...said };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params } as const;
    expect(await server.handle(request, peer)).toMatchObject(rejected);
    expect(peer.session).toMatchObject({ revision: undefined, clientInfo: undefined, capabilities: {} });
  });

  it('in a long-lived request of the stateless era', async () => {
    const { peer } = openClientConnection({ send: () => {} });
    const { capabilities = {}, clientInfo = info } = said;
    const _meta = {
      [MetaKey.protocolVersion]: '2026-07-28',
      [MetaKey.clientCapabilities]: capabilities,
      [MetaKey.clientInfo]: clientInfo,
    };
    const params = { notifications: {}, _meta };
    const request = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params } as const;
    expect(await engineOf(createServer(info)).handle(request, peer)).toMatchObject(rejected);
  });
});

describe.each<[string, object]>([
  ['an object', { toString: 1 }],
  ['a number', 7 as never],
  ['null', null as never],
])('a name or version that is %s is rejected', (_, value) => {
  const rejected = {
    error: { code: -32602, message: expect.stringMatching(/"name" and "version" must be strings/) },
  };

  it.each(['name', 'version'])('in the handshake: %s', async (member) => {
    const { peer } = openClientConnection({ send: () => {} });
    const clientInfo = { ...info, [member]: value };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params } as const;
    expect(await engineOf(createServer(info)).handle(request, peer)).toMatchObject(rejected);
  });

  it.each(['name', 'version'])('in a request of the stateless era: %s', async (member) => {
    const { peer } = openClientConnection({ send: () => {} });
    const _meta = {
      [MetaKey.protocolVersion]: '2026-07-28',
      [MetaKey.clientCapabilities]: {},
      [MetaKey.clientInfo]: { ...info, [member]: value },
    };
    const request = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } } as const;
    expect(await engineOf(createServer(info)).handle(request, peer)).toMatchObject(rejected);
  });
});

describe('the client info', () => {
  it('is stored unchanged up to a few KB', () => {
    const long = { ...info, description: 'x'.repeat(3000), icons: [{ src: 'data:,' }] };
    expect(boundedInfo(long, 'x')).toBe(long);
    expect(boundedInfo(undefined, 'x')).toBeUndefined();
  });

  it('is stored without icons if they make it too long', () => {
    expect(boundedInfo({ ...info, icons: [{ src: `data:,${'x'.repeat(10_000)}` }] }, 'x')).toEqual(info);
  });
});
