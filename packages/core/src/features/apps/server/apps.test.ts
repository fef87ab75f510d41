import { describe, expect, it } from 'vitest';
import { appsClient, appView, apps } from '../../../apps.ts';
import { createServer, type Server, type ServerOptions, tool } from '../../../index.ts';
import { compose } from '../../../compose.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { connectDirect } from '../../../server/fixtures/direct-client.ts';
import { type TestClient, testClient } from '../../../testing.ts';

const html = '<!doctype html><title>Moon</title>';
const mimeType = 'text/html;profile=mcp-app';
const eras = ['handshake', 'stateless'] as const;
const ui = { csp: { connectDomains: ['https://api.example'] }, permissions: { camera: {} }, prefersBorder: true };

const view = appView('ui://moon/view.html', { html, name: 'moon', ...ui });
const moon = tool('moon', { ui: view, _meta: { 'com.example/x': 1 } }, () => 'full');
const pixels = tool('pixels', { visibility: ['app'] }, () => 'many');

function moonServer(options: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'moon', version: '1', extensions: [apps()], tools: [moon, pixels], ...options });
}

async function namesOf(client: TestClient): Promise<string[]> {
  return (await client.listTools().all()).map(({ name }) => name);
}

describe.each(eras)('a tool with a view, in the %s era', (era) => {
  const host = (server = moonServer()): Promise<TestClient> => testClient(server, { era, extensions: [appsClient] });
  const other = (server = moonServer()): Promise<TestClient> => testClient(server, { era });

  it("names its view in both forms, in addition to the author's _meta (AP-10, AP-14)", async () => {
    expect((await host()).capabilities.extensions).toEqual({ 'io.modelcontextprotocol/ui': {} });
    const [first] = await (await host()).listTools().all();
    expect(first).toMatchObject({
      _meta: {
        'com.example/x': 1,
        ui: { resourceUri: 'ui://moon/view.html' },
        'ui/resourceUri': 'ui://moon/view.html',
      },
    });
  });

  it('has its view at that URI, with metadata, for all callers (AP-10, AP-12, AP-13)', async () => {
    for (const client of [await host(), await other()]) {
      const { contents } = await client.readResource('ui://moon/view.html');
      expect(contents).toEqual([{ uri: 'ui://moon/view.html', mimeType, text: html, _meta: { ui } }]);
      expect(await client.listResources().all()).toEqual([
        { uri: 'ui://moon/view.html', name: 'moon', mimeType, _meta: { ui } },
      ]);
    }
  });

  it('is listed to hosts without views like any other; a tool for views is not (AP-02, AP-11, X-07)', async () => {
    expect(await namesOf(await host())).toEqual(['moon', 'pixels']);
    expect(await namesOf(await other())).toEqual(['moon']);
    const strange = { id: appsClient.id, settings: { mimeTypes: ['text/html'] } };
    expect(await namesOf(await testClient(moonServer(), { era, extensions: [strange] }))).toEqual(['moon']);
    const bare = { id: appsClient.id };
    expect(await namesOf(await testClient(moonServer(), { era, extensions: [bare] }))).toEqual(['moon']);
  });

  it('is for views only also if its author writes that into _meta (AP-02, AP-11)', async () => {
    const byHand = tool('by-hand', { _meta: { ui: { visibility: ['app'] } } }, () => 'many');
    const server = moonServer({ tools: [moon, byHand] });
    expect(await namesOf(await host(server))).toEqual(['moon', 'by-hand']);
    expect(await namesOf(await other(server))).toEqual(['moon']);
  });

  it('is served to all callers, like a tool for views (AP-17)', async () => {
    for (const client of [await host(), await other()]) {
      expect((await client.callTool('pixels')).content).toEqual([{ type: 'text', text: 'many' }]);
    }
  });

  it('keeps all that through compose, with a prefix', async () => {
    const whole = compose({ sky: { server: moonServer(), prefix: 'sky_' } }, { name: 'whole', version: '1' });
    const [first] = await (await host(whole)).listTools().all();
    expect(first).toMatchObject({ name: 'sky_moon', _meta: { ui: { resourceUri: 'ui://moon/view.html' } } });
    expect(await namesOf(await host(whole))).toEqual(['sky_moon', 'sky_pixels']);
    expect(await namesOf(await other(whole))).toEqual(['sky_moon']);
    expect((await (await other(whole)).readResource('ui://moon/view.html')).contents).toMatchObject([{ text: html }]);
    expect((await (await host(whole)).callTool('sky_pixels')).isError).toBe(false);
  });
});

it('is never in a list that a shared cache may keep (X-07)', async () => {
  const cache = { ttlMs: 1000, scope: 'public' } as const;
  const scopeOf = async (server: Server, extensions = [appsClient]): Promise<unknown> =>
    (await (await testClient(server, { extensions })).request('tools/list')).cacheScope;
  expect(await scopeOf(moonServer({ cache }))).toBe('private');
  expect(await scopeOf(moonServer({ cache }), [])).toBe('private');
  expect(await scopeOf(moonServer({ cache, tools: [moon] }))).toBe('public');
});

it('is decided for each request, also on one connection (X-02, X-07)', async () => {
  const client = connectDirect(moonServer());
  const asHost = {
    'io.modelcontextprotocol/clientCapabilities': { extensions: { [appsClient.id]: appsClient.settings } },
  };
  const names = async (params: Params): Promise<string[]> => {
    const answer = await client.request('tools/list', params);
    const { tools } = JSON.parse(JSON.stringify(answer?.result)) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };
  for (let round = 0; round < 2; round++) {
    expect(await names({})).toEqual(['moon']);
    expect(await names({ _meta: asHost })).toEqual(['moon', 'pixels']);
  }
});

it('is written once for all hosts with views, and once for all others', async () => {
  const server = moonServer();
  const extensions = { [appsClient.id]: appsClient.settings };
  for (const capabilities of [{ extensions }, {}]) {
    const [one, other] = [connectDirect(server, { capabilities }), connectDirect(server, { capabilities })];
    expect((await other.request('tools/list'))?.result).toBe((await one.request('tools/list'))?.result);
  }
});

it('hides tools for views beside those that a caller has no scopes for', async () => {
  const secret = tool('secret', { scopes: ['moon:dark'] }, () => 'dark');
  const server = moonServer({ tools: [moon, secret, pixels], lists: 'by-scope' });
  expect(await namesOf(await testClient(server))).toEqual(['moon', 'secret']);
  expect(await namesOf(await testClient(server, { extensions: [appsClient] }))).toEqual(['moon', 'secret', 'pixels']);
});

describe('the view of a tool', () => {
  it('comes and goes with its tools', async () => {
    const server = moonServer({ tools: [moon] });
    server.tools.add(tool('again', { ui: view }, () => ''));
    expect([...server.resources].map(({ uri }) => uri)).toEqual(['ui://moon/view.html']);
    server.tools.remove('moon');
    expect(server.resources.has('ui://moon/view.html')).toBe(true);
    server.tools.remove('again');
    expect(server.resources.has('ui://moon/view.html')).toBe(false);
    server.tools.add(tool('new', { ui: appView('ui://moon/view.html', { html: `${html}new` }) }, () => ''));
    expect(server.resources.has('ui://moon/view.html')).toBe(true);
  });

  it('may be defined twice, if both are the same at one URI (AP-17)', () => {
    const same = appView('ui://moon/view.html', { html, name: 'moon', ...ui });
    const [text, meta] = [
      { html: `${html}!`, name: 'moon', ...ui },
      { html, name: 'moon' },
    ];
    const server = moonServer({ tools: [moon, tool('same', { ui: same }, () => '')] });
    expect(server.resources.size).toBe(1);
    for (const options of [text, meta]) {
      const different = tool('different', { ui: appView('ui://moon/view.html', options) }, () => '');
      expect(() => server.tools.add(different)).toThrow('another view at "ui://moon/view.html" already');
      expect(() => moonServer({ tools: [moon, different] })).toThrow('another view');
    }
  });

  it('is not added if its tool is rejected', () => {
    const server = moonServer({ tools: [tool('moon', {}, () => '')] });
    expect(() => server.tools.add(moon)).toThrow('There is already a tool "moon"');
    expect(server.resources.size).toBe(0);
    const different = appView('ui://moon/view.html', { html: `${html}!` });
    expect(() => server.tools.add(tool('other', { ui: different }, () => ''))).not.toThrow();
  });

  it('can be that of two parts of a server, and stays as long as one of them has it', async () => {
    const [one, two] = [moonServer(), moonServer()];
    const whole = compose(
      { one: { server: one, prefix: 'one_' }, two: { server: two, prefix: 'two_' } },
      { name: 'whole', version: '1' },
    );
    const client = await testClient(whole);
    one.tools.remove('moon');
    expect((await client.readResource('ui://moon/view.html')).contents).toMatchObject([{ text: html }]);
    two.tools.remove('moon');
    await expect(client.readResource('ui://moon/view.html')).rejects.toThrow('not found');
  });

  it('can be read by callers with its scopes, and may be unlisted', async () => {
    const hidden = appView('ui://moon/hidden.html', { html, listed: false, scopes: ['moon:see'] });
    const server = moonServer({ tools: [tool('moon', { ui: hidden }, () => '')] });
    const client = await testClient(server);
    expect(await client.listResources().all()).toEqual([]);
    expect([...server.resources][0]?.scopes).toEqual(['moon:see']);
    expect((await client.readResource('ui://moon/hidden.html')).contents).toMatchObject([{ text: html }]);
  });

  it('is hidden from callers without its scopes unless secret: false; its tool names the missing scopes', async () => {
    const tools = [
      tool('moon', { ui: appView('ui://moon/a.html', { html, scopes: ['see'] }), scopes: ['see'] }, () => ''),
      tool('stars', { ui: appView('ui://moon/b.html', { html, scopes: ['see'], secret: false }) }, () => ''),
      tool('sun', { ui: appView('ui://moon/c.html', { html }), scopes: ['see'] }, () => ''),
    ];
    const { request } = connectDirect(moonServer({ tools }), { auth: { principal: 'ann', scopes: [] } });
    const read = (uri: string): unknown => request('resources/read', { uri });
    expect(await read('ui://moon/a.html')).toMatchObject({
      error: { message: 'Resource not found: ui://moon/a.html' },
    });
    expect(await read('ui://moon/b.html')).toMatchObject({ error: { data: { requiredScopes: ['see'] } } });
    expect(await read('ui://moon/c.html')).toMatchObject({ result: { contents: [{ text: html }] } });
    const { result } = (await request('resources/list')) ?? {};
    expect(JSON.stringify(result)).not.toContain('a.html');
    const { result: called } = (await request('tools/call', { name: 'moon', arguments: {} })) ?? {};
    expect(called).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('the scope see') }] });
  });
});

it.each([
  [{ ui: view }, 'has "ui", and its server not the extension that reads it: add apps()'],
  [{ visibility: ['app'] as const }, 'has "visibility"'],
])('is rejected on a server without the extension: %#', (options, problem) => {
  const server = createServer({ name: 'moon', version: '1' });
  expect(() => server.tools.add(tool('moon', options, () => ''))).toThrow(problem);
});

it.each([
  [{ ui: { uri: 'ui://moon/view.html' } }, '"ui" must be what appView'],
  [{ ui: 'ui://moon/view.html' as never }, '"ui" must be what appView'],
  [{ visibility: [] }, '"visibility" must be'],
  [{ visibility: ['user' as never] }, '"visibility" must be'],
])('is rejected if it can not be shown: %#', (options, problem) => {
  expect(() => moonServer({ tools: [tool('moon', options, () => '')] })).toThrow(problem);
});
