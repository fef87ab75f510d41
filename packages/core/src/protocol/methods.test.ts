import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError, McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { compose } from '../compose.ts';
import { createServer, type ServerOptions } from '../create-server.ts';
import { prompt, resource, template, tool } from '../server/define/define.ts';
import type { Server } from '../server/server.ts';
import { testClient } from '../testing/client.ts';
import { httpTransport } from '../transports/http/client/transport.ts';
import { handshake, post, statelessClient } from '../transports/http/server/fixtures/client.ts';
import { start } from '../transports/http/server/fixtures/start.ts';
import { deliveryPolicyOf } from '../transports/http/server/streams/streams.ts';
import { createMessageWriter } from '../transports/stdio/server/message-writer.ts';
import { engineOf } from '../server/server-handle.ts';
import { MethodTable } from './methods.ts';

// The effect of each row of the table, as clients see it. A missing fact makes one of these tests fail.

type Params = Record<string, unknown>;

const offered = {
  tools: [tool('greet', {}, () => 'Hello')],
  resources: [resource('note://one', {}, () => 'one')],
  templates: [template('note://more/{n}', { complete: { n: ['1'] } }, ({ n }) => String(n))],
  prompts: [prompt('hi', { arguments: { to: { complete: ['Ada'] } } }, ({ to }) => `Hi, ${to}`)],
};

/** Every request that depends on a capability, with params for the entries above. */
const requests: Record<string, Params> = {
  'tools/list': {},
  'tools/call': { name: 'greet' },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'note://one' },
  'resources/subscribe': { uri: 'note://one' },
  'resources/unsubscribe': { uri: 'note://one' },
  'prompts/list': {},
  'prompts/get': { name: 'hi' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'hi' }, argument: { name: 'to', value: 'a' } },
};

const paramsOf = (method: string): Params => requests[method] ?? {};

function server(options: Partial<ServerOptions> = offered): Server {
  return createServer({ name: 'n', version: '1', ...options });
}

async function connect(to: Server, version: string): Promise<McpClient> {
  const client = new McpClient(memoryWire(to), { version });
  await client.initialize();
  return client;
}

describe('a method exists only if the server has the feature that it needs', () => {
  const { tools, resources, templates, prompts } = offered;
  const cases: [method: string, without: Partial<ServerOptions>][] = [
    ['tools/list', { resources, templates, prompts }],
    ['tools/call', { resources, templates, prompts }],
    ['resources/list', { tools, prompts }],
    ['resources/templates/list', { tools, prompts }],
    ['resources/read', { tools, prompts }],
    ['resources/subscribe', { tools, prompts }],
    ['resources/unsubscribe', { tools, prompts }],
    ['prompts/list', { tools, resources, templates }],
    ['prompts/get', { tools, resources, templates }],
    ['completion/complete', { tools, resources, prompts: [prompt('hi', { arguments: { to: {} } }, () => 'Hi')] }],
  ];

  it.each(cases)('%s', async (method, without) => {
    const version = '2025-11-25';
    const has = await connect(server(), version);
    expect((await has.sendRequest(method, paramsOf(method))).result).toBeDefined();
    const lacks = await connect(server(without), version);
    const { message } = expectError(await lacks.sendRequest(method, paramsOf(method)), -32601);
    expect(message).toBe(`Method not found: ${method}`);
  });
});

describe('a composed server routes a request to the part that offers the named entry', () => {
  const seenBy = async (method: string): Promise<string[]> => {
    const seen: string[] = [];
    const part = server().use((operation, next) => {
      seen.push(operation.method);
      return next();
    });
    const whole = compose({ empty: createServer({ name: 'empty', version: '1' }), part }, { name: 'w', version: '1' });
    const client = await connect(whole, '2025-11-25');
    expect((await client.sendRequest(method, paramsOf(method))).result).toBeDefined();
    return seen;
  };

  it.each(['tools/call', 'resources/read', 'resources/subscribe', 'prompts/get', 'completion/complete'])(
    '%s',
    async (method) => {
      expect(await seenBy(method)).toEqual([method]);
    },
  );

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'resources/unsubscribe', 'prompts/list'])(
    'but the whole serves %s',
    async (method) => {
      expect(await seenBy(method)).toEqual([]);
    },
  );
});

describe('a result has cache hints', () => {
  const answered = async (method: string): Promise<Params> => {
    const client = await connect(server({ ...offered, cache: { ttlMs: 5, scope: 'public' } }), '2026-07-28');
    return client.request(method, paramsOf(method));
  };

  it.each([
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
  ])('in an answer to %s', async (method) => {
    expect(await answered(method)).toMatchObject({ ttlMs: 5, cacheScope: 'public' });
  });

  it.each(['tools/call', 'prompts/get', 'completion/complete'])('but not in an answer to %s', async (method) => {
    const result = await answered(method);
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(result).not.toHaveProperty('ttlMs');
    expect(result).not.toHaveProperty('cacheScope');
  });
});

describe('over HTTP, a header mirrors the subject of a stateless request', () => {
  const version = '2026-07-28';
  const region = { type: 'string', 'x-mcp-header': 'Region' } as const;
  const marked = tool('marked', { input: { type: 'object', properties: { region } } as const }, () => 'marked');
  const settings = { ...offered, tools: [...offered.tools, marked] };
  const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };

  const sendTo = async (url: string, method: string, params: Params, headers: Record<string, string>) => {
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
    const response = await post(url, message, { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...headers });
    return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
  };

  it.each([
    ['tools/call', 'greet'],
    ['resources/read', 'note://one'],
    ['prompts/get', 'hi'],
  ])('%s: its name', async (method, name) => {
    const { url } = await start({}, settings);
    const send = (headers: Record<string, string>) => sendTo(url, method, paramsOf(method), headers);
    expect((await send({ 'Mcp-Name': name })).result).toBeDefined();
    expect((await send({})).error).toMatchObject({ code: -32020, message: expect.stringContaining('Mcp-Name') });
    expect((await send({ 'Mcp-Name': 'other' })).error).toMatchObject({ code: -32020 });
  });

  it('tools/call: the arguments that the schema marks', async () => {
    const { url } = await start({}, settings);
    const call = { name: 'marked', arguments: { region: 'north' } };
    const send = (headers: Record<string, string>) =>
      sendTo(url, 'tools/call', call, { 'Mcp-Name': 'marked', ...headers });
    expect((await send({ 'Mcp-Param-Region': 'north' })).result).toBeDefined();
    expect((await send({})).error).toMatchObject({
      code: -32020,
      message: expect.stringContaining('Mcp-Param-Region'),
    });
  });

  it('as a client of this library does', async () => {
    const { url } = await start({}, settings);
    const sent: Record<string, string | null>[] = [];
    const watch: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      sent.push(
        Object.fromEntries(['mcp-method', 'mcp-name', 'mcp-param-region'].map((name) => [name, headers.get(name)])),
      );
      return fetch(input, init);
    };
    const client = await testClient(server(), { version, transport: () => httpTransport(url, { fetch: watch }) });
    onTestFinished(() => client.close());
    await client.listTools().all();
    sent.length = 0;
    await client.callTool('marked', { region: 'north' });
    await client.readResource('note://one');
    await client.getPrompt('hi', { to: 'Ada' });
    expect(sent).toEqual([
      { 'mcp-method': 'tools/call', 'mcp-name': 'marked', 'mcp-param-region': 'north' },
      { 'mcp-method': 'resources/read', 'mcp-name': 'note://one', 'mcp-param-region': null },
      { 'mcp-method': 'prompts/get', 'mcp-name': 'hi', 'mcp-param-region': null },
    ]);
  });
});

describe('a session over HTTP stores its changes', () => {
  it('by logging/setLevel', async () => {
    const { url, server: served } = await start();
    const session = await handshake(url);
    const standalone = await session.listen();
    await standalone.next();
    await session.request('logging/setLevel', { level: 'error' });
    served.log('warning', 'too little');
    served.log('error', 'enough');
    expect(await standalone.message()).toMatchObject({ params: { level: 'error', data: 'enough' } });
  });

  it('by resources/subscribe and resources/unsubscribe', async () => {
    const { url, server: served } = await start();
    const session = await handshake(url);
    await session.request('resources/subscribe', { uri: 'test://one' });
    await session.request('resources/subscribe', { uri: 'test://two' });
    const standalone = await session.listen();
    await standalone.next();
    const update = (): void => {
      served.resources.updated('test://one');
      served.resources.updated('test://two');
    };
    update();
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://one' } });
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://two' } });
    await session.request('resources/unsubscribe', { uri: 'test://one' });
    update();
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://two' } });
  });
});

it('over HTTP, a subscription needs a client that accepts a stream', async () => {
  const { url } = await start();
  const client = statelessClient(url, { headers: { Accept: 'application/json' } });
  const rejected = await client.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(rejected.status).toBe(406);
  expect((await client.send('tools/list')).status).toBe(200);
});

describe('a client requests progress', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'of calls, which may take long, and of nothing else, in %s',
    async (version) => {
      const asked: string[] = [];
      const watched = server().use(({ method, meta }, next) => {
        if (meta.progressToken !== undefined) asked.push(method);
        return next();
      });
      const client = await testClient(watched, { version });
      await client.listTools().all();
      await client.readResource('note://one');
      await client.getPrompt('hi', { to: 'Ada' });
      expect(asked).toEqual([]);
      await client.callTool('greet');
      expect(asked).toEqual(['tools/call']);
    },
  );
});

it('only ping is answered while too many requests are running', async () => {
  let finish: (text: string) => void = () => {};
  const slow = tool('slow', {}, () => new Promise<string>((resolve) => (finish = resolve)));
  const client = await connect(server({ tools: [slow], maxRunning: 1 }), '2025-11-25');
  const running = client.post('tools/call', { name: 'slow' });
  expect((await client.sendRequest('ping')).result).toEqual({});
  const { message } = expectError(await client.sendRequest('tools/list'), -32603);
  expect(message).toBe(
    'Server busy: 1 requests are running on this connection; try again when some have been answered',
  );
  finish('done');
  expect((await client.answerTo(running)).result).toBeDefined();
  expect((await client.sendRequest('tools/list')).result).toBeDefined();
});

describe('under backpressure', () => {
  const methods = new MethodTable();
  const note = (method: string) => ({ jsonrpc: '2.0', method }) as const;

  it.each([
    ['notifications/progress', 'is not sent', 0],
    ['notifications/message', 'is not sent', 0],
    ['notifications/tools/list_changed', 'is sent', 1],
    ['notifications/resources/updated', 'is sent', 1],
  ])('%s %s', (method, _, times) => {
    const written: unknown[] = [];
    const outbox = { backpressured: true, add: () => {}, addOnce: (text: unknown) => void written.push(text) };
    const framing = { frame: (text: string) => text };
    const outgoing = createMessageWriter({
      server: engineOf(server()),
      writeBuffer: outbox,
      framing,
      methods,
      followUp: () => undefined,
      answered: () => {},
    });
    outgoing.send(note(method));
    expect(written).toHaveLength(times);
    expect(deliveryPolicyOf(note(method), methods)).toBe(times === 0 ? 'droppable' : 'mergeable');
  });
});

describe('a table of methods', () => {
  it('has the rows of the protocol and those of extensions, and defaults for others', () => {
    const methods = new MethodTable({ 'tickets/draw': { urgent: true } }, { 'tickets/list': { caches: true } });
    expect(methods.of('tickets/draw')).toEqual({ urgent: true });
    expect(methods.of('tickets/list')).toEqual({ caches: true });
    expect(methods.of('tools/call').takesLong).toBe(true);
    expect(methods.of('tickets/other')).toEqual({});
    expect(methods.of('constructor')).toEqual({});
  });
});
