import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connect, httpTransport } from '@ccmcp/core/client';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from './fixtures/echo-api.ts';
import { openApi } from './open-api.ts';

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, parent: { $ref: '#/components/schemas/Pet' } },
};
const ok = {
  200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getPet', responses: ok },
      put: {
        operationId: 'putPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: ok,
      },
    },
  },
  components: { schemas: { Pet: pet }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
};

/** The API as an MCP server over HTTP, with the credentials of its callers. */
async function serve(): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const { url, received } = await startApi(({ method, url: path, body }, response) => {
    if (path.endsWith('/404')) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"no such pet"}');
      return undefined;
    }
    return method === 'PUT'
      ? { ...(JSON.parse(String(body)) as object), id: 1 }
      : { id: 1, name: 'Rex', parent: { id: 2, name: null } };
  });
  const api = await openApi(document, {
    baseUrl: url,
    auth: (caller) => ({ bearer: `token-of-${String(caller?.principal)}` }),
  });
  const service = await serveHttp(api, { port: 0, auth: apiKey({ keys: [{ key: 'key-of-ada', name: 'ada' }] }) });
  onTestFinished(() => service.close({ graceMs: 0 }));
  return {
    url: service.url,
    get tokens() {
      return received.map(({ headers }) => headers.authorization);
    },
  };
}

const headers = { 'X-Api-Key': 'key-of-ada' };

describe('an API over HTTP', () => {
  it('is used by the official client, which checks structured content', async () => {
    const served = await serve();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['getPet', 'putPet', 'read_more']);
    expect(await client.callTool({ name: 'getPet', arguments: { id: 1 } })).toMatchObject({
      isError: false,
      structuredContent: { id: 1, name: 'Rex', parent: { id: 2, name: null } },
    });
    expect(await client.callTool({ name: 'putPet', arguments: { id: 1, id_body: 2, name: 'Max' } })).toMatchObject({
      structuredContent: { id: 1, name: 'Max' },
    });
    expect(await client.callTool({ name: 'getPet', arguments: { id: 404 } })).toMatchObject({
      isError: true,
      content: [{ text: 'GET /pets/{id}: status 404\n{"error":"no such pet"}' }],
    });
    expect(new Set(served.tokens)).toEqual(new Set(['Bearer token-of-ada']));
  });

  it('is used by our client, of both eras', async () => {
    const served = await serve();
    for (const era of ['handshake', 'stateless'] as const) {
      const client = await connect(httpTransport(served.url, { headers }), { era });
      onTestFinished(() => client.close());
      expect(await client.callTool('getPet', { id: 1 })).toMatchObject({ structuredContent: { name: 'Rex' } });
    }
  });
});
