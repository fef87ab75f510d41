import { createServer, resource, type Server, tool } from '@ccmcp/core';
import { connect, httpTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectOver } from './transports.ts';

const hello = tool('hello', {}, () => 'hello');

interface Served {
  server: Server;
  port: number;
  url: string;
  stop: () => Promise<void>;
}

async function serve(port = 0): Promise<Served> {
  const resources = [resource('text://a', {}, () => 'a')];
  const server = createServer({ name: 'sessions', version: '1', tools: [hello], resources });
  const service = await serveHttp(server, { port });
  const stop = (): Promise<void> => service.close({ graceMs: 0, lingerMs: 0 });
  onTestFinished(stop);
  return { server, port: Number(new URL(service.url).port), url: service.url, stop };
}

describe('a session that the server has forgotten', () => {
  it('is replaced, and the failed request is sent again (C-H-02)', async () => {
    const first = await serve();
    const client = await connect(httpTransport(first.url), { era: 'handshake' });
    expect(await client.callTool('hello')).toMatchObject({ isError: false });
    await first.stop();
    const second = await serve(first.port);
    const calls = await Promise.all([client.callTool('hello'), client.callTool('hello'), client.listTools().all()]);
    expect(calls).toMatchObject([{ isError: false }, { isError: false }, [{ name: 'hello' }]]);
    await client.close();
    await second.stop();
  });

  it('is detected by a client that only listens, which subscribes again', async () => {
    const first = await serve();
    const client = await connect(httpTransport(first.url), { era: 'handshake', onWarning: () => {} });
    const subscription = await client.listen({ uris: ['text://a'] });
    await first.stop();
    const second = await serve(first.port);
    const subscribed = new Promise<void>((resolve) => {
      second.server.use((call, next) => {
        if (call.method === 'resources/subscribe') setImmediate(resolve);
        return next();
      });
    });
    const change = { done: false, value: { kind: 'resource', uri: 'text://a' } };
    const read = subscription[Symbol.asyncIterator]();
    // Changes during the gap are unknown, so everything counts as changed.
    expect(await read.next()).toEqual(change);
    await subscribed;
    second.server.resources.updated('text://a');
    expect(await read.next()).toEqual(change);
    await client.close();
  });
});

describe('the era of a server', () => {
  it('is detected: the newest that both sides support (C-V-07)', async () => {
    const { url } = await serve();
    const client = await connect(httpTransport(url));
    expect(client.era).toBe('stateless');
    await client.close();
  });

  it('can be selected', async () => {
    const { url } = await serve();
    const client = await connect(httpTransport(url), { era: 'handshake' });
    expect([client.era, client.protocolVersion]).toEqual(['handshake', '2025-11-25']);
    await client.close();
  });

  it('can be pinned to one version, which is then the only one', async () => {
    const { url } = await serve();
    await expect(connect(httpTransport(url), { version: '1999-01-01' })).rejects.toThrow('Unknown protocol version');
  });
});

describe('cacheable responses', () => {
  const server = { cache: { ttlMs: 60_000, scope: 'private' } } as const;

  it('are not requested again until a change notification (C-CA-01)', async () => {
    const { client, server: offered } = await connectOver('memory', '2026-07-28', { server });
    let listings = 0;
    offered.use((call, next) => {
      if (call.method === 'tools/list') listings += 1;
      return next();
    });
    const names = async (): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);
    const first = await names();
    expect(await names()).toEqual(first);
    expect(listings).toBe(1);
    await client.listTools({ fresh: true }).all();
    expect(listings).toBe(2);
    const subscription = await client.listen({ tools: true });
    offered.tools.add(tool('another', {}, () => ''));
    await subscription[Symbol.asyncIterator]().next();
    expect(await names()).toContain('another');
    expect(listings).toBe(3);
    await subscription.close();
  });

  it('are copies, which callers may change', async () => {
    const { client } = await connectOver('memory', '2026-07-28', { server });
    const [first] = await client.listTools().all();
    if (first !== undefined) first.name = 'spoilt';
    expect((await client.listTools().all()).map(({ name }) => name)).not.toContain('spoilt');
  });

  it('exclude those that took questions (C-CA-01)', async () => {
    let asked = 0;
    const { client } = await connectOver('memory', '2026-07-28', {
      server,
      elicit: () => {
        asked += 1;
        return { action: 'accept', content: { name: 'Ann' } };
      },
    });
    await client.readResource('ask://name');
    await client.readResource('ask://name');
    expect(asked).toBe(2);
  });

  it('are not cached if caching is disabled', async () => {
    const { client, server: offered } = await connectOver('memory', '2026-07-28', { server, cache: false });
    let listings = 0;
    offered.use((_, next) => {
      listings += 1;
      return next();
    });
    await client.listTools().all();
    await client.listTools().all();
    expect(listings).toBe(2);
  });
});
