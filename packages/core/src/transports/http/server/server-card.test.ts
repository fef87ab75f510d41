import { describe, expect, it } from 'vitest';
import { apiKey } from '../../../auth/server/api-key.ts';
import { createServer } from '../../../create-server.ts';
import { protocolVersions } from '../../../client/connect.ts';
import { testServer } from './fixtures/server.ts';
import { start } from './fixtures/start.ts';
import { httpHandler, type HttpOptions } from './handler.ts';

const resource = 'https://api.example.com/mcp';
const server = createServer({
  name: 'Weather Server',
  version: '1.2.0',
  title: 'Weather',
  description: 'w'.repeat(150),
  websiteUrl: 'https://example.com',
});

/** The response of a handler to a GET, without a network. */
async function get(path: string, options: HttpOptions, headers: Record<string, string> = {}): Promise<Response> {
  const handler = httpHandler(server, { resource, serverCard: true, ...options });
  return handler.fetch(new Request(new URL(path, resource), { headers }));
}

describe('a server card', () => {
  it('describes the server, its endpoint and all versions', async () => {
    const response = await get('/mcp/server-card', {});
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/mcp-server-card+json']);
    expect(await response.json()).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'com.example.api/Weather-Server',
      version: '1.2.0',
      title: 'Weather',
      description: `${'w'.repeat(99)}…`,
      websiteUrl: 'https://example.com',
      remotes: [
        {
          type: 'streamable-http',
          url: resource,
          supportedProtocolVersions: protocolVersions.map(({ version }) => version).toReversed(),
        },
      ],
    });
  });

  it('is public, readable cross-origin, cacheable, and not sent again if it did not change', async () => {
    const { url } = await start({
      resource: 'http://127.0.0.1:1/mcp',
      serverCard: true,
      auth: apiKey({ keys: ['x'] }),
    });
    const headers = { Origin: 'https://some.page.example' };
    const first = await fetch(`${url}/server-card`, { headers });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('access-control-expose-headers')).toBe('ETag');
    expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
    const second = await fetch(`${url}/server-card`, { headers: { ...headers, 'If-None-Match': etag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect((await fetch(`${url}/server-card`, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('names the header of a key, and the transport of the first revision', async () => {
    const { remotes } = (await (
      await get('/mcp/server-card', { auth: apiKey({ keys: ['x'] }), sse: true })
    ).json()) as {
      remotes: object[];
    };
    const headers = [{ name: 'X-Api-Key', isRequired: true, isSecret: true }];
    expect(remotes).toMatchObject([
      { type: 'streamable-http', headers },
      { type: 'sse', url: 'https://api.example.com/sse', headers, supportedProtocolVersions: ['2024-11-05'] },
    ]);
  });

  it('has the options of its author', async () => {
    const repository = { url: 'https://example.com/git/weather', source: 'git' };
    const serverCard = { name: 'org.example/weather', description: 'Weather', repository };
    expect(await (await get('/mcp/server-card', { serverCard })).json()).toMatchObject(serverCard);
  });

  it('is in the catalog of its domain, unless another one is served there', async () => {
    const response = await get('/.well-known/ai-catalog.json', { serverCard: { name: 'org.example.api/weather' } });
    expect(response.headers.get('content-type')).toBe('application/ai-catalog+json');
    expect(await response.json()).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:api.example.org:mcp:weather',
          type: 'application/mcp-server-card+json',
          url: `${resource}/server-card`,
        },
      ],
    });
    expect((await get('/.well-known/ai-catalog.json', { serverCard: { catalog: false } })).status).toBe(404);
  });

  it('is not served unless asked for', async () => {
    const { url } = await start({ resource: 'http://127.0.0.1:1/mcp' });
    expect((await fetch(`${url}/server-card`)).status).toBe(404);
  });

  it.each([
    [{ serverCard: true }, '"serverCard" needs the option "resource"'],
    [{ resource, serverCard: { name: 'weather' } }, '"name" of "serverCard" must be in reverse-DNS form'],
    [{ resource, serverCard: { description: 'x'.repeat(101) } }, '"description" of "serverCard" must have 1 to 100'],
    [{ resource, serverCard: { repository: { url: 'x', source: 'git' } } }, '"repository" of "serverCard" must have'],
    [{ resource, serverCard: { nmae: 'x' } }, 'serverCard has no option "nmae": did you mean "name"?'],
  ])('rejects %j', (options, message) => {
    expect(() => httpHandler(testServer().server, options as HttpOptions)).toThrow(message);
  });
});
