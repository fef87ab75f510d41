import { type ChildProcess, spawn as start } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Client,
  type ConnectOptions,
  connect,
  httpTransport,
  spawn,
  sseTransport,
  type Transport,
} from '@ccmcp/core/client';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { installPeers, peers } from './install.ts';
import { freePort } from '../support/free-port.ts';

const problem = await installPeers();
if (problem !== undefined) console.log(`Servers of others are not tested with: ${problem}`);

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

const program = (name: string): string => join(peers, 'servers', `${name}.mjs`);
const packaged = (name: string): string => join(peers, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** Starts an HTTP server program, and waits for the line with its URL. */
async function serve(args: string[], line: RegExp, env: Record<string, string> = {}): Promise<string> {
  const child = start(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  children.add(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (text) => {
        const found = line.exec(text);
        if (found !== null) resolve(found[0]);
      });
    }
  });
}

async function reach(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(transport, { onWarning: () => {}, ...options });
  onTestFinished(() => client.close());
  return client;
}

interface Peer {
  name: string;
  /** The expected result of `auto`. */
  era: { stdio?: string; http: string };
  structured: boolean;
}

const libraries: Peer[] = [
  { name: 'sdk-1', era: { stdio: 'handshake', http: 'handshake' }, structured: true },
  { name: 'sdk-2', era: { stdio: 'stateless', http: 'stateless' }, structured: true },
  { name: 'fastmcp', era: { stdio: 'handshake', http: 'handshake' }, structured: false },
  { name: 'mcp-lite', era: { http: 'handshake' }, structured: true },
  { name: 'tmcp', era: { stdio: 'stateless', http: 'stateless' }, structured: true },
];

const ways = libraries.flatMap(({ name, era, structured }) =>
  (['stdio', 'http'] as const)
    .filter((way) => era[way] !== undefined)
    .flatMap((way) => [
      { name, way, wish: 'auto' as const, era: era[way], structured },
      { name, way, wish: 'handshake' as const, era: 'handshake', structured },
    ]),
);

describe.skipIf(problem !== undefined)('a server made with', () => {
  it.each(ways)('$name over $way, era $wish, is listed and called', async ({ name, way, wish, era, structured }) => {
    const transport =
      way === 'stdio'
        ? spawn(process.execPath, [program(name), 'stdio'])
        : httpTransport(await serve([program(name), 'http'], /^http:\S+$/));
    const client = await reach(transport, { era: wish });
    expect(client.era).toBe(era);
    expect(client.serverInfo).toMatchObject({ name: 'peer', version: '1.0.0' });
    const tools = await client.listTools().all();
    expect(tools.map((tool) => tool.name)).toContain('add');
    const result = await client.callTool('add', { a: 1, b: 2 });
    expect(result).toMatchObject({ content: [{ type: 'text', text: '3' }], isError: false });
    if (structured) expect(result.structuredContent).toEqual({ sum: 3 });
    expect(
      await client.callTool('add', { a: 'x' }).then(
        ({ isError }) => isError,
        () => 'refused',
      ),
    ).toBeTruthy();
    await client.ping();
  });

  it.each(['stdio', 'http'])('the official SDK 1 may ask over %s, and gets the defaults of its form', async (way) => {
    const transport =
      way === 'stdio'
        ? spawn(process.execPath, [program('sdk-1'), 'stdio'])
        : httpTransport(await serve([program('sdk-1'), 'http'], /^http:\S+$/));
    const client = await reach(transport, { elicit: () => ({ action: 'accept' }) });
    expect((await client.callTool('ask')).content).toMatchObject([{ text: 'Hello, nobody' }]);
  });
});

describe.skipIf(problem !== undefined)('the official server', () => {
  async function everything(way: string): Promise<Transport> {
    const entry = packaged('server-everything');
    if (way === 'stdio') return spawn(process.execPath, [entry]);
    const port = await freePort();
    const env = { PORT: String(port) };
    await serve([entry, way === 'sse' ? 'sse' : 'streamableHttp'], new RegExp(`\\b${port}\\b`), env);
    if (way === 'sse') return sseTransport(`http://127.0.0.1:${port}/sse`);
    return httpTransport(`http://127.0.0.1:${port}/mcp`);
  }

  it.each(['stdio', 'http', 'sse'])('"everything" works over %s', async (way) => {
    const client = await reach(await everything(way), {
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' }),
      elicit: () => ({ action: 'accept', content: {} }),
      roots: [{ uri: 'file:///tmp' }],
    });
    const tools = (await client.listTools().all()).map(({ name }) => name);
    expect(tools).toContain('echo');
    expect((await client.callTool('echo', { message: 'hi' })).content).toMatchObject([{ text: 'Echo: hi' }]);
    expect((await client.listResources().all()).length).toBeGreaterThan(0);
    expect((await client.listPrompts().all()).length).toBeGreaterThan(0);
    const steps: number[] = [];
    const long = tools.find((name) => /long-?running/i.test(name)) as string;
    await client.callTool(long, { duration: 0.2, steps: 2 }, { onProgress: ({ progress }) => steps.push(progress) });
    expect(steps).toEqual([1, 2]);
    const sampling = tools.find((name) => /sampling-request$|^sample/i.test(name)) as string;
    const sampled = await client.callTool(sampling, { prompt: 'hi', maxTokens: 10 });
    expect(JSON.stringify(sampled.content)).toContain('sampled');
  });

  it('"filesystem" reads a file', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ccmcp-peer-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    writeFileSync(join(folder, 'a.txt'), 'Hello');
    const client = await reach(spawn(process.execPath, [packaged('server-filesystem'), folder]));
    await client.listTools().all();
    const read = await client.callTool('read_text_file', { path: join(folder, 'a.txt') });
    expect(read).toMatchObject({ content: [{ text: 'Hello' }], isError: false });
  });

  it('"memory" remembers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-peer-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const client = await reach(spawn(process.execPath, [packaged('server-memory')], { env }));
    await client.listTools().all();
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }];
    await client.callTool('create_entities', { entities });
    expect(JSON.stringify(await client.callTool('read_graph'))).toContain('likes tea');
  });
});
