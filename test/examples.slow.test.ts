import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, httpTransport } from '@ccmcp/core/client';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, McpClient } from './support/mcp-client.ts';
import { type ChildWire, childWire } from './support/wires.ts';

const opened: ChildWire[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((wire) => wire.close()));
});

interface Started {
  client: McpClient;
  wire: ChildWire;
}

/** Starts an example until the test ends. */
async function start(example: string, options?: ClientOptions): Promise<Started> {
  const started = await open(example, options);
  opened.push(started.wire);
  return started;
}

/** Starts an example as its documentation says. */
async function open(example: string, options: ClientOptions = { version: '2025-11-25' }): Promise<Started> {
  const wire = childWire(process.execPath, [
    fileURLToPath(new URL(`../examples/${example}/server.js`, import.meta.url)),
  ]);
  const client = new McpClient(wire, options);
  const ended = wire.exited.then(() => Promise.reject(new Error(`The example did not start: ${wire.stderr()}`)));
  await Promise.race([client.initialize(), ended]);
  return { client, wire };
}

describe('examples/greet', () => {
  it('greets, exits with its client and prints nothing to stderr', async () => {
    const { client, wire } = await start('greet');
    const { tools } = await client.request('tools/list');
    const answer = await client.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } });

    expect(tools).toMatchObject([{ name: 'greet', description: 'Greet someone by name' }]);
    expect(answer).toEqual({ content: [{ type: 'text', text: 'Hello, Ada!' }], isError: false });
    await wire.close();

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(wire.stderr()).toBe('');
  });
});

describe('examples/gateway', () => {
  it('serves its own tools and those of another server', async () => {
    const { client } = await start('gateway');
    const { tools } = (await client.request('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(['greet_greet', 'now']);
    const answer = await client.request('tools/call', { name: 'greet_greet', arguments: { name: 'Ada' } });
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Hello, Ada!' }] });
  });
});

describe('examples/openapi', () => {
  it('serves the operations of an API, and leads to the next page', async () => {
    const { client } = await start('openapi');
    const list = await client.request('tools/call', { name: 'list_books', arguments: {} });
    expect(list).toMatchObject({
      structuredContent: { books: [{ title: 'Moby-Dick' }, { title: 'Middlemarch' }] },
      content: [{}, { text: 'Next page: call list_books with {"page":2}' }],
    });
    const missing = await client.request('tools/call', { name: 'get_book', arguments: { id: 9 } });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ text: 'GET /books/{id}: status 404\nThere is no such book' }],
    });
  });
});

describe('examples/app-view', () => {
  it('has a view, and text for hosts without views', async () => {
    const { client } = await start('app-view');
    const { tools } = await client.request('tools/list');
    const { contents } = await client.request('resources/read', { uri: 'ui://dice/view.html' });
    const answer = await client.request('tools/call', { name: 'roll', arguments: { count: 3 } });

    expect(tools).toMatchObject([{ name: 'roll', _meta: { ui: { resourceUri: 'ui://dice/view.html' } } }]);
    expect(contents).toMatchObject([
      { mimeType: 'text/html;profile=mcp-app', text: expect.stringMatching(/^<!doctype html>/) },
    ]);
    expect(answer).toMatchObject({
      content: [{ text: expect.stringMatching(/^Rolled [1-6], [1-6], [1-6]$/) }],
      structuredContent: { sides: 6 },
    });
  });
});

interface Converted {
  isError: boolean;
  content: [{ text: string }];
  structuredContent?: unknown;
}

describe('examples/typed-with-zod', () => {
  let client: McpClient;
  const convert = (args: object): Promise<Converted> =>
    client.request('tools/call', { name: 'convert_temperature', arguments: args });

  beforeAll(async () => {
    const started = await open('typed-with-zod');
    client = started.client;
    return () => started.wire.close();
  });

  it('shows the schemas of zod as JSON Schema', async () => {
    const { tools } = await client.request('tools/list');

    expect(tools[0].inputSchema).toMatchObject({ type: 'object', required: ['value', 'from'] });
    expect(tools[0].inputSchema.properties.to).toMatchObject({ default: 'celsius' });
    expect(tools[0].outputSchema).toMatchObject({ type: 'object', required: ['value', 'unit'] });
  });

  it('answers with text and structured content, with defaults filled in', async () => {
    const answer = await convert({ value: 212, from: 'fahrenheit' });

    expect(answer.structuredContent).toEqual({ value: 100, unit: 'celsius' });
    expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
  });

  it('names the wrong argument to the model', async () => {
    const answer = await convert({ value: 'hot', from: 'celsius' });

    expect(answer.isError).toBe(true);
    expect(answer.content[0].text).toContain('value:');
  });

  it('explains to the model what is impossible', async () => {
    const answer = await convert({ value: -1, from: 'kelvin' });

    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('absolute zero') }] });
  });
});

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('examples/ask-the-user in revision %s', (version) => {
  const person = (reply: object, asked: object[] = []): ClientOptions => ({
    version,
    capabilities: { elicitation: {} },
    meta: { progressToken: 'tea' },
    answer: (method, params) => {
      asked.push({ method, ...params });
      return reply;
    },
  });

  it('asks for a tea, reports progress, and brews', async () => {
    const asked: object[] = [];
    const { client } = await start('ask-the-user', person({ action: 'accept', content: { tea: 'mint' } }, asked));
    const answer = await client.request('tools/call', { name: 'brew_tea', arguments: { cups: 2 } });

    expect(asked).toMatchObject([{ method: 'elicitation/create', message: 'Which tea for 2 cups?' }]);
    expect(answer).toMatchObject({ content: [{ text: 'Brewed 2 cups of mint tea' }], isError: false });
    expect(client.notifications('notifications/progress').map(({ params }) => params)).toEqual([
      { progressToken: 'tea', progress: 1, total: 2, message: 'Cup 1 of 2' },
      { progressToken: 'tea', progress: 2, total: 2, message: 'Cup 2 of 2' },
    ]);
  });

  it('does nothing if the person declines', async () => {
    const { client, wire } = await start('ask-the-user', person({ action: 'decline' }));
    const answer = await client.request('tools/call', { name: 'brew_tea', arguments: { cups: 2 } });
    await wire.close();

    expect(answer).toMatchObject({ isError: true, content: [{ text: 'No tea was chosen, so nothing was brewed' }] });
    expect(wire.stderr()).not.toContain('Kettle on');
  });

  it('switches the kettle on once, and off when it is cancelled meanwhile', async () => {
    const { client, wire } = await start('ask-the-user', person({ action: 'accept', content: { tea: 'green' } }));
    const brewing = client.request('tools/call', { name: 'brew_tea', arguments: { cups: 100 } });
    await client.readNotification('notifications/progress');
    // The first request was the handshake; a stateless client has sent its call twice.
    client.sendNotification('notifications/cancelled', { requestId: client.stateless ? 3 : 2 });
    await client.request('tools/list');
    await wire.close();

    expect(await Promise.race([brewing, Promise.resolve('no answer')])).toBe('no answer');
    expect(wire.stderr().match(/Kettle \w+/g)).toEqual(['Kettle on', 'Kettle off']);
  });
});

describe('examples/long-job', () => {
  it('bakes as a task: asks how dark, reports progress, and returns the result later (TX-07, TX-13, TX-14)', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../examples/long-job/server.js', import.meta.url))]);
    onTestFinished(() => void child.kill());
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const M = 'io.modelcontextprotocol';
    const capabilities = { elicitation: {}, extensions: { [`${M}/tasks`]: {} } };
    const send = async (method: string, name: string, params: object): Promise<Record<string, unknown>> => {
      const _meta = { [`${M}/protocolVersion`]: '2026-07-28', [`${M}/clientCapabilities`]: capabilities };
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': method,
          'Mcp-Name': name,
        },
      });
      return ((await response.json()) as { result: Record<string, unknown> }).result;
    };
    const { taskId } = await send('tools/call', 'bake_bread', { name: 'bake_bread', arguments: { loaves: 3 } });
    const until = async (status: string): Promise<Record<string, unknown>> => {
      for (;;) {
        const task = await send('tasks/get', taskId as string, { taskId });
        if (task.status === status) return task;
      }
    };
    const { inputRequests } = await until('input_required');
    const [key] = Object.keys(inputRequests as object) as [string];
    const inputResponses = { [key]: { action: 'accept', content: { crust: 'dark' } } };
    await send('tasks/update', taskId as string, { taskId, inputResponses });

    expect(await until('completed')).toMatchObject({ result: { content: [{ type: 'text', text: '3 dark loaves' }] } });
  });
});

describe('examples/shared-store', () => {
  const folder = fileURLToPath(new URL('../examples/shared-store/', import.meta.url));
  let cluster: ChildProcess | undefined;

  afterEach(async () => {
    if (cluster === undefined) return;
    cluster.kill();
    await once(cluster, 'exit');
  });

  it('serves one session from two processes', async () => {
    cluster = spawn(process.execPath, [`${folder}server.js`], { stdio: ['ignore', 'pipe', 'inherit'] });
    const urls: string[] = [];
    if (cluster.stdout !== null)
      for await (const url of createInterface(cluster.stdout)) if (urls.push(url) === 2) break;
    expect(urls[0]).toBe(urls[1]);

    const sessions = new Set<string | null>();
    // A connection stays with the process that accepted it.
    const seen: typeof fetch = async (address, init) => {
      sessions.add(new Headers(init?.headers).get('Mcp-Session-Id'));
      return fetch(address, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), Connection: 'close' },
      });
    };
    const client = await connect(httpTransport(urls[0] as string, { fetch: seen }), { version: '2025-11-25' });
    const answers = new Set<string>();
    for (let call = 0; call < 6; call += 1) answers.add(JSON.stringify((await client.callTool('who')).content));
    await client.close();

    expect(answers.size).toBe(2);
    expect(sessions.size).toBe(2);
    expect(sessions).toContain(null);
  });
});

describe('examples/traced-server', () => {
  const program = fileURLToPath(new URL('../examples/traced-server/client.js', import.meta.url));

  it("has one trace, from the program through both sides to the handler's own span", async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
    const spans = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<'name' | 'traceId' | 'spanId' | 'parent', string>)
      .filter(({ name }) => name !== 'server/discover');
    // Two processes write, in any order.
    const below = (parent: string | undefined) => spans.find((span) => span.parent === parent);
    const trip = spans.find(({ name }) => name === 'plan a trip');
    const sent = below(trip?.spanId);
    const served = below(sent?.spanId);
    const sky = below(served?.spanId);

    expect(stdout).toBe('In Lisbon it will be fine\n');
    expect([sent?.name, served?.name, sky?.name]).toEqual([
      'tools/call forecast',
      'tools/call forecast',
      'look at the sky',
    ]);
    expect(spans).toHaveLength(4);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });
});

describe('examples/own-extension', () => {
  const folder = fileURLToPath(new URL('../examples/own-extension/', import.meta.url));
  const draws = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [`${folder}client.js`, ...args])).stdout;
  const expected = 'Number 1 is called\nNumber 1 goes to desk 1\n';
  let service: ChildProcess | undefined;

  afterEach(async () => {
    if (service === undefined) return;
    service.kill();
    await once(service, 'exit');
    service = undefined;
  });

  it('draws a number over stdio, by one call of the client', async () => {
    expect(await draws()).toBe(expected);
  });

  it('draws a number over HTTP', async () => {
    service = spawn(process.execPath, [`${folder}server.js`, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(service.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
    expect(await draws(url.toString().trim())).toBe(expected);
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'is served in %s, with the tools of the other part beside it',
    async (version) => {
      const extensions = { 'com.example/tickets': {} };
      const { client } = await start('own-extension', { version, capabilities: { extensions } });
      expect(await client.request('tickets/draw')).toMatchObject({ resultType: 'ticket', number: 1 });
      expect((await client.request('tools/call', { name: 'now' })).isError).toBe(false);
    },
  );

  it('rejects a request of the newest revision that does not declare it (X-04)', async () => {
    const { client } = await start('own-extension', { version: '2026-07-28' });
    const { error } = await client.sendRequest('tickets/draw');
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'com.example/tickets': {} } } },
    });
  });
});
