import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@ccmcp/core';
import { httpHandler } from '@ccmcp/core/http';
import { expect, it, onTestFinished } from 'vitest';
import { readCatalog } from './catalog.ts';

const card = 'application/mcp-server-card+json';

/** Serves JSON by path; functions get the origin. */
async function serveJson(documents: Record<string, unknown>): Promise<URL> {
  const http = createHttpServer(({ url = '' }, response) => {
    const found = documents[url];
    response.statusCode = found === undefined ? 404 : 200;
    response.end(typeof found === 'string' ? found : JSON.stringify(found));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
}

it('finds the server of a domain by its card', async () => {
  const http = createHttpServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const domain = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const server = createServer({ name: 'weather', version: '1.2.0', title: 'Weather' });
  const handler = httpHandler(server, { resource: `${domain.href}mcp`, serverCard: { name: 'com.example/weather' } });
  http.on('request', handler.node);
  onTestFinished(async () => {
    await handler.close();
    http.close();
  });
  expect(await readCatalog(domain, 1000)).toMatchObject([
    { name: 'com.example/weather', title: 'Weather', version: '1.2.0', url: `${domain.href}mcp` },
  ]);
});

it('says why a card can not be used, and goes on with the others', async () => {
  const name = 'com.example/inline';
  const local = { name: 'com.example/local', remotes: [{ type: 'streamable-http', url: 'http://10.0.0.1/mcp' }] };
  const domain = await serveJson({
    '/.well-known/ai-catalog.json': {
      specVersion: '1.0',
      entries: [
        { type: 'text/plain', url: '/other' },
        { type: card, url: '/nowhere' },
        { type: card, url: '/text' },
        { type: card, url: 'http://10.0.0.1/card' },
        { type: card },
        { type: card, data: local },
        { type: card, data: { name: 'x', remotes: [{ url: 'https://{tenant}.example.com/mcp' }] } },
        { type: card, data: { name, remotes: [{ type: 'streamable-http', url: 'https://example.com/mcp' }] } },
      ],
    },
    '/text': 'no card',
  });
  expect(await readCatalog(domain, 1000)).toEqual([
    { name: '/nowhere', problem: `${domain.href}nowhere is answered with 404` },
    { name: '/text', problem: `${domain.href}text is no JSON, but of no media type` },
    { name: 'http://10.0.0.1/card', problem: 'the card is not at an https URL' },
    { name: 'an entry without a URL', problem: 'the entry has no URL of a card' },
    { name: 'com.example/local', problem: 'the card names no https URL without variables' },
    { name: 'x', problem: 'the card names no https URL without variables' },
    { name, url: 'https://example.com/mcp' },
  ]);
});

it.each([
  ['there is none', {}],
  ['it is no JSON', { '/.well-known/ai-catalog.json': '<!doctype html>' }],
  ['it has no entries', { '/.well-known/ai-catalog.json': { entries: 'none' } }],
])('finds no catalog if %s', async (_, documents) => {
  expect(await readCatalog(await serveJson(documents), 1000)).toBeUndefined();
});
