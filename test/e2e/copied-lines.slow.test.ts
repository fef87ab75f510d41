import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { checkValue } from '@ccmcp/core/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { openPage } from '../../packages/inspector/src/server/fixtures/page.ts';
import { emptyFolder, run, statelessVersion } from '../support/ccmcp.ts';
import { awkward, connected, echo, key } from './fixtures/copied-calls.ts';

/** A server of the official library that requires a session; returns its URL. */
async function servedInSessions(): Promise<string> {
  const sessions = new Map<unknown, StreamableHTTPServerTransport>();
  const create = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: z.looseObject({}) }, (given) => ({
      content: [{ type: 'text', text: JSON.stringify(given) }],
    }));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  };
  const http = createHttpServer((request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    const transport = known === undefined ? create() : Promise.resolve(known);
    void transport.then((found) => found.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const env = { X_API_KEY: key };

/** Runs a line in a shell with the server's key in its environment. */
async function inShell(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line], {
    env: { ...process.env, ...env },
    cwd: emptyFolder(),
  });
  return stdout;
}

/** Runs a command with the words that a shell parses from a line. */
async function asCommand(line: string): Promise<string> {
  const words = await inShell(`ccmcp() { printf '%s\\0' "$@"; }; ${line}`);
  const { code, stdout, stderr } = await run(words.split('\0').slice(0, -1), { env, cwd: emptyFolder() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The result of a tool, from a JSON response or an event stream. */
function textIn(answer: string): unknown {
  const json = answer.startsWith('{') ? answer : (/^data: (\{.*"result".*\})$/m.exec(answer)?.[1] ?? '');
  const { result } = JSON.parse(json) as { result: { content: { text: string }[] } };
  return JSON.parse(result.content[0]?.text ?? '');
}

describe('a call that is copied from the inspector', () => {
  it.each([statelessVersion, '2025-11-25', '2025-06-18', '2025-03-26'])('runs as cURL, in %s', async (version) => {
    const { copy } = await connected(echo(), { version });
    const line = await copy('curl', 'tools/call', { name: 'echo', arguments: awkward });
    expect(line).not.toContain(key);
    expect(textIn(await inShell(line))).toEqual(awkward);
  });

  it('runs as cURL on a server of another library that requires a session', async () => {
    const url = await servedInSessions();
    const page = await openPage({ folder: emptyFolder() });
    const { connection } = (await page.ask('connect', { typed: url })) as { connection: string };
    await page.until('connection', (event) => event.connection.status.is === 'connected');
    const params = { name: 'echo', arguments: awkward };
    const { call } = await page.ask('call', { connection, method: 'tools/call', params });
    await page.until('call-end', (event) => event.call === call);
    const { text: line } = await page.ask('copy-as', { form: 'curl', call });
    expect(textIn(await inShell(line))).toEqual(awkward);
  });

  it.each([
    ['awkward texts', 'echo', awkward],
    ['no arguments', 'echo', {}],
    ['names that are no words of a command line', 'echo', { 'a=b': 1, '-c': '2', 'd:': true, '{': 3, '@e': 4 }],
    ['one name that looks like something else', 'echo', { '@': 1 }],
    ['texts that would be taken for something else', 'typed', { any: '1', list: ['true', '[2]', '@x'] }],
    ['names that the schema does not have', 'typed', { any: null, other: 'x' }],
  ])('runs as a command, with %s', async (_, name, given) => {
    const { copy } = await connected(echo(), {});
    const line = await copy('command', 'tools/call', { name, arguments: given });
    expect(line).not.toContain(key);
    expect(JSON.parse(await asCommand(line))).toEqual(given);
  });

  it('runs as a command for resources and prompts', async () => {
    const { copy } = await connected(echo(), {});
    expect(await asCommand(await copy('command', 'resources/read', { uri: "echo://a/b?c='d'&e" }))).toContain(
      'A resource.',
    );
    const line = await copy('command', 'prompts/get', { name: 'ask', arguments: { what: "it's @" } });
    expect(await asCommand(line)).toContain("What is it's @?");
  });
});

const text = { type: 'string' };
const count = { type: 'number' };
const all = (properties: Record<string, object>, ...optional: string[]): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const pairs = { type: 'array', items: all({ name: text, value: text }) };
const message = { httpVersion: text, cookies: { type: 'array' }, headers: pairs, headersSize: count, bodySize: count };

/** The members that HAR 1.2 requires. */
const har = all({
  log: all({
    version: { const: '1.2' },
    creator: all({ name: text, version: text }),
    entries: {
      type: 'array',
      minItems: 3,
      items: all({
        startedDateTime: {
          type: 'string',
          pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$`,
        },
        time: { type: 'number', minimum: 0 },
        request: all(
          {
            ...message,
            method: { type: 'string', pattern: '^[A-Z]+$' },
            url: { type: 'string', pattern: '^https?://' },
            queryString: pairs,
            postData: all({ mimeType: text, text }),
          },
          'postData',
        ),
        response: all({
          ...message,
          status: { type: 'integer' },
          statusText: text,
          redirectURL: text,
          content: all({ size: count, mimeType: text, text }, 'text'),
        }),
        cache: { type: 'object' },
        timings: all({ send: count, wait: count, receive: count }),
      }),
    },
  }),
});

describe('a HAR file of the inspector', () => {
  it.each([statelessVersion, '2025-06-18'])('has all that the format wants, in %s', async (version) => {
    const { page, copy } = await connected(echo(), { version });
    await copy('curl', 'tools/call', { name: 'echo', arguments: awkward });
    const file = (await (await page.get('api/har')).json()) as { log: { entries: HarEntry[] } };
    expect(await checkValue(har, file)).toEqual({ problems: [] });
    for (const { time, timings } of file.log.entries)
      expect(timings.send + timings.wait + timings.receive).toBeCloseTo(time, 6);
  });
});

interface HarEntry {
  readonly time: number;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}
