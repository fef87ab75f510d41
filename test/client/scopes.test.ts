import { createServer, tool } from '@ccmcp/core';
import { type Client, connect, type HttpAuth, httpTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bearer, bearerAuth } from '../../packages/core/src/transports/http/server/fixtures/bearer.ts';

/** A user who grants what a challenge requires, and nothing more. */
function granting(): { auth: HttpAuth; asked: string[] } {
  const asked: string[] = [];
  let headers: Record<string, string> = {};
  const auth: HttpAuth = {
    headers: async () => headers,
    async unauthorized({ wwwAuthenticate = '' }) {
      const scope = /scope="([^"]*)"/.exec(wwwAuthenticate)?.[1];
      if (scope === undefined) return false;
      asked.push(scope);
      headers = bearer('ann', ...scope.split(' ').filter(Boolean));
      return true;
    },
  };
  return { auth, asked };
}

async function textFrom(client: Client, name: string): Promise<unknown> {
  return (await client.callTool(name)).content.map((block) => (block.type === 'text' ? block.text : '')).join();
}

async function start(anonymous: boolean): Promise<string> {
  const server = createServer({
    name: 'scoped',
    version: '1',
    tools: [
      tool('open', {}, (_, { auth }) => auth?.principal ?? 'nobody'),
      tool('read', { scopes: ['read'] }, (_, { auth }) => auth?.principal),
      tool('purge', { scopes: ['read', 'write'] }, () => 'purged'),
    ],
  });
  const service = await serveHttp(server, { auth: bearerAuth({ anonymous }) });
  onTestFinished(() => service.close({ graceMs: 0 }));
  return service.url;
}

describe.each(['2025-11-25', '2026-07-28'])('a client of ours, in %s', (version) => {
  it('requests more scopes when a tool requires them, and calls it then (AR-15, AR-87)', async () => {
    const { auth, asked } = granting();
    const client = await connect(httpTransport(await start(false), { auth }), { version });
    expect(await textFrom(client, 'read')).toBe('ann');
    expect(await textFrom(client, 'purge')).toBe('purged');
    expect(asked).toEqual(['', 'read', 'read write']);
    await client.close();
  });

  it('signs in on a mixed server when it is required, and not before (AR-84)', async () => {
    const { auth, asked } = granting();
    const client = await connect(httpTransport(await start(true), { auth }), { version });
    expect(await textFrom(client, 'open')).toBe('nobody');
    expect(asked).toEqual([]);
    expect(await textFrom(client, 'read')).toBe('ann');
    expect(asked).toEqual(['read']);
    await client.close();
  });
});
