import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Behaviour, type Client, everywhere, feature } from './cells.ts';

async function listedTool(client: Client, name: string): Promise<Record<string, unknown>> {
  const { tools } = await client.request('tools/list');
  return tools.find((tool: { name: string }) => tool.name === name);
}

everywhere('a tool takes typed arguments and gives text', async ({ connect }) => {
  const client = await connect();
  const result = await client.request('tools/call', { name: 'add', arguments: { a: 2, b: 0.5 } });
  expect(result).toMatchObject({ content: [{ type: 'text', text: '2.5' }], isError: false });
});

everywhere('a tool without arguments needs none, and may return nothing', async ({ connect }) => {
  const client = await connect();
  const result = await client.request('tools/call', { name: 'nothing' });
  expect(result).toMatchObject({ content: [], isError: false });
});

everywhere(
  'tools are listed in the order they were given, with all that decorates them (S-T-01, S-T-04)',
  async ({ connect, server }) => {
    const client = await connect();
    const { tools } = await client.request('tools/list');
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([...server.tools].map(({ name }) => name));
    expect(await listedTool(client, 'decorated')).toEqual({
      name: 'decorated',
      title: 'A decorated tool',
      description: 'Has all that a listing can have',
      annotations: {
        title: 'Decorated',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      icons: [{ src: 'data:image/png;base64,iVBORw0=', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
      _meta: { 'com.example/shelf': 7 },
      inputSchema: { type: 'object', properties: {} },
    });
    expect(await listedTool(client, 'nothing')).toMatchObject({
      inputSchema: { type: 'object', additionalProperties: false },
    });
  },
);

everywhere('a list is the same every time it is asked for (S-T-03)', async ({ connect }) => {
  const client = await connect();
  const first = await client.request('tools/list');
  await client.request('tools/call', { name: 'nothing' });
  expect(await client.request('tools/list')).toEqual(first);
  expect(await (await connect()).request('tools/list')).toEqual(first);
});

const words = { type: 'text', text: 'words', annotations: { audience: ['user', 'assistant'], priority: 0.5 } };
const picture = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', annotations: { audience: ['user'] } };
const embedded = { type: 'resource', resource: { uri: 'text://hello', mimeType: 'text/plain', text: 'Hello' } };
const link = {
  type: 'resource_link',
  uri: 'data://json',
  name: 'json',
  title: 'Some data',
  mimeType: 'application/json',
  size: 13,
};

const soundAsFile = {
  type: 'resource',
  resource: { uri: 'embedded://audio', mimeType: 'audio/wav', blob: 'UklGRg==' },
  annotations: { audience: ['user'] },
};
const linkAsText = { type: 'text', text: 'Some data: data://json' };

function giving(what: string, blocks: unknown[]): Behaviour {
  const body: Behaviour[1] = async ({ connect }) => {
    const client = await connect();
    const { content } = await client.request('tools/call', { name: 'blocks' });
    expect(content).toEqual(blocks);
  };
  return [what, body];
}

feature('every kind of content', {
  '2024-11-05': giving('sound is a file, a link is text', [words, picture, soundAsFile, embedded, linkAsText]),
  '2025-03-26': giving('a link is text', [words, picture, sound, embedded, linkAsText]),
  '2025-06-18': giving('everything is what it is', [words, picture, sound, embedded, link]),
});

feature('structured output that is an object', {
  '2024-11-05': [
    'is given twice, as data and as text (S-T-06, S-T-07)',
    async ({ connect }) => {
      const client = await connect();
      const result = await client.request('tools/call', { name: 'person' });
      expect(result).toMatchObject({ structuredContent: { name: 'Ann', extra: [1] }, isError: false });
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      const { outputSchema } = await listedTool(client, 'person');
      expect(outputSchema).toMatchObject({ type: 'object', properties: { name: { type: 'string' }, extra: {} } });
    },
  ],
  '2026-07-28': [
    'has its schema as the author wrote it',
    async ({ connect }) => {
      const client = await connect();
      const result = await client.request('tools/call', { name: 'person' });
      expect(result).toMatchObject({ structuredContent: { name: 'Ann', extra: [1] }, isError: false });
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      expect(await listedTool(client, 'person')).toMatchObject({ outputSchema: { properties: { extra: true } } });
    },
  ],
});

feature('structured output that is no object', {
  '2024-11-05': [
    'is wrapped in one, and so is its schema, references and all',
    async ({ connect }) => {
      const client = await connect();
      const result = await client.request('tools/call', { name: 'nested' });
      expect(result).toMatchObject({
        structuredContent: { result: [1, [2, [3]]] },
        content: [{ type: 'text', text: '[1,[2,[3]]]' }],
      });
      expect((await listedTool(client, 'nested')).outputSchema).toEqual({
        type: 'object',
        properties: {
          result: { type: 'array', items: { anyOf: [{ type: 'number' }, { $ref: '#/properties/result' }] } },
        },
        required: ['result'],
      });
      expect(await client.request('tools/call', { name: 'absent' })).toMatchObject({
        structuredContent: { result: null },
      });
      expect(await client.request('tools/call', { name: 'untyped' })).toMatchObject({
        structuredContent: { result: [1, 2, 3] },
      });
    },
  ],
  '2026-07-28': [
    'is given as it is, null included',
    async ({ connect }) => {
      const client = await connect();
      expect(await client.request('tools/call', { name: 'nested' })).toMatchObject({
        structuredContent: [1, [2, [3]]],
      });
      expect((await listedTool(client, 'nested')).outputSchema).toEqual({
        type: 'array',
        items: { anyOf: [{ type: 'number' }, { $ref: '#' }] },
      });
      expect(await client.request('tools/call', { name: 'absent' })).toMatchObject({
        structuredContent: null,
        content: [{ type: 'text', text: 'null' }],
      });
      expect(await client.request('tools/call', { name: 'untyped' })).toMatchObject({ structuredContent: [1, 2, 3] });
    },
  ],
});

feature('a schema with true and false for properties', {
  '2024-11-05': [
    'is sent with objects in their place',
    async ({ connect }) => {
      const { inputSchema } = await listedTool(await connect(), 'open');
      expect(inputSchema).toEqual({ type: 'object', properties: { anything: {}, never: { not: {} } } });
    },
  ],
  '2026-07-28': [
    'is sent unchanged',
    async ({ connect }) => {
      const { inputSchema } = await listedTool(await connect(), 'open');
      expect(inputSchema).toEqual({ type: 'object', properties: { anything: true, never: false } });
    },
  ],
});

everywhere('a finished result is passed on, with its meta', async ({ connect }) => {
  const client = await connect();
  expect(await client.request('tools/call', { name: 'finished' })).toMatchObject({
    content: [{ type: 'text', text: 'as it is' }],
    structuredContent: { ready: true },
    isError: false,
    _meta: { 'com.example/took': 3 },
  });
});

everywhere(
  'output that breaks its schema is an internal error, explained in the log only',
  async ({ connect, log }) => {
    const client = await connect();
    const error = expectError(await client.sendRequest('tools/call', { name: 'broken-promise' }), -32603);
    expect(error.message).toBe('Tool "broken-promise" returned a result that breaks its output schema');
    const entry = await log.until(error.message);
    expect(String(entry.error)).toBe('Error: n: expected number, got string');
  },
);

everywhere('wrong arguments are a result that names each problem (S-T-10)', async ({ connect }) => {
  const client = await connect();
  const { content, isError } = await client.request('tools/call', { name: 'add', arguments: { a: 'x', c: 1 } });
  expect(isError).toBe(true);
  expect(content).toHaveLength(1);
  for (const problem of [/"add"/, /\ba: .*number/, /\bb: .*required/, /unknown .*"c"/])
    expect(content[0].text).toMatch(problem);
});

everywhere('arguments for a tool that takes none are rejected', async ({ connect }) => {
  const client = await connect();
  const { content, isError } = await client.request('tools/call', { name: 'nothing', arguments: { depth: 3 } });
  expect(isError).toBe(true);
  expect(content[0].text).toContain('unknown property "depth"');
});

everywhere(
  'wrong arguments are a protocol error where the server says so',
  async ({ connect }) => {
    const client = await connect();
    const answer = await client.sendRequest('tools/call', { name: 'add', arguments: { a: 1 } });
    expect(expectError(answer, -32602).message).toContain('Invalid arguments for tool "add"');
  },
  { server: { invalidArguments: 'protocol-error' } },
);

everywhere('a malformed call is invalid params (S-T-10)', async ({ connect }) => {
  const client = await connect();
  expectError(await client.sendRequest('tools/call', {}), -32602);
  expectError(await client.sendRequest('tools/call', { name: 7 }), -32602);
  expectError(await client.sendRequest('tools/call', { name: 'add', arguments: [1, 2] }), -32602);
});

everywhere('an unknown tool is invalid params (S-T-09)', async ({ connect }) => {
  const client = await connect();
  const error = expectError(await client.sendRequest('tools/call', { name: 'no-such-tool' }), -32602);
  expect(error.message).toBe('Unknown tool: no-such-tool');
});

everywhere('an error for the model is a result (S-T-08)', async ({ connect }) => {
  const client = await connect();
  expect(await client.request('tools/call', { name: 'tool-error' })).toMatchObject({
    content: [{ type: 'text', text: 'The printer is out of paper' }],
    isError: true,
  });
  expect(await client.request('tools/call', { name: 'tool-error-later' })).toMatchObject({
    content: [{ text: 'The printer' }, { text: 'is on fire' }],
    isError: true,
  });
});

everywhere('an error for the client program is a JSON-RPC error with its code and data', async ({ connect }) => {
  const client = await connect();
  const error = expectError(await client.sendRequest('tools/call', { name: 'protocol-error' }), 4001);
  expect(error).toEqual({ code: 4001, message: 'Try another printer', data: { printers: ['lp1'] } });
});

everywhere('an unexpected exception is masked, and logged in full on our side', async ({ connect, log }) => {
  const client = await connect();
  for (const name of ['crash', 'crash-later']) {
    const message = `Tool "${name}" failed unexpectedly`;
    const result = await client.request('tools/call', { name });
    expect(result).toMatchObject({ content: [{ type: 'text', text: message }], isError: true });
    expect(((await log.until(message)).error as Error).stack).toContain('hunter2');
  }
  expect(JSON.stringify(client.received)).not.toContain('hunter2');
});

everywhere(
  'an unexpected exception is a protocol error where the server says so, and masked all the same',
  async ({ connect, log }) => {
    const client = await connect();
    for (const name of ['crash', 'crash-later']) {
      const error = expectError(await client.sendRequest('tools/call', { name }), -32603);
      expect(error).toEqual({ code: -32603, message: `Tool "${name}" failed unexpectedly` });
      expect(((await log.until(error.message)).error as Error).message).toContain('hunter2');
    }
    expect(JSON.stringify(client.received)).not.toContain('hunter2');
  },
  { server: { exceptions: 'protocol-error' } },
);

everywhere('a handler knows who asks, and sees the meta of the request', async ({ connect }) => {
  const client = await connect();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const answer = await client.sendRequest('tools/call', { name: 'whoami', _meta: { traceparent } }, 'own-id');
  expect(answer.result.structuredContent).toEqual({
    client: 'test-client',
    method: 'tools/call',
    requestId: 'own-id',
    trace: traceparent,
  });
});

everywhere(
  'a server without tools has no methods for them',
  async ({ connect, stateless }) => {
    const client = await connect();
    expect(client.received[0]?.result.capabilities).toEqual({ logging: {} });
    const methods = [
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/read',
      'prompts/list',
      'completion/complete',
    ];
    for (const method of methods) expectError(await client.sendRequest(method, { name: 'x' }), -32601);
    if (!stateless) expectError(await client.sendRequest('resources/subscribe', { uri: 'text://hello' }), -32601);
  },
  { server: { tools: undefined, resources: undefined, templates: undefined, prompts: undefined } as object },
);
