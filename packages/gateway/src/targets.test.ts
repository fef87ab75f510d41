import { createServer, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { httpTransport } from '@ccmcp/core/client';
import { type HttpService, serveHttp } from '@ccmcp/core/http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';
import { everything } from './fixtures/upstream.ts';
import type { RemoteOptions } from './remote-options.ts';

const services: HttpService[] = [];

afterEach(async () => {
  await closeAll();
  for (const service of services.splice(0)) await service.close({ graceMs: 0, lingerMs: 0 });
});

const whole = { name: 'gateway', version: '1' };
const form = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } as const;
const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

async function served(server: Server, port = 0): Promise<HttpService> {
  const service = await serveHttp(server, { port, sse: true });
  services.push(service);
  return service;
}

const sseUrl = ({ url }: HttpService): URL => new URL('/sse', url);

type ToTarget = (service: HttpService) => RemoteOptions['target'];
const over: Record<string, ToTarget> = {
  'Streamable HTTP': ({ url }) => ({ url }),
  'HTTP+SSE': (service) => ({ url: sseUrl(service), transport: 'sse' }),
  'a transport of its own': ({ url }) => ({ connect: () => httpTransport(url) }),
};

const cells = Object.keys(over).flatMap((name) =>
  versions.filter((behind) => name !== 'HTTP+SSE' || behind === '2024-11-05').map((behind) => [name, behind] as const),
);

describe.each(cells)('an upstream over %s, on %s', (name, behind) => {
  const toTarget = over[name] as ToTarget;

  it.each(versions)('serves a client of %s', async (front) => {
    const up = part(toTarget(await served(everything())), { client: pinned(behind) });
    const client = await clientOf(compose({ up }, whole), front);
    expect((await client.listTools().all()).map((each) => each.name)).toContain('add');
    expect(await client.callTool('content')).toMatchObject({ _meta: { 'com.example/trace': 'abc' } });
    const progress: unknown[] = [];
    await client.callTool('steps', {}, { onProgress: (each) => progress.push(each) });
    expect(progress).toHaveLength(2);
    expect(await client.request('resources/read', { uri: 'memo://one' })).toMatchObject({
      contents: [{ text: 'one' }],
    });
    expect(up.status).toMatchObject({ state: 'up', protocolVersion: behind });
  });

  it('asks through the gateway, if its revision has questions', async () => {
    if (behind < '2025-06-18') return;
    const asking = createServer({
      name: 'asking',
      version: '1',
      tools: [
        tool(
          'ask',
          {},
          async (_, context) => (await context.elicit({ message: 'Who?', schema: form })).content?.answer ?? '',
        ),
      ],
    });
    const service = await served(asking);
    for (const front of ['2025-11-25', '2026-07-28']) {
      const up = part(toTarget(service), { client: pinned(behind) });
      const client = await clientOf(compose({ up }, whole), front, {
        elicit: ({ message }) => ({ action: 'accept', content: { answer: `${message} Me` } }),
      });
      expect(textOf(await client.callTool('ask'))).toBe('Who? Me');
    }
  });
});

it.each([
  ['Streamable HTTP', '2025-11-25'],
  ['Streamable HTTP', '2026-07-28'],
  ['HTTP+SSE', '2024-11-05'],
])('an upstream over %s, on %s, is reconnected when it returns', async (name, behind) => {
  const toTarget = over[name] as ToTarget;
  const service = await served(everything());
  const up = part(toTarget(service), { client: pinned(behind), backoff: { firstMs: 20, maxMs: 20 } });
  const client = await clientOf(compose({ up }, whole), '2025-11-25');
  const tools = await client.listTools().all();
  await service.close();
  await expect(client.callTool('fails', {})).rejects.toThrow('The upstream "up"');
  expect(await client.listTools().all()).toEqual(tools);
  await served(everything(), Number(new URL(service.url).port));
  await vi.waitFor(async () => expect(textOf(await client.callTool('fails'))).toBe('no'), { timeout: 10_000 });
});
