import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere, feature } from './cells.ts';

async function read(client: Client, uri: string): Promise<unknown> {
  return (await client.request('resources/read', { uri })).contents;
}

everywhere(
  'resources are listed with all that decorates them, then what templates list (S-R-01)',
  async ({ connect }) => {
    const client = await connect();
    const { resources } = await client.request('resources/list');
    expect(resources[0]).toEqual({
      uri: 'text://hello',
      name: 'hello',
      title: 'A greeting',
      description: 'Just text',
      size: 5,
      annotations: { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' },
      icons: [{ src: 'https://example.com/hello.svg', mimeType: 'image/svg+xml', sizes: ['any'], theme: 'light' }],
      _meta: { 'com.example/shelf': 1 },
    });
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'text://hello',
      'blob://bytes',
      'data://json',
      'many://parts',
      'broken://crash',
      'ask://name',
      'note://a',
      'note://b',
    ]);
  },
);

everywhere('templates are listed', async ({ connect }) => {
  const client = await connect();
  const { resourceTemplates } = await client.request('resources/templates/list');
  expect(resourceTemplates).toEqual([
    {
      uriTemplate: 'note://{id}',
      name: 'notes',
      title: 'Notes',
      description: 'One note each',
      mimeType: 'text/markdown',
    },
    { uriTemplate: 'word://{language}/{word}', name: 'word://{language}/{word}' },
  ]);
});

everywhere('text, bytes, data and several contents can be read (S-R-04)', async ({ connect }) => {
  const client = await connect();
  expect(await read(client, 'text://hello')).toEqual([{ uri: 'text://hello', mimeType: 'text/plain', text: 'Hello' }]);
  expect(await read(client, 'blob://bytes')).toEqual([
    { uri: 'blob://bytes', mimeType: 'application/x-bytes', blob: 'AAH+/w==' },
  ]);
  expect(await read(client, 'data://json')).toEqual([
    { uri: 'data://json', mimeType: 'application/json', text: '{"answer":42}' },
  ]);
  expect(await read(client, 'many://parts')).toEqual([
    { uri: 'many://parts/1', mimeType: 'text/plain', text: 'one' },
    { uri: 'many://parts/2', mimeType: 'image/png', blob: 'iVBORw0=' },
  ]);
});

everywhere('what stands behind a template can be read', async ({ connect }) => {
  const client = await connect();
  expect(await read(client, 'note://c')).toEqual([{ uri: 'note://c', mimeType: 'text/markdown', text: 'Third' }]);
  expect(await read(client, 'word://es/a%C3%B1o')).toEqual([
    { uri: 'word://es/a%C3%B1o', mimeType: 'application/json', text: '{"language":"es","word":"año"}' },
  ]);
});

function missing(code: number) {
  return async ({ connect }: { connect(): Promise<Client> }): Promise<void> => {
    const client = await connect();
    for (const uri of ['text://nowhere', 'note://zzz', 'no address at all', '']) {
      const error = expectError(await client.sendRequest('resources/read', { uri }), code);
      expect(error).toEqual({ code, message: `Resource not found: ${uri}`, data: { uri } });
    }
  };
}

feature('a resource that does not exist (S-R-02, S-R-03)', {
  '2024-11-05': ['is an error of its own, -32002', missing(-32002)],
  '2026-07-28': ['is invalid params, -32602', missing(-32602)],
});

everywhere('a read without an address is invalid', async ({ connect }) => {
  const client = await connect();
  expectError(await client.sendRequest('resources/read', {}), -32602);
  expectError(await client.sendRequest('resources/read', { uri: ['text://hello'] }), -32602);
});

everywhere('a resource that fails is an internal error without details', async ({ connect, log }) => {
  const client = await connect();
  const error = expectError(await client.sendRequest('resources/read', { uri: 'broken://crash' }), -32603);
  expect(error).toEqual({ code: -32603, message: 'Internal error' });
  expect(((await log.until('Unexpected error in resources/read')).error as Error).message).toContain('hunter2');
  expect(JSON.stringify(client.received)).not.toContain('hunter2');
});

const cacheable = {
  'server/discover': {},
  'tools/list': {},
  'prompts/list': {},
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'text://hello' },
};

feature(
  'cache hints',
  {
    '2024-11-05': [
      'are not sent (S-B-17)',
      async ({ connect }) => {
        const client = await connect();
        for (const [method, params] of Object.entries(cacheable).slice(1)) {
          expect(Object.keys(await client.request(method, params))).toHaveLength(method === 'resources/list' ? 2 : 1);
        }
      },
    ],
    '2026-07-28': [
      "are sent for the six operations: the server's, or the resource's own (S-CA-01)",
      async ({ connect }) => {
        const client = await connect();
        for (const [method, params] of Object.entries(cacheable)) {
          expect(await client.request(method, params)).toMatchObject({ ttlMs: 1000, cacheScope: 'private' });
        }
        expect(await client.request('resources/read', { uri: 'data://json' })).toMatchObject({
          ttlMs: 60_000,
          cacheScope: 'public',
        });
        expect(await client.request('tools/call', { name: 'nothing' })).not.toHaveProperty('ttlMs');
      },
    ],
  },
  { server: { cache: { ttlMs: 1000, scope: 'private' } } },
);
