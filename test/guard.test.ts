import { createHook } from 'node:async_hooks';
import { Buffer } from 'node:buffer';
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createServer, type Peer, type Server, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { serveStdio } from '@ccmcp/core/stdio';
import { buildSync, transformSync } from 'esbuild';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { root } from './support/imports.ts';

// Causes of slowness are counted, because counts do not depend on the machine or its load.

const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"guard","version":"1"}}}\n';

/** An expression with \p in the code. The build replaces it by a call of the constructor if the \p is outside of brackets. */
const literalWithProperty = /(?<!\\)\\p\{/;

function echoServer(): Server {
  const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] } as const;
  return createServer({
    name: 'guard',
    version: '1.0.0',
    tools: [tool('echo', { input }, ({ message }) => message)],
  });
}

function call(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}\n`;
}

/** Serves over streams in this process, and records each write. */
function connect(server: Server): { writes: string[]; send(text: string, answers: number): Promise<string[]> } {
  const input = new PassThrough();
  const writes: string[] = [];
  let received = (): void => {};
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
      received();
    },
  });
  serveStdio(server, { input, output });
  const linesSince = (from: number): string[] => writes.slice(from).join('').split('\n').slice(0, -1);
  return {
    writes,
    send(text, answers) {
      const from = writes.length;
      return new Promise((resolve) => {
        received = () => {
          const lines = linesSince(from);
          if (lines.length >= answers) resolve(lines);
        };
        input.write(text);
      });
    },
  };
}

describe('over stdio', () => {
  it('a chunk of 64 requests gets one write', async () => {
    const { writes, send } = connect(echoServer());
    await send(initialize, 1);
    await send(call(1), 1);
    const before = writes.length;
    const chunk = Array.from({ length: 64 }, (_, index) => call(2 + index)).join('');
    const answers = await send(chunk, 64);
    expect(answers).toHaveLength(64);
    expect(writes.length - before).toBe(1);
  });

  it('a response has no byte that the protocol does not require', async () => {
    const { send } = connect(echoServer());
    await send(initialize, 1);
    const [answer] = await send(call(1), 1);
    expect(answer).toBe('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}],"isError":false}}');
  });

  it('a call parses only its arguments, and stringifies only its text', async () => {
    const { send } = connect(echoServer());
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'guard', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { message: 'hi' }, _meta };
    const ask = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    await send(ask(1), 1);
    for (const id of [2, 3]) await send(ask(id), 1);
    const chunk = Array.from({ length: 64 }, (_, index) => ask(4 + index)).join('');
    const { parse, stringify } = JSON;
    const parsed: unknown[] = [];
    const stringified: unknown[] = [];
    JSON.parse = (text, ...more) => {
      parsed.push(text);
      return parse(text, ...more) as unknown;
    };
    JSON.stringify = ((value: unknown) => {
      stringified.push(value);
      return stringify(value);
    }) as typeof stringify;
    const answers = await send(chunk, 64).finally(() => Object.assign(JSON, { parse, stringify }));
    expect(JSON.parse(answers[63] as string)).toMatchObject({ id: 67, result: { content: [{ text: 'hi' }] } });
    expect(parsed).toEqual(Array.from({ length: 64 }, () => '{"message":"hi"}'));
    expect(stringified).toEqual(Array.from({ length: 64 }, () => 'hi'));
  });

  it('the text of a list is encoded once, not for each client', async () => {
    let written = 0;
    const counted = {
      toJSON() {
        written++;
        return 'counted';
      },
    };
    const server = echoServer();
    server.tools.add({ name: 'counted', _meta: { counted }, call: () => 'done' });
    const list = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`;
    for (const client of [connect(server), connect(server)]) {
      await client.send(initialize, 1);
      for (let id = 1; id <= 20; id++) {
        const [answer] = await client.send(list(id), 1);
        expect(answer).toContain('"counted":"counted"');
      }
    }
    expect(written).toBe(1);
  });
});

describe('a list of thousands of schemas of a library', () => {
  /** Tools with library schemas, and a counter of conversions to JSON Schema. */
  function manySchemas(count: number): { server: Server; asked: () => number } {
    let asked = 0;
    const write = (): Record<string, unknown> => {
      asked++;
      return { type: 'object' };
    };
    const server = echoServer();
    for (let each = 0; each < count; each++) {
      const standard = { version: 1, vendor: 'guard', validate: (value: unknown) => ({ value }) } as const;
      const input = { '~standard': { ...standard, jsonSchema: { input: write, output: write } } };
      server.tools.add(tool(`t${each}`, { input }, () => 'done'));
    }
    return { server, asked: () => asked };
  }

  const called = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t1999","arguments":{}}}\n';
  const listed = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';

  it('is encoded once, and on stdio a call sent after it is answered first', async () => {
    const { server, asked } = manySchemas(2000);
    const { send } = connect(server);
    await send(initialize, 1);
    const answers = await send(listed + called, 2);
    expect(answers.map((text) => JSON.parse(text).id)).toEqual([2, 1]);
    await send(listed, 1);
    expect(asked()).toBe(2000);
  });

  it('and over HTTP too', async () => {
    const { server, asked } = manySchemas(9000);
    const { url, close } = await serveHttp(server, { port: 0 });
    onTestFinished(() => close());
    const order: number[] = [];
    const post = async (body: string): Promise<void> => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'MCP-Protocol-Version': '2025-06-18' },
        body,
      });
      order.push(((await answer.json()) as { id: number }).id);
    };
    const long = post(listed);
    while (asked() === 0) await new Promise((resolve) => void setImmediate(resolve));
    await Promise.all([long, post(called)]);
    expect(order).toEqual([2, 1]);
    expect(asked()).toBe(9000);
  });
});

describe('a call that awaits nothing', () => {
  /** The first call initializes what later ones use; later calls must not wait. */
  async function caller(server: Server): Promise<(id: number) => void> {
    const peer: Peer = { running: new Map(), send: () => {} };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { message: 'hi' }, _meta };
    const handle = (id: number): unknown => server.handle({ jsonrpc: '2.0', id, method: 'tools/call', params }, peer);
    // Invalid arguments load the validator, which is otherwise loaded in the background after many calls.
    const invalid = { ...params, arguments: {} };
    await server.handle({ jsonrpc: '2.0', id: -1, method: 'tools/call', params: invalid }, peer);
    await handle(0);
    return (id) => {
      expect(handle(id)).toMatchObject({ id, result: { content: [{ text: 'hi' }] } });
    };
  }

  it('creates no promise, no timer and no other asynchronous resource', async () => {
    const callOnce = await caller(echoServer());
    const made: string[] = [];
    const hook = createHook({ init: (_id, type) => void made.push(type) });
    hook.enable();
    for (let id = 1; id <= 100; id++) callOnce(id);
    hook.disable();
    expect(made).toEqual([]);
  });

  it('creates no AbortController, because its handler used no signal', async () => {
    const callOnce = await caller(echoServer());
    const Original = globalThis.AbortController;
    let made = 0;
    globalThis.AbortController = class extends Original {
      constructor() {
        super();
        made++;
      }
    };
    try {
      for (let id = 1; id <= 100; id++) callOnce(id);
    } finally {
      globalThis.AbortController = Original;
    }
    expect(made).toBe(0);
  });
});

/** Reports on request which modules were loaded, and how many promises were created. */
const spy = `
  import { createHook } from 'node:async_hooks';
  import { register } from 'node:module';
  import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
  const files = [];
  let promises = 0;
  let timers = 0;
  const { port1, port2 } = new MessageChannel();
  const hooks = 'let port; export function initialize(given) { port = given; } ' +
    'export function load(url, context, next) { port.postMessage(url); return next(url, context); }';
  register('data:text/javascript,' + encodeURIComponent(hooks), { data: port2, transferList: [port2] });
  createHook({
    init(id, type) {
      if (type === 'PROMISE') promises++;
      if (type === 'Timeout') timers++;
    },
  }).enable();
  globalThis.spy = () => {
    for (let next; (next = receiveMessageOnPort(port1)) !== undefined; ) files.push(next.message);
    return JSON.stringify({ files, promises, timers, builtins: process.moduleLoadList });
  };
`;

interface Seen {
  files: string[];
  promises: number;
  timers: number;
  builtins: string[];
}

const children: ChildProcessByStdio<Writable, Readable, null>[] = [];

/** Runs a module in its own process with the built packages, like an author's server. */
function run(code: string): { child: ChildProcessByStdio<Writable, Readable, null>; line(): Promise<string> } {
  const preload = `data:text/javascript,${encodeURIComponent(spy)}`;
  const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const spyServer = (input = 'undefined'): string => `
  import { createServer, tool } from '@ccmcp/core';
  const input = ${input};
  const server = createServer({ name: 'guard', version: '1', tools: [tool('spy', { input }, () => globalThis.spy())] });
`;

const callSpy = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"spy","arguments":{}}}`;

function seenIn(answer: string): Seen {
  const { result } = JSON.parse(answer) as { result: { content: [{ text: string }] } };
  return JSON.parse(result.content[0].text) as Seen;
}

/** The code of the files of a report. Comments and indentation cost next to nothing. */
function loadedCode({ files }: Pick<Seen, 'files'>): string[] {
  const own = files.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  return own.map((path) => transformSync(readFileSync(path, 'utf8'), { minifyWhitespace: true }).code);
}

describe('a started server on stdio', () => {
  /** Sends `initialize` and a tool call at once. Returns the report at that time, and a function for later reports. */
  async function start({ input }: { input: string }): Promise<{ seen: Seen; ask: () => Promise<Seen> }> {
    const { child, line } = run(`
      import { serveStdio } from '@ccmcp/core/stdio';
      ${spyServer(input)}
      serveStdio(server);
    `);
    child.stdin.write(`${initialize}${callSpy(1)}\n`);
    await line();
    const seen = seenIn(await line());
    const ask = async (): Promise<Seen> => {
      child.stdin.write(`${callSpy(2)}\n`);
      return seenIn(await line());
    };
    return { seen, ask };
  }
  const takesArguments = { input: '{ type: "object", properties: { a: { type: "string" } } }' };
  const started = async (): Promise<Seen> => (await start(takesArguments)).seen;
  const validators = ({ files }: Seen): string[] => files.filter((url) => url.includes('json-schema'));

  it('has loaded few files, and no validator, even for a call of a tool that takes arguments', async () => {
    const seen = await started();
    const code = loadedCode(seen);
    expect(code.length).toBeGreaterThan(0);
    expect(code.length).toBeLessThanOrEqual(8);
    // Lower this bound when less is needed.
    expect(code.join('').length).toBeLessThanOrEqual(299_700);
    expect(validators(seen)).toEqual([]);
  });

  it('loads the validator later, before a call needs it, if a schema is not plain', async () => {
    const input = '{ type: "object", properties: { a: { type: "string", format: "email" } } }';
    const { ask } = await start({ input });
    await expect.poll(async () => validators(await ask()), { timeout: 10_000 }).toHaveLength(1);
  });

  it('loads no validator later if all schemas are plain', async () => {
    const { ask } = await start(takesArguments);
    const pauseMs = 20;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    expect(validators(await ask())).toEqual([]);
  });

  it('loads nothing later if no tool has a schema, and schedules no timer for it', async () => {
    expect((await start({ input: 'undefined' })).seen.timers).toBe(0);
    expect((await started()).timers).toBe(1);
  });

  it('has loaded no expensive Node module: no HTTP, no fetch, no cryptography', async () => {
    const { builtins } = await started();
    expect(builtins).toContain('NativeModule internal/process/promises');
    const costly = /^NativeModule (http|https|crypto|vm|internal\/crypto\/.*|internal\/deps\/undici\/undici)$/;
    expect(builtins.filter((name) => costly.test(name))).toEqual([]);
  });
});

describe('until `initialize` is answered', () => {
  /** Prints the report after the first response. */
  const tellFirst = `
    const { stdout } = process;
    const write = stdout.write.bind(stdout);
    stdout.write = (text, done) => {
      stdout.write = write;
      return write(text + globalThis.spy() + '\\n', done);
    };
  `;

  async function seenBy(code: string): Promise<Seen> {
    const { child, line } = run(`${tellFirst}${code}`);
    child.stdin.write(initialize);
    expect(JSON.parse(await line())).toMatchObject({ id: 0, result: {} });
    return JSON.parse(await line()) as Seen;
  }

  const bareLoop = `await import(${JSON.stringify(join(root, 'bench/peers/bare/one-file.mjs'))});`;
  const input = '{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }';
  const server = `
    const { createServer, tool } = await import('@ccmcp/core');
    const { serveStdio } = await import('@ccmcp/core/stdio');
    const tools = ['one', 'two'].map((name) => tool(name, { input: ${input} }, () => 'done'));
    serveStdio(createServer({ name: 'guard', version: '1', tools }));
  `;

  it('a server has loaded three files, few bytes, and almost nothing of Node', async () => {
    const [{ files, builtins }, bare] = await Promise.all([seenBy(server), seenBy(bareLoop)]);
    const code = loadedCode({ files });
    expect(code).toHaveLength(3);
    // Lower this bound when less is needed.
    expect(code.join('').length).toBeLessThanOrEqual(140_500);
    expect(code.join('')).not.toMatch(literalWithProperty);
    const more = builtins.filter((name) => name.startsWith('NativeModule') && !bare.builtins.includes(name));
    expect(more).toEqual([]);
  });

  it('a gateway with 50 upstreams has loaded no client, and nothing that forwards requests', async () => {
    const seen = await seenBy(`
      const { compose } = await import('@ccmcp/core/compose');
      const { serveStdio } = await import('@ccmcp/core/stdio');
      const { remote } = await import('@ccmcp/gateway');
      const names = Array.from({ length: 50 }, (_, index) => 'up' + index);
      const parts = names.map((name) => [name, remote({ name, target: { command: 'no-such-program' } })]);
      serveStdio(compose(Object.fromEntries(parts), { name: 'guard', version: '1' }));
    `);
    const code = loadedCode(seen);
    // Lower these bounds when less is needed.
    expect(code.length).toBeLessThanOrEqual(12);
    expect(code.join('').length).toBeLessThanOrEqual(212_600);
    expect(seen.builtins).not.toContain('NativeModule child_process');
  });
});

describe('an entry of the library', () => {
  it('leaves expressions with \\p to their first use: reading one takes as long as 20 KB of code', () => {
    const dist = join(root, 'packages/core/dist');
    const entries = readdirSync(dist).filter((file) => file.endsWith('.js'));
    expect(entries).toContain('index.js');
    const found = entries.filter((file) => literalWithProperty.test(readFileSync(join(dist, file), 'utf8')));
    // A file for web pages.
    expect(found).toEqual(['apps-host.js']);
  });

  it('imports nothing of Node eagerly, for runtimes without it such as Workers', () => {
    const portable = ['client', 'compose', 'groups', 'http', 'index', 'result-budget', 'tasks', 'tool-search'];
    const { metafile } = buildSync({
      entryPoints: portable.map((name) => join(root, `packages/core/dist/${name}.js`)),
      outdir: 'none',
      bundle: true,
      write: false,
      format: 'esm',
      external: ['node:*'],
      metafile: true,
      logLevel: 'silent',
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter(({ path, kind }) => path.startsWith('node:') && kind === 'import-statement')).toEqual([]);
  });
});

describe('a server on HTTP', () => {
  /** Requests a report from one client after another. */
  async function ask(times: number, { inSession = false } = {}): Promise<Seen[]> {
    const { line } = run(`
      import { serveHttp } from '@ccmcp/core/http';
      ${spyServer()}
      console.log((await serveHttp(server)).url);
    `);
    const url = await line();
    const session = inSession ? await begin(url) : {};
    const seen: Seen[] = [];
    for (let id = 1; id <= times; id++) seen.push(seenIn((await post(url, callSpy(id), session)).text));
    return seen;
  }

  async function begin(url: string): Promise<Record<string, string>> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'guard', version: '1' } };
    const { id } = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    return { 'Mcp-Session-Id': id ?? '' };
  }

  it('uses no web-standard objects, which would cost more than everything else', async () => {
    const [{ builtins } = { builtins: [] }] = await ask(1);
    expect(builtins).toContain('NativeModule http');
    expect(builtins).not.toContain('NativeModule internal/deps/undici/undici');
  });

  it('creates no promise for a call that awaits nothing', async () => {
    for (const inSession of [false, true]) {
      const counts = (await ask(6, { inSession })).map(({ promises }) => promises);
      const perCall = counts.slice(2).map((count, index) => count - (counts[index + 1] as number));
      expect(Math.max(...perCall)).toBe(0);
    }
  });
});

describe('a client on HTTP', () => {
  it('uses no web-standard objects either', async () => {
    const service = await serveHttp(echoServer());
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    const { line } = run(`
      import { connect, httpTransport } from '@ccmcp/core/client';
      const client = await connect(httpTransport(${JSON.stringify(service.url)}));
      await client.callTool('echo', { message: 'hi' });
      console.log(globalThis.spy());
      await client.close();
    `);
    const { builtins } = JSON.parse(await line()) as Seen;
    expect(builtins).toContain('NativeModule http');
    expect(builtins).not.toContain('NativeModule internal/deps/undici/undici');
  });
});

describe('a call of a client', () => {
  /** Makes a hundred calls with a client, and counts the objects created for them. */
  async function made(transport: string): Promise<{ promises: number; timers: number; controllers: number }> {
    const { line } = run(`
      import { createHook } from 'node:async_hooks';
      import { connect, httpTransport, spawn } from '@ccmcp/core/client';
      const client = await connect(${transport});
      const call = () => client.callTool('echo', { message: 'hi' });
      for (let each = 0; each < 5; each++) await call();
      let promises = 0;
      let timers = 0;
      let controllers = 0;
      const Original = globalThis.AbortController;
      globalThis.AbortController = class extends Original {
        constructor() {
          super();
          controllers++;
        }
      };
      const hook = createHook({
        init(id, type) {
          if (type === 'PROMISE') promises++;
          if (type === 'Timeout') timers++;
        },
      }).enable();
      for (let each = 0; each < 100; each++) await call();
      hook.disable();
      console.log(JSON.stringify({ promises: promises / 100, timers, controllers }));
      await client.close();
    `);
    return JSON.parse(await line()) as { promises: number; timers: number; controllers: number };
  }

  const server = `
    import { createServer, tool } from '@ccmcp/core';
    import { serveStdio } from '@ccmcp/core/stdio';
    serveStdio(createServer({ name: 'guard', version: '1', tools: [tool('echo', {}, () => 'hi')] }));
  `;

  it('over stdio creates one promise, and its await another; no timer and no AbortController', async () => {
    const counts = await made(
      `spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(server)}], { cwd: process.cwd() })`,
    );
    expect(counts).toEqual({ promises: 2, timers: 0, controllers: 0 });
  });

  it('over HTTP creates ten promises, no timer but that of the idle connection, and no AbortController', async () => {
    const service = await serveHttp(echoServer());
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    const counts = await made(`httpTransport(${JSON.stringify(service.url)})`);
    expect(counts.promises).toBeLessThanOrEqual(10);
    expect(counts.timers).toBeLessThanOrEqual(100);
    expect(counts.controllers).toBe(0);
  });
});

function post(url: string, body: string, more: Record<string, string> = {}): Promise<{ text: string; id?: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Content-Length': Buffer.byteLength(body),
      ...more,
    };
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const id = response.headers['mcp-session-id'];
      response.on('end', () => resolve({ text, ...(typeof id === 'string' && { id }) }));
    });
    sending.on('error', reject).end(body);
  });
}

describe('a warm call of a tool', () => {
  it('runs through few functions', async () => {
    const program = join(root, 'test/fixtures/function-counts.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root });
    const { stdio, stateless, session } = JSON.parse(stdout) as Record<string, string[]>;
    // Lower these bounds when a path gets shorter.
    expect(stdio?.length).toBeLessThanOrEqual(55);
    expect(stateless?.length).toBeLessThanOrEqual(90);
    expect(session?.length).toBeLessThanOrEqual(94);
    expect(stdio?.some((name) => name.startsWith('execute'))).toBe(true);
  });
});
