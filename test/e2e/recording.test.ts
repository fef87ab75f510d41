import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import { createServer as createMcpServer } from '@ccmcp/core';
import { connect, sseTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { readRecording } from '@ccmcp/core/recording';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';

const initialize =
  '{"jsonrpc":"2.0", "id":"first","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}';
const batch =
  '[{"jsonrpc":"2.0","id":"a","method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hello","arguments":{"name":"Ann"}}}]';
const session = `${initialize}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\r\n${batch}\nno JSON\n`;

function newFile(): string {
  return join(emptyFolder(), 'session.jsonl');
}

/** Starts `ccmcp` with `--http 0` until the test ends; returns its address. */
async function serve(args: string[]): Promise<URL> {
  const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\/\/\S+/.exec(line) ?? [];
    if (found !== undefined) return new URL(found);
  }
  throw new Error('ccmcp ended');
}

function post(url: URL, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', accept, ...headers } });
}

describe('ccmcp record', () => {
  it('passes bytes unchanged, and records equal sessions equally', async () => {
    const [one, other] = [newFile(), newFile()];
    const direct = await run(['record', 'ccmcp', '-o', one], { input: session });
    const again = await run(['record', 'ccmcp', '-o', other], { input: session });
    expect(direct.code).toBe(0);
    expect(direct.stdout).toContain('[{"jsonrpc":"2.0","id":"a","result":');
    expect(again.stdout).toBe(direct.stdout);
    expect(readFileSync(other, 'utf8')).toBe(readFileSync(one, 'utf8'));
    expect(statSync(one).mode & 0o077).toBe(0);
  });

  it('is replayed byte by byte, batches too', async () => {
    const file = newFile();
    const input = session.replace('no JSON\n', '');
    const { stdout } = await run(['record', 'ccmcp', '-o', file], { input });
    expect(await run(['replay', file], { input })).toEqual({ code: 0, stdout, stderr: '' });
    expect(await run(['replay', file, '--strict'], { input })).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('continues a recording after a truncated line, and keeps other files', async () => {
    const file = newFile();
    await run(['record', 'greeting', '-o', file], { input: `${initialize}\n` });
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"n":9`);
    await run(['record', 'greeting', '-o', file], { input: `${initialize}\n` });
    const recording = await readRecording(file);
    expect(recording.connections.map(({ id, cues }) => [id, cues.length])).toEqual([
      ['s1', 1],
      ['s2', 1],
    ]);
    expect(recording.problems).toEqual([expect.stringMatching(/^Line \d+ is no JSON object, and was skipped$/)]);
    await recording.close();
    const mine = newFile();
    writeFileSync(mine, 'mine\n');
    const { code, stderr } = await run(['record', 'greeting', '-o', mine]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("can't be continued: The file is no recording"),
    });
    expect(readFileSync(mine, 'utf8')).toBe('mine\n');
  });

  it('says what is wrong with the command line, and leaves no file of a server that did not start', async () => {
    const file = newFile();
    expect(await run(['record', 'greeting'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('write -o FILE'),
    });
    expect(await run(['record', '-o', file, '--', '/nowhere'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no such program'),
    });
    expect(await run(['record', 'greeting', '-o', file, '--http', '0.0.0.0:8080'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('on this machine only'),
    });
    expect(existsSync(file)).toBe(false);
  });

  it('loses nothing but the end of a line when it is killed', async () => {
    const file = newFile();
    const child = spawn(launcher, ['record', 'ccmcp', '-o', file], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    child.stdin.on('error', () => {});
    child.stdin.write(`${initialize}\n`);
    let answered = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"result"')) continue;
      answered += 1;
      if (answered > 200) break;
      const params = { name: 'echo', arguments: { message: `m${answered}` } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: answered, method: 'tools/call', params })}\n`);
    }
    child.kill('SIGKILL');
    await ended;
    const recording = await readRecording(file);
    const [connection] = recording.connections;
    expect(connection?.requests.filter(({ end }) => end === 'answered').length).toBeGreaterThanOrEqual(201);
    await recording.close();
  });

  it('masks secrets in headers, URLs and messages, and passes them on', async () => {
    const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"password: hush-4"}],"token":"hush-5"}}';
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      seen.push({ url: request.url, headers: request.headers, body: await readText(request) });
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'hush-6' }).end(answer);
    };
    const target = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
    onTestFinished(() => void target.close());
    await once(target, 'listening');
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/mcp?api_key=hush-1`;
    const file = newFile();
    const at = await serve(['record', url, '--header', 'X-Api-Key: hush-2', '--http', '0', '-o', file]);
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"password":"hush-3"}}}';
    const response = await post(at, call, { authorization: 'Bearer hush-7-hush' });
    expect(await response.text()).toBe(answer);
    expect(response.headers.get('mcp-session-id')).toBe('hush-6');
    expect(seen).toMatchObject([
      {
        url: '/mcp?api_key=hush-1',
        headers: { 'x-api-key': 'hush-2', authorization: 'Bearer hush-7-hush' },
        body: call,
      },
    ]);
    const recording = readFileSync(file, 'utf8');
    expect(recording).not.toContain('hush');
    expect(recording).toContain('["authorization","Bearer [masked]"]');
  });

  it('passes the transport of 2024', async () => {
    const { url, close } = await serveHttp(createMcpServer({ name: 'old', version: '1' }), { sse: true });
    onTestFinished(() => close());
    const file = newFile();
    const at = await serve(['record', new URL('/sse', url).href, '--http', '0', '-o', file]);
    const client = await connect(sseTransport(at));
    expect(client.serverInfo).toMatchObject({ name: 'old' });
    await client.close();
    const recording = await readRecording(file);
    expect(recording.connections).toMatchObject([{ requests: [{ method: 'initialize', end: 'answered' }] }]);
    await recording.close();
  });

  it('serves only this machine over HTTP, and only its endpoint', async () => {
    const at = await serve(['record', 'greeting', '--http', '0', '-o', newFile()]);
    expect((await post(at, initialize, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(new URL('/other', at), initialize)).status).toBe(404);
    expect((await post(at, '{', {})).status).toBe(400);
    expect((await post(at, initialize, { 'mcp-session-id': 'x' })).status).toBe(404);
    const begun = await post(at, initialize);
    const session = begun.headers.get('mcp-session-id') as string;
    const answers = await (
      await post(at, batch.replace('hello', 'HelloTool').replace('"name":"Ann"', '"value":"Ann"'), {
        'mcp-session-id': session,
      })
    ).json();
    expect(answers).toMatchObject([{ id: 'a' }, { id: 2, result: { content: [{ text: 'Hello-bonjour Ann!' }] } }]);
    expect((await fetch(at, { method: 'DELETE', headers: { 'mcp-session-id': session } })).status).toBe(204);
  });
});

describe('ccmcp replay', () => {
  it.each([
    ['', 'it is no recording'],
    ['{"log":{}}\n', 'The file is no recording'],
    ['{"format":"ccmcp-recording","version":7}\n', 'another version than 1'],
  ])('rejects the file %j', async (text, problem) => {
    const file = newFile();
    writeFileSync(file, text);
    expect(await run(['replay', file])).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  });

  it('rejects a missing file, and none', async () => {
    expect(await run(['replay', newFile()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no file'),
    });
    expect(await run(['replay'])).toMatchObject({ code: 2, stderr: expect.stringContaining('replay takes one file') });
  });

  it('reports lines that it skips, without their text', async () => {
    const file = newFile();
    await run(['record', 'greeting', '-o', file], { input: `${initialize}\n` });
    writeFileSync(file, `${readFileSync(file, 'utf8')}\u001B]0;evil\u0007\n{"type":"message","connection":7}\n{"n":1`);
    const { code, stdout, stderr } = await run(['replay', file], { input: `${initialize}\n` });
    expect(code).toBe(0);
    expect(stdout).toContain('GreetingServer');
    expect(stderr.split('\n').map((line) => line.replace(/^.*jsonl: /, ''))).toEqual([
      expect.stringMatching(/^Line \d is no JSON object, and was skipped$/),
      expect.stringMatching(/^Line \d is no message, and was skipped$/),
      expect.stringMatching(/^Line \d, the last one, is truncated, and was skipped$/),
      '',
    ]);
  });

  it('answers what was not recorded with an error that says what was', async () => {
    const file = newFile();
    await run(['record', 'ccmcp', '-o', file], { input: session });
    const ask = (method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`;
    const input = `${ask('tools/call', { name: 'hello', arguments: { name: 'Bob' } })}${ask('prompts/list', {})}`;
    const { stdout } = await run(['replay', file], { input });
    const [params, method] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { error: { code: number; message: string } });
    expect(params?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('{"name":"hello","arguments":{"name":"Ann"}}'),
    });
    expect(method?.error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('It has initialize, tools/list, tools/call'),
    });
  });
});
