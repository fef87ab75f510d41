import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run, runProcess } from '../support/ccmcp.ts';
import { call, serve } from './fixtures/serve-http.ts';

describe('ccmcp over HTTP', () => {
  it('prints its URL, a client configuration and a command that works, and exits with 0 on a signal', async () => {
    const { child, url, said } = await serve(['--http', '0']);
    expect(JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '')).toEqual({
      mcpServers: { ccmcp: { type: 'http', url } },
    });
    const answer = await call(url, 'hello', { name: 'Ada' });
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'Hello, Ada!' }] } });
    expect((await fetch(new URL('/sse', url))).status).toBe(404);
    const command = /^curl .*$/m.exec(said)?.[0] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('composes servers, and suggests a short, valid name for them', async () => {
    const db = join(emptyFolder(), 'n.db');
    const { url, said } = await serve(['ccmcp', 'notes', 'greeting', 'moonphase', '--http', '0', '--db', db]);
    expect(said).toContain(`ccmcp, notes, greeting, moonphase are served at ${url}\n`);
    const { mcpServers } = JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '');
    expect(mcpServers).toEqual({ ccmcp: { type: 'http', url } });
    const [, words = ''] = /put there: \S*ccmcp (.*)/.exec(said) ?? [];
    const { stdout } = await run([...words.replace('CLIENT', 'claude-code').split(' '), '--print']);
    expect(JSON.parse(stdout)).toEqual({ mcpServers });
    expect(await (await call(url, 'HelloTool', { value: 'Ada' })).json()).toMatchObject({
      result: { content: [{ text: 'Hello-bonjour Ada!' }] },
    });
    expect((await call(url, 'moonphase', { picture: false })).status).toBe(200);
  });

  it('serves a server card with its public address', async () => {
    const { url } = await serve(['greeting', '--http', '0', '--server-card', 'https://api.example.com/mcp']);
    expect(await (await fetch(`${url}/server-card`)).json()).toMatchObject({
      name: 'com.example.api/GreetingServer',
      remotes: [{ url: 'https://api.example.com/mcp' }],
    });
  });

  it('requires the key of a variable, and never prints it', async () => {
    const { url, said } = await serve(['--http', '0', '--api-key-env', 'TEST_KEY'], { TEST_KEY: 'k1,k2' });
    expect(said).toContain('"X-Api-Key": "${TEST_KEY}"');
    expect(said).not.toContain('k1');
    expect((await call(url, 'hello', { name: 'x' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k3' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k1' })).status).toBe(200);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k2' })).status).toBe(200);
  });

  it('does not listen on a public address without authentication, unless an option allows it; serves HTTP+SSE with --sse', async () => {
    const { code, stderr } = await runProcess(['--http', '0.0.0.0:0']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--api-key-env') });
    expect(stderr).toContain('--public-without-auth');
    const { url } = await serve(['--http', '0.0.0.0:0', '--public-without-auth', '--sse']);
    expect(url).toContain('0.0.0.0');
    const stream = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream' } });
    const { value } = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
    expect(new TextDecoder().decode(value)).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=/);
  });
});

describe('moonphase over HTTP', () => {
  const key = { MOONPHASE_API_KEY: 'moon' };
  const token = { 'X-Api-Token': 'moon' };
  const crossOrigin = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };

  const preflight = (url: string, headers: Record<string, string>): Promise<number> =>
    fetch(url, { method: 'OPTIONS', headers }).then(({ status }) => status);
  const shutDown = (url: string, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: '{"jsonrpc":"2.0","id":3,"method":"shutdown"}',
    });

  it('does not start without a key, and names its variable', async () => {
    const { code, stderr } = await runProcess(['moonphase', '--http', '0'], { env: { MOONPHASE_API_KEY: '' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('MOONPHASE_API_KEY') });
  });

  it('requires its key, has no path but /mcp, answers no preflight, and does not shut down', async () => {
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect((await call(url, 'moonphase', {})).status).toBe(401);
    const answer = await call(url, 'moonphase', { datetime: '2000-01-21T04:40Z' }, token);
    expect(await answer.json()).toMatchObject({
      result: { structuredContent: { illumination_percent: 100, phase: 'full moon' } },
    });

    for (const path of ['/', '/mcp/', '/healthz', '/readyz', '/metrics', '/sse', '/inspect']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { status } = await fetch(new URL(path, url), { method, headers: token });
        expect([path, method, status]).toEqual([path, method, 404]);
      }
    }

    expect(await preflight(url, crossOrigin)).toBe(403);
    expect(await preflight(url, {})).toBe(401);
    expect(await preflight(url, token)).toBe(405);

    expect(await (await call(url, 'shutdown', {}, token)).json()).toMatchObject({ error: { code: -32602 } });
    expect(await (await shutDown(url, token)).json()).toMatchObject({ error: { code: -32601 } });
  });

  it('has health checks and answers a preflight if that is allowed; its tool "shutdown" ends it', async () => {
    const more = ['--health', '--allow-origin', 'https://app.example', '--allow-shutdown'];
    const { child, url } = await serve(['moonphase', '--http', '0', ...more], key);
    expect(await (await fetch(new URL('/healthz', url))).text()).toBe('ok\n');
    expect(await (await fetch(new URL('/readyz', url))).text()).toBe('ok\n');
    expect(await preflight(url, crossOrigin)).toBe(204);
    const ended = once(child, 'exit');
    expect((await call(url, 'shutdown', {}, token)).status).toBe(200);
    expect(await ended).toEqual([0, null]);
  });

  it('exits by the request "shutdown" of a caller with the key, if that is allowed', async () => {
    const { child, url } = await serve(['moonphase', '--http', '0', '--allow-shutdown'], key);
    const ended = once(child, 'exit');
    expect((await shutDown(url, {})).status).toBe(401);
    expect(await (await shutDown(url, token)).json()).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
    expect(await ended).toEqual([0, null]);
  });
});

describe('ccmcp over HTTP with workers', () => {
  it('serves notes with several processes on one file', async () => {
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

  it.each([
    [['--http', '0', '--workers', '2'], 1, 'ccmcp makes tools while it runs'],
    [['serve', 'x.js', '--http', '0', '--workers', '2', '--watch'], 2, '--watch is for one process'],
  ])('rejects invalid options: %j', async (args, code, message) => {
    const rejected = await runProcess(args);
    expect(rejected).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
