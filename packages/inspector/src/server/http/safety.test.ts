import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPage, type TestPage } from '../fixtures/page.ts';
import type { Target } from '../targets.ts';

/** Sends a request with exactly these headers, as a browser or an attacker would. */
function knock(
  page: TestPage,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { hostname, port, host } = new URL(page.origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path, method, headers: { host, ...headers }, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          // Event streams do not end.
          if (text.includes('event: hello')) sent.destroy();
        });
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const bearer = ({ token }: TestPage): Record<string, string> => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };

const places = [
  ['GET', '/api/events'],
  ['GET', '/api/messages/1'],
  ['GET', '/api/calls/c1'],
  ['GET', '/api/lists/s1/tools'],
  ['GET', '/api/har'],
  ['GET', '/api/recordings/x.jsonl'],
  ['POST', '/api/connect'],
  ['POST', '/api/call'],
  ['POST', '/api/record'],
] as const;

describe('an inspector', () => {
  it.each(places)('rejects requests without a token: %s %s', async (method, path) => {
    const page = await openPage();
    const body = method === 'POST' ? '{}' : undefined;
    const wrong = [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${page.token}`,
      `Bearer ${page.token}x`,
      `Bearer ${page.token.slice(1)}`,
    ];
    for (const authorization of wrong) {
      const headers = { ...json, ...(authorization !== '' && { authorization }) };
      const { status, text } = await knock(page, path, { method, headers, ...(body && { body }) });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(text).not.toContain(page.token);
    }
    const inQuery = await knock(page, `${path}?token=${page.token}`, { method, headers: json, ...(body && { body }) });
    expect(inQuery.status).toBe(401);
    const inCookie = await knock(page, path, {
      method,
      headers: { ...json, cookie: `token=${page.token}` },
      ...(body && { body }),
    });
    expect(inCookie.status).toBe(401);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.0.1', '0.0.0.0'])(
    'is not reached under the name %j, which may be that of a page which leads here (DNS rebinding)',
    async (name) => {
      const page = await openPage();
      const { port } = new URL(page.origin);
      for (const host of [`${name}:${port}`, name]) {
        const { status } = await knock(page, '/api/events', { headers: { host, ...bearer(page) } });
        expect([host, status]).toEqual([host, 403]);
        expect((await knock(page, '/', { headers: { host } })).status).toBe(403);
      }
    },
  );

  it('is not reachable under another port, which may belong to another service', async () => {
    const page = await openPage();
    expect((await knock(page, '/api/events', { headers: { host: '127.0.0.1:1', ...bearer(page) } })).status).toBe(403);
    expect((await knock(page, '/api/events', { headers: { host: 'localhost', ...bearer(page) } })).status).toBe(403);
  });

  it('serves localhost by each of its names', async () => {
    const page = await openPage();
    const { port } = new URL(page.origin);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await knock(page, '/api/events', { headers: { host, ...bearer(page) } })).status).toBe(200);
    }
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://127.0.0.1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('accepts no request of another page, even with the token: %j', async (headers) => {
    const page = await openPage();
    const sent = {
      method: 'POST',
      headers: { ...headers, ...json, ...bearer(page) },
      body: '{"typed":"http://127.0.0.1:9/"}',
    };
    expect((await knock(page, '/api/connect', sent)).status).toBe(403);
    expect((await knock(page, '/api/events', { headers: { ...headers, ...bearer(page) } })).status).toBe(403);
    expect(page.events.filter(({ type }) => type === 'connection')).toEqual([]);
  });

  it('rejects preflight requests and form posts', async () => {
    const page = await openPage();
    const preflight = await knock(page, '/api/connect', {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example' },
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
    const form = { method: 'POST', headers: { 'content-type': 'text/plain', ...bearer(page) }, body: '{"typed":"x"}' };
    expect((await knock(page, '/api/connect', form)).status).toBe(415);
  });

  it('has a policy that allows only its own scripts and no framing', async () => {
    const page = await openPage();
    for (const path of ['/', '/THIRD-PARTY-NOTICES.txt', '/nothing.js']) {
      const { headers } = await knock(page, path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      // The sandboxes of views, and no other origin.
      const without = path === '/' ? policy.replace(/frame-src http:\/\/\*\.localhost:\d+;/, '') : policy;
      expect(without).not.toMatch(/unsafe|\*|https?:/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    }
    const { headers } = await knock(page, '/api/lists/s1/tools', { headers: bearer(page) });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  it('allows its inline script and style by their hashes only', async () => {
    const page = await openPage();
    const { headers, text: body } = await knock(page, '/');
    const policy = String(headers['content-security-policy']);
    const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, style] = /<style>([^]+?)<\/style>/.exec(body) ?? [];
    const [, script] = /<script type="module">([^]+?)<\/script>/.exec(body) ?? [];
    expect(policy).toContain(`script-src 'self' ${hash(script)};`);
    expect(policy).toContain(`style-src 'self' ${hash(style)};`);
    expect(body.match(/<(script|style)\b/g)).toEqual(['<style', '<script']);
    expect(body).not.toMatch(/\bon\w+="|style="/);
  });

  it('is the same document with and without the token', async () => {
    const server = createServer({ name: 'secretive', version: '1', tools: [tool('hidden', {}, () => '')] });
    const target = { kind: 'own', server, label: 'secretive' } as const;
    const offer = { label: 'secretive', kind: 'own', origin: 'given', resolve: async () => target } as const;
    const page = await openPage({ targets: [offer] });
    await page.until('list', ({ kind, state }) => kind === 'tools' && state === 'loaded');
    expect((await knock(page, '/')).text).toBe((await knock(await openPage(), '/')).text);
  });

  it('is sent with gzip to clients that accept it', async () => {
    const page = await openPage();
    const zipped = await knock(page, '/', { headers: { 'accept-encoding': 'gzip, br' } });
    const plain = await knock(page, '/');
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const fetched = await fetch(page.origin, { headers: { 'accept-encoding': 'gzip' } });
    expect(await fetched.text()).toBe(plain.text);
  });

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/chunks/../../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/chunks/..%5c..%5cx.js',
    '/.env',
  ])('serves no file but those of its page: %s', async (path) => {
    const page = await openPage();
    expect((await knock(page, path)).status).toBe(404);
  });

  it.each(['//', '//[', '/%', '/api/lists/%/tools', '/?%', '/api/calls/%ff'])(
    'lives on after the address %s',
    async (path) => {
      const page = await openPage();
      const { status } = await knock(page, path, { headers: bearer(page) });
      expect(status).toBeGreaterThanOrEqual(200);
      expect((await page.get('')).status).toBe(200);
    },
  );

  it('starts no program that the user has not confirmed', async () => {
    const started: string[] = [];
    const page = await openPage({
      resolveTarget: async (typed) => {
        started.push(typed);
        return { kind: 'command', command: process.execPath, args: ['-e', typed], label: typed };
      },
    });
    const first = await page.ask('connect', { typed: 'process.exit(3)' });
    expect(first).toEqual({
      confirm: { command: [process.execPath, '-e', 'process.exit(3)'], cwd: process.cwd(), code: expect.any(String) },
    });
    const other = (await page.ask('connect', { typed: 'process.exit(4)' })) as { confirm: { code: string } };
    for (const code of ['', 'yes', other.confirm.code]) {
      expect(await page.ask('connect', { typed: 'process.exit(3)', code })).toHaveProperty('confirm');
    }
    expect(page.events.filter(({ type }) => type === 'connection')).toEqual([]);
    const { confirm } = first as { confirm: { code: string } };
    expect(await page.ask('connect', { typed: 'process.exit(3)', code: confirm.code })).toHaveProperty('connection');
    await page.until('connection', ({ connection }) => connection.status.is === 'failed');
  });

  it('starts a program of the last run only after a new confirmation, and reports it to `remember`', async () => {
    const remembered: string[] = [];
    const resolve = async (typed = 'last.js'): Promise<Target> => ({
      kind: 'command',
      label: typed,
      command: process.execPath,
      args: ['-e', typed],
    });
    const page = await openPage({
      targets: [{ label: 'last.js', kind: 'command', origin: 'last', resolve }],
      resolveTarget: resolve,
      remember: (typed) => remembered.push(typed),
    });
    const { targets } = await page.until('targets');
    const target = targets[0]?.id ?? '';
    for (const destination of [{ target }, { typed: 'last.js' }]) {
      const given = await page.ask('connect', destination);
      expect(given).toMatchObject({ confirm: { command: [process.execPath, '-e', 'last.js'] } });
      expect(remembered).toEqual([]);
    }
    const { confirm } = (await page.ask('connect', { target })) as { confirm: { code: string } };
    expect(await page.ask('connect', { target, code: confirm.code })).toHaveProperty('connection');
    expect(remembered).toEqual(['last.js']);
  });

  it('rejects malformed requests', async () => {
    const page = await openPage();
    await expect(page.ask('connect', { typed: 5 } as never)).rejects.toThrow('not as it should be');
    await expect(page.ask('connect', { typed: 'x', more: 1 } as never)).rejects.toThrow('not as it should be');
    await expect(page.ask('constructor' as never, {} as never)).rejects.toThrow('There is no request');
    await expect(page.ask('connect', { typed: 'javascript:alert(1)' })).rejects.toThrow('Only URLs');
    await expect(page.ask('connect', { typed: 'http://user:password@127.0.0.1/' })).rejects.toThrow('Only URLs');
  });
});

describe('a malicious server', () => {
  it('can not read the token or forge events', async () => {
    const seen: string[] = [];
    const forged = '{"n":1,"type":"forgotten","connection":"s1"}';
    const answer = (id: unknown): string => `{"jsonrpc":"2.0",\n\n\r\n"id":${JSON.stringify(id)},"result":{}}`;
    const http = createHttpServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => serve(request, response, body));
    });
    const serve = (request: IncomingMessage, response: ServerResponse, body: string): void => {
      seen.push(JSON.stringify(request.headers), request.url ?? '', body);
      const { id, method } = JSON.parse(body || '{}') as { id?: unknown; method?: string };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'initialize') {
        const evil = `<img src=x onerror=alert(1)>\u2028\r\n\r\nid: x\r\nevent: hello\r\ndata: ${forged}\r\n\r\n`;
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: evil, version: evil },
          instructions: evil,
        };
        return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }, null, 2));
      }
      response.writeHead(200, json).end(answer(id));
    };
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const page = await openPage();
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    await page.ask('connect', { typed: url, settings: { era: 'handshake' } });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    expect(connection.server?.info?.name).toContain('<img src=x');
    await page.until('list', ({ state }) => state === 'refused');
    expect(page.events.some(({ type }) => type === 'forgotten')).toBe(false);
    expect(page.events.map(({ n }) => n)).toEqual(page.events.map((_, at) => at + 1));
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.join('\n')).not.toContain(page.token);
    expect(seen.join('\n')).not.toMatch(/referer|"origin"/i);
  });

  it('does not stop the inspector by an answer that is nested deeply', async () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const answers: Record<string, string> = {
      initialize: '"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}',
      'tools/call': `"result":{"content":[],"structuredContent":{"a":${deep}}}`,
      'prompts/get': `"error":{"code":1,"message":"x","data":${deep}}`,
    };
    const http = createHttpServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
        if (id === undefined) return response.writeHead(202).end();
        return response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${id},${answers[method] ?? '"result":{}'}}`);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const page = await openPage({ folder });
    const { file } = await page.ask('record', {});
    const typed = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    await page.ask('connect', { typed, settings: { era: 'handshake' } });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    for (const [method, outcome] of [
      ['tools/call', 'ok'],
      ['prompts/get', 'error'],
    ] as const) {
      const { call } = await page.ask('call', { connection: connection.id, method, params: { name: 'x' } });
      expect(await page.until('call-end', (event) => event.call === call)).toMatchObject({ outcome });
      expect((await page.get(`api/calls/${call}`)).status).toBe(200);
    }
    expect((await page.get('api/har')).status).toBe(200);
    expect((await page.get(`api/recordings/${file}`)).status).toBe(200);
  });
});
