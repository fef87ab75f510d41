import { createServer, tool } from '@ccmcp/core';
import { connect, httpTransport } from '@ccmcp/core/client';
import { serveHttp, type ServeHttpOptions } from '@ccmcp/core/http';
import { describe, expect, it } from 'vitest';
import { modelService, openaiText } from './fixtures/model-service.ts';
import { connectPage } from './fixtures/page.ts';
import { startService } from './fixtures/start-service.ts';
import { mountedInspector } from './serve.ts';

function server() {
  return createServer({ name: 'mine', version: '1', tools: [tool('hello', {}, () => 'hello')] });
}

function serve(options: ServeHttpOptions) {
  return startService(server(), options);
}

describe('a mounted inspector', () => {
  it('is at /inspect, shows the server in its own process, and times its handlers', async () => {
    const { inspectorUrl = '' } = await serve({ inspector: true });
    expect(inspectorUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/inspect\/#token=[\da-f]{48}$/);
    const page = await connectPage(inspectorUrl);
    expect(page.hello.mounted).toBe(true);
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    expect(connection).toMatchObject({ kind: 'own', label: 'mine' });
    const { call } = await page.ask('call', {
      connection: connection.id,
      method: 'tools/call',
      params: { name: 'hello' },
    });
    await page.until('call-end', (event) => event.call === call);
    expect(await page.until('span', (event) => event.call === call)).toMatchObject({
      name: 'tools/call hello',
      outcome: 'ok',
    });
  });

  it('shows what other clients do', async () => {
    const { inspectorUrl = '', url } = await serve({ inspector: true });
    const page = await connectPage(inspectorUrl);
    const client = await connect(httpTransport(url), { clientInfo: { name: 'somebody', version: '2' } });
    await client.callTool('hello');
    await client.close();
    const span = await page.until('span', ({ details }) => details?.client === 'somebody 2');
    expect(span).toMatchObject({ details: { transport: 'http' } });
    expect(span).not.toHaveProperty('call');
  });

  it('shows the known quirks of the client of a request', async () => {
    const { inspectorUrl = '', url } = await serve({ inspector: true });
    const page = await connectPage(inspectorUrl);
    const client = await connect(httpTransport(url), { clientInfo: { name: 'Zed', version: '2' } });
    await client.callTool('hello');
    await client.close();
    const span = await page.until('span', ({ details }) => details?.client === 'Zed 2');
    expect(span.details).toMatchObject({ quirks: 'zed-resources' });
  });

  it('names the clients that have problems with a tool', async () => {
    const server = createServer({
      name: 's',
      version: '1',
      tools: [tool('mail.read', {}, () => ''), tool('mail_send', {}, () => '')],
    });
    const { inspectorUrl = '' } = await startService(server, { inspector: true });
    const page = await connectPage(inspectorUrl);
    const { listed } = await page.until('list', (list) => list.kind === 'tools' && list.state === 'loaded');
    expect(Object.keys(listed?.quirks ?? {})).toEqual(['mail.read']);
    expect(listed?.quirks?.['mail.read']).toContainEqual({
      client: 'cursor-vscode',
      summary: 'leaves out tools with a dot in their name',
      source: expect.stringContaining('https://'),
    });
  });

  it('can set up a model that answers the server', async () => {
    const fake = await modelService(() => openaiText('From a model'));
    const asking = createServer({
      name: 'asking',
      version: '1',
      tools: [
        tool('ask', {}, async (_, { sample }) => JSON.stringify(await sample({ messages: 'Well?', maxTokens: 9 }))),
      ],
    });
    const service = await startService(asking, { inspector: true });
    const page = await connectPage(service.inspectorUrl ?? '');
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    await page.ask('set-up-model', { service: 'openai', url: fake.url, model: 'm' });
    await page.ask('set-auto-answer', { connection: connection.id, on: true });
    const params = { name: 'ask' };
    const { call } = await page.ask('call', { connection: connection.id, method: 'tools/call', params });
    const { result } = await page.until('call-end', (event) => event.call === call);
    expect(JSON.stringify(result)).toContain('From a model');
  });

  it('leaves the endpoint unchanged, and has its own token', async () => {
    const { url, inspectorUrl = '' } = await serve({ inspector: true });
    const { origin } = new URL(url);
    expect((await fetch(`${origin}/inspect`, { redirect: 'manual' })).headers.get('location')).toBe('/inspect/');
    expect((await fetch(`${origin}/inspect/api/events`)).status).toBe(401);
    expect((await fetch(`${origin}/inspector`)).status).toBe(404);
    expect((await fetch(`${origin}/healthz`)).status).toBe(404);
    expect(inspectorUrl).not.toBe((await serve({ inspector: true })).inspectorUrl);
  });

  it('is off by default', async () => {
    const { url, inspectorUrl } = await serve({});
    expect(inspectorUrl).toBeUndefined();
    expect((await fetch(new URL('/inspect/', url))).status).toBe(404);
  });

  it('is created on first use only', async () => {
    const watched = server();
    let observers = 0;
    const { observe } = watched;
    watched.observe = (observer) => {
      observers += 1;
      return observe.call(watched, observer);
    };
    let made = 0;
    const service = await startService(watched, {
      inspector: (...given) => {
        made += 1;
        return mountedInspector(...given);
      },
    });
    const client = await connect(httpTransport(service.url));
    for (let count = 0; count < 20; count++) await client.callTool('hello');
    await client.close();
    expect([made, observers]).toEqual([0, 0]);
    await connectPage(service.inspectorUrl ?? '');
    expect([made, observers]).toEqual([1, 1]);
  });

  it('is limited to this machine and one process', async () => {
    await expect(serveHttp(server(), { inspector: true, host: '0.0.0.0', publicWithoutAuth: true })).rejects.toThrow(
      'for this machine only',
    );
    await expect(serveHttp(server(), { inspector: true, workers: 2 })).rejects.toThrow('shows one process');
  });

  it("reports why it can't be created", async () => {
    const service = await serve({
      inspector: () => {
        throw new Error('The inspector is not installed: npm install --save-dev @ccmcp/inspector');
      },
    });
    const answer = await fetch(service.inspectorUrl?.split('#')[0] ?? '');
    expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining('npm install')]);
  });

  it('does not keep the server from closing', async () => {
    const service = await serveHttp(server(), { inspector: true });
    await connectPage(service.inspectorUrl ?? '');
    await service.close({ graceMs: 100, lingerMs: 0 });
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });
});
