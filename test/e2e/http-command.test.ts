import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, runProcess } from '../support/ccmcp.ts';
import { call, serve } from './fixtures/serve-http.ts';

describe('ccmcp over HTTP', () => {
  it('says where it is, what to paste and what to try, and serves there', async () => {
    const { url, said } = await serve(['--http', '0']);
    expect(JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '')).toEqual({
      mcpServers: { ccmcp: { type: 'http', url } },
    });
    const answer = await call(url, 'hello', { name: 'Ada' });
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'Hello, Ada!' }] } });
  });

  it('offers servers that are joined under a name that is short and legal everywhere', async () => {
    const { url, said } = await serve([
      'ccmcp',
      'notes',
      'greeting',
      '--http',
      '0',
      '--db',
      join(emptyFolder(), 'n.db'),
    ]);
    expect(said).toContain(`ccmcp, notes, greeting are served at ${url}\n`);
    const { mcpServers } = JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '');
    expect(mcpServers).toEqual({ ccmcp: { type: 'http', url } });
    const [, words = ''] = /put there: \S*ccmcp (.*)/.exec(said) ?? [];
    const { stdout } = await runProcess([...words.replace('CLIENT', 'claude-code').split(' '), '--print']);
    expect(JSON.parse(stdout)).toEqual({ mcpServers });
  });

  it('tries what it says is to be tried', async () => {
    const { said } = await serve(['--http', '0']);
    const command = /^curl .*$/m.exec(said)?.[0] ?? '';
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(child, 'close');
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  it('ends with 0 when it is told to stop', async () => {
    const { child } = await serve(['--http', '0']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('asks for the key that a variable holds, and never shows it', async () => {
    const { url, said } = await serve(['--http', '0', '--api-key-env', 'TEST_KEY'], { TEST_KEY: 'k1,k2' });
    expect(said).toContain('"X-Api-Key": "${TEST_KEY}"');
    expect(said).not.toContain('k1');
    expect((await call(url, 'hello', { name: 'x' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k3' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k1' })).status).toBe(200);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k2' })).status).toBe(200);
  });

  it('does not listen where others reach it unless callers say who they are, or it is told to', async () => {
    const { code, stderr } = await runProcess(['--http', '0.0.0.0:0']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--api-key-env') });
    expect(stderr).toContain('--public-without-auth');
    expect((await serve(['--http', '0.0.0.0:0', '--public-without-auth'])).url).toContain('0.0.0.0');
  });

  it('serves the transport of 2024 where it is asked to', async () => {
    const { url } = await serve(['--http', '0', '--sse']);
    const stream = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream' } });
    const { value } = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
    expect(new TextDecoder().decode(value)).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=/);
    const without = await serve(['--http', '0']);
    expect((await fetch(new URL('/sse', without.url))).status).toBe(404);
  });

  it('joins servers', async () => {
    const { url } = await serve(['ccmcp', 'greeting', 'moonphase', '--http', '0']);
    expect(await (await call(url, 'HelloTool', { value: 'Ada' })).json()).toMatchObject({
      result: { content: [{ text: 'Hello-bonjour Ada!' }] },
    });
    expect((await call(url, 'moonphase', { picture: false })).status).toBe(200);
  });
});

describe('moonphase over HTTP', () => {
  const key = { MOONPHASE_API_KEY: 'moon' };

  it('does not start without a key, and says which', async () => {
    const { code, stderr } = await runProcess(['moonphase', '--http', '0'], { env: { MOONPHASE_API_KEY: '' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('MOONPHASE_API_KEY') });
  });

  it('wants its key in X-Api-Token', async () => {
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect((await call(url, 'moonphase', {})).status).toBe(401);
    const answer = await call(url, 'moonphase', { datetime: '2000-01-21T04:40Z' }, { 'X-Api-Token': 'moon' });
    expect(await answer.json()).toMatchObject({
      result: { structuredContent: { illumination_percent: 100, phase: 'full moon' } },
    });
  });

  it('answers 404 at every path but /mcp, also where probes ask unless --health is given', async () => {
    const headers = { 'X-Api-Token': 'moon' };
    const { url } = await serve(['moonphase', '--http', '0'], key);
    for (const path of ['/', '/mcp/', '/healthz', '/readyz', '/metrics', '/sse', '/inspect']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        expect([path, method, (await fetch(new URL(path, url), { method, headers })).status]).toEqual([
          path,
          method,
          404,
        ]);
      }
    }
    const probed = await serve(['moonphase', '--http', '0', '--health'], key);
    expect(await (await fetch(new URL('/healthz', probed.url))).text()).toBe('ok\n');
    expect(await (await fetch(new URL('/readyz', probed.url))).text()).toBe('ok\n');
  });

  it('answers a preflight only where another origin is allowed', async () => {
    const asked = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = (url: string, headers: Record<string, string>): Promise<number> =>
      fetch(url, { method: 'OPTIONS', headers }).then(({ status }) => status);
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect(await preflight(url, asked)).toBe(403);
    expect(await preflight(url, {})).toBe(401);
    expect(await preflight(url, { 'X-Api-Token': 'moon' })).toBe(405);
    const open = await serve(['moonphase', '--http', '0', '--allow-origin', 'https://app.example'], key);
    expect(await preflight(open.url, asked)).toBe(204);
  });

  it('ends by its own tool only where that is allowed', async () => {
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect(await (await call(url, 'shutdown', {}, { 'X-Api-Token': 'moon' })).json()).toMatchObject({
      error: { code: -32602 },
    });
    const allowed = await serve(['moonphase', '--http', '0', '--allow-shutdown'], key);
    const ended = once(allowed.child, 'exit');
    expect((await call(allowed.url, 'shutdown', {}, { 'X-Api-Token': 'moon' })).status).toBe(200);
    expect(await ended).toEqual([0, null]);
  });

  it('ends by the request "shutdown" of a caller with the key, only where that is allowed', async () => {
    const shutDown = (url: string, headers: Record<string, string>): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{"jsonrpc":"2.0","id":3,"method":"shutdown"}',
      });
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect(await (await shutDown(url, { 'X-Api-Token': 'moon' })).json()).toMatchObject({ error: { code: -32601 } });
    const allowed = await serve(['moonphase', '--http', '0', '--allow-shutdown'], key);
    const ended = once(allowed.child, 'exit');
    expect((await shutDown(allowed.url, {})).status).toBe(401);
    expect(await (await shutDown(allowed.url, { 'X-Api-Token': 'moon' })).json()).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: {},
    });
    expect(await ended).toEqual([0, null]);
  });
});

describe('ccmcp over HTTP with workers', () => {
  /** Notes that one call after the other leaves, each on a connection of its own, and what all of them can find. */
  it('serves notes with several processes on one file: what any of them writes, all read', async () => {
    const db = join(emptyFolder(), 'n.db');
    const { url, said, child } = await serve(['notes', '--http', '0', '--workers', '2', '--db', db]);
    expect(said.match(/is served at/g)).toHaveLength(1);
    const titles = Array.from({ length: 20 }, (_, index) => `note ${index}`);
    const made = await Promise.all(titles.map((title) => call(url, 'create_note', { title, content: 'shared' })));
    for (const answer of made) expect(await answer.json()).toMatchObject({ result: { isError: false } });
    const found = await Promise.all(titles.map(() => call(url, 'list_notes', { limit: 100 })));
    for (const answer of found) {
      const text = JSON.stringify(await answer.json());
      for (const title of titles) expect(text).toContain(title);
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('serves a file', async () => {
    const file = fileURLToPath(new URL('fixtures/exported-server.js', import.meta.url));
    const child = spawn(launcher, ['serve', file, '--http', '0', '--workers', '2'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/\S+\/mcp/.exec(String(text))?.[0] ?? '';
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(await answer.json()).toMatchObject({ result: { tools: expect.any(Array) } });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends all of them when a tool of one says so', async () => {
    const env = { MOONPHASE_API_KEY: 'key' };
    const { url, child } = await serve(['moonphase', '--http', '0', '--workers', '2', '--allow-shutdown'], env);
    const ended = once(child, 'exit');
    await call(url, 'shutdown', {}, { 'X-Api-Token': 'key' });
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['--http', '0', '--workers', '2'], 1, 'ccmcp makes tools while it runs'],
    [['serve', 'x.js', '--http', '0', '--workers', '2', '--watch'], 2, '--watch is for one process'],
  ])('refuses what can not be: %j', async (args, code, message) => {
    const refused = await runProcess(args);
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
