import { describe, expect, it } from 'vitest';
import type { Execution } from '../call/execution.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { type Resource, resource, type ResourcePage, type Template, template } from './define.ts';
import { type DirectClient, connectDirect } from '../fixtures/direct-client.ts';
import type { Server } from '../server.ts';
import { engineOf } from '../server-handle.ts';
import type { WatchList } from '../subscriptions.ts';

function server(options: Partial<ServerOptions>): Server {
  return createServer({ name: 'n', version: '1', ...options });
}

function connectWith(options: Partial<ServerOptions>, version = '2025-11-25'): DirectClient {
  return connectDirect(server(options), { version });
}

describe('a resource', () => {
  it('needs an absolute URI', () => {
    const add = (uri: unknown): Server => server({ resources: [{ uri, name: 'x', read: () => '' } as Resource] });
    expect(() => add('x')).toThrow('Resource "x": an absolute URI is needed, such as "config://server"');
    expect(() => add(undefined)).toThrow('an absolute URI is needed');
    expect(() => add({ toString: () => 'x://y' })).toThrow('an absolute URI is needed');
    expect(add('x://y').resources.has('x://y')).toBe(true);
  });

  it('is listed with the members that are set', async () => {
    const full = {
      name: 'N',
      title: 'T',
      description: 'D',
      icons: [{ src: 'x:y' }],
      _meta: { m: 1 },
      mimeType: 'text/x',
      annotations: { priority: 1 },
      size: 0,
    };
    const resources = [resource('a://plain', {}, () => ''), resource('a://full', full, () => '')];
    const answer = await connectWith({ resources }, '2026-07-28').request('resources/list');
    expect(answer?.result.toJSON().resources).toStrictEqual([
      { uri: 'a://plain', name: 'a://plain' },
      { uri: 'a://full', ...full },
    ]);
    const row = engineListing(server({ resources }));
    expect(Object.keys(row)).toEqual(['uri', 'name']);
  });
});

function engineListing(from: Server): object {
  const [first] = [...(from.resources as unknown as { entries: Map<string, { listing: object }> }).entries.values()];
  return first?.listing ?? {};
}

describe('a template', () => {
  it('completes only variables that it has', () => {
    const add = (complete: Record<string, string[]>): Server =>
      server({ templates: [template('a://{x}', { complete }, () => '')] });
    expect(() => add({ x: [], y: [] })).toThrow('Template "a://{x}" has no variable "y" to complete');
    expect(add({ x: [] }).templates.has('a://{x}')).toBe(true);
  });
});

describe('the return value of a resource', () => {
  const read = async (value: unknown, mimeType?: string): Promise<unknown> => {
    const one = resource('a://b', mimeType === undefined ? {} : { mimeType }, () => value as never);
    return (await connectWith({ resources: [one] }).request('resources/read', { uri: 'a://b' }))?.result.contents;
  };
  const own = { uri: 'a://c', text: 'c' };

  it.each([
    ['text', 'hi', { mimeType: 'text/plain', text: 'hi' }],
    ['bytes', new Uint8Array([1, 2]), { mimeType: 'application/octet-stream', blob: 'AQI=' }],
    ['data', { n: 1 }, { mimeType: 'application/json', text: '{"n":1}' }],
    ['null', null, { mimeType: 'application/json', text: 'null' }],
    ['data with an address', { uri: 'a://c' }, { mimeType: 'application/json', text: '{"uri":"a://c"}' }],
    ['data with a text', { text: 'x' }, { mimeType: 'application/json', text: '{"text":"x"}' }],
    ['data with an odd address', { uri: 1, text: 'x' }, { mimeType: 'application/json', text: '{"uri":1,"text":"x"}' }],
    ['a list with others', [own, 1], { mimeType: 'application/json', text: '[{"uri":"a://c","text":"c"},1]' }],
  ])('%s', async (_, value, contents) => {
    expect(await read(value)).toStrictEqual([{ uri: 'a://b', ...contents }]);
    expect(await read(value, 'x/y')).toStrictEqual([{ uri: 'a://b', ...contents, mimeType: 'x/y' }]);
  });

  it('contents with their own addresses', async () => {
    const blob = { uri: 'a://d', blob: 'AQI=' };
    expect(await read(own)).toStrictEqual([own]);
    expect(await read(blob)).toStrictEqual([blob]);
    expect(await read([own, blob])).toStrictEqual([own, blob]);
    expect(await read([])).toStrictEqual([]);
  });

  it('undefined: the resource does not exist', async () => {
    const one = resource('a://b', {}, () => undefined);
    const answer = await connectWith({ resources: [one] }).request('resources/read', { uri: 'a://b' });
    expect(answer?.error).toEqual({ code: -32002, message: 'Resource not found: a://b', data: { uri: 'a://b' } });
  });
});

describe('an address', () => {
  it('must be a text', () => {
    const { request } = connectWith({ resources: [] });
    for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
      expect(request(method, { uri: 7 })).toMatchObject({
        error: { code: -32602, message: '"uri" must be a string: the address of a resource' },
      });
    }
  });

  it('leads to a resource first, and else to the first template that fits', async () => {
    const templates = [
      template('b://{x}', {}, () => 'wrong'),
      template(
        'a://{x}',
        { mimeType: 'x/first', cache: { ttlMs: 1, scope: 'public' } },
        ({ x }, _, uri) => `${String(x)} ${uri}`,
      ),
      template('a://{y}', {}, () => 'second'),
    ];
    const resources = [resource('a://own', { mimeType: 'x/own' }, (uri) => `own ${uri}`)];
    const { request } = connectWith({ resources, templates }, '2026-07-28');
    expect(await request('resources/read', { uri: 'a://own' })).toMatchObject({
      result: { contents: [{ uri: 'a://own', mimeType: 'x/own', text: 'own a://own' }], ttlMs: 0 },
    });
    expect(await request('resources/read', { uri: 'a://x' })).toMatchObject({
      result: { contents: [{ uri: 'a://x', mimeType: 'x/first', text: 'x a://x' }], ttlMs: 1, cacheScope: 'public' },
    });
  });
});

describe('a long address', () => {
  const any = { templates: [template('a://{+x}', {}, () => 'x')] };

  it.each(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])('is rejected by %s', (method) => {
    expect(connectWith(any).request(method, { uri: `a://${'x'.repeat(8189)}` })).toMatchObject({
      error: { code: -32602, message: 'The address is too long: at most 8192 characters' },
    });
  });

  it('is rejected where a resource is defined', () => {
    const long = resource(`a://${'x'.repeat(8189)}`, {}, () => 'x');
    expect(() => server({ resources: [long] })).toThrow('an address has at most 8192 characters');
  });
});

describe('watching a resource', () => {
  const any = { templates: [template('a://{+x}', {}, () => 'x')] };

  it('takes addresses of at most 8192 characters', () => {
    const { request } = connectWith(any);
    const uri = (length: number): string => `a://${'x'.repeat(length - 4)}`;
    expect(request('resources/subscribe', { uri: uri(8192) })).toMatchObject({ result: {} });
    expect(request('resources/subscribe', { uri: uri(8193) })).toMatchObject({
      error: { code: -32602, message: 'The address is too long: at most 8192 characters' },
    });
  });

  it('takes addresses of 1 Mi characters together for one client (RX-02)', () => {
    const { request } = connectWith(any);
    const uri = (n: number): string => `a://${n}`.padEnd(8192, 'x');
    for (let n = 0; n < 128; n += 1)
      expect(request('resources/subscribe', { uri: uri(n) })).toMatchObject({ result: {} });
    const message = 'Too many subscriptions: their addresses may have 1048576 characters for one client';
    expect(request('resources/subscribe', { uri: 'a://x' })).toMatchObject({ error: { code: -32602, message } });
    void request('resources/unsubscribe', { uri: uri(5) });
    expect(request('resources/subscribe', { uri: 'a://x' })).toMatchObject({ result: {} });
  });

  it('takes what exists', () => {
    expect(connectWith(any).request('resources/subscribe', { uri: 'b://x' })).toMatchObject({
      error: { code: -32002 },
    });
  });

  it('takes 10 000 for one client, each once', () => {
    const { request, peer } = connectWith(any);
    const subscriptions = peer.session?.subscriptions as WatchList;
    for (let n = 1; n < 10_000; n += 1) subscriptions.add(`a://${n}`);
    expect(request('resources/subscribe', { uri: 'a://last' })).toMatchObject({ result: {} });
    expect(request('resources/subscribe', { uri: 'a://more' })).toMatchObject({
      error: { code: -32602, message: 'Too many subscriptions: at most 10000 for one client' },
    });
    expect(request('resources/subscribe', { uri: 'a://last' })).toMatchObject({ result: {} });
    expect(subscriptions.size).toBe(10_000);
    expect(request('resources/unsubscribe', { uri: 'a://last' })).toMatchObject({ result: {} });
    expect(request('resources/subscribe', { uri: 'a://more' })).toMatchObject({ result: {} });
  });
});

describe('the list of resources', () => {
  const row = (name: string): { uri: string; name: string } => ({ uri: `a://${name}`, name });
  const own = (...names: string[]): Resource[] => names.map((name) => resource(`a://${name}`, { name }, () => name));
  const listing = (uriTemplate: string, pages: Record<string, ResourcePage>, seen: unknown[] = []): Template =>
    template(
      uriTemplate,
      {
        list: (from) => {
          seen.push(from);
          return pages[from ?? ''] ?? { resources: [] };
        },
      },
      () => 'x',
    );

  /** All pages, by the names on them. */
  const pages = async (of: DirectClient): Promise<string[][]> => {
    const found: string[][] = [];
    let cursor: string | undefined;
    do {
      const answer = await of.request('resources/list', cursor === undefined ? {} : { cursor });
      const result = JSON.parse(JSON.stringify(answer?.result)) as {
        resources: { name: string }[];
        nextCursor?: string;
      };
      found.push(result.resources.map(({ name }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined && found.length < 20);
    return found;
  };

  it('has those of the server first, then those of each template, page by page', async () => {
    const seen: unknown[] = [];
    const templates = [
      template('plain://{x}', {}, () => 'x'),
      listing('b://{x}', { '': { resources: [row('b1')], next: 'two' }, two: { resources: [row('b2')] } }, seen),
      listing('c://{x}', { '': { resources: [row('c1')] } }, seen),
      listing('d://{x}', { '': { resources: [row('d1')] } }, seen),
    ];
    const of = connectWith({ resources: own('a1', 'a2', 'a3'), templates, pageSize: 2 });
    expect(await pages(of)).toEqual([['a1', 'a2'], ['a3', 'b1'], ['b2'], ['c1'], ['d1']]);
    expect(seen).toEqual([undefined, 'two', undefined, undefined]);
  });

  it('has pages of exactly the size, without an empty one at the end', async () => {
    expect(await pages(connectWith({ resources: own('a1', 'a2', 'a3', 'a4'), pageSize: 2 }))).toEqual([
      ['a1', 'a2'],
      ['a3', 'a4'],
    ]);
    expect(await pages(connectWith({ resources: own('a1'), pageSize: 2 }))).toEqual([['a1']]);
    expect(await pages(connectWith({ resources: [], pageSize: 2 }))).toEqual([[]]);
  });

  it('continues after the page although its last entry was removed', async () => {
    const to = server({ resources: own('a1', 'a2', 'a3'), pageSize: 2 });
    const { request } = connectDirect(to, { version: '2025-11-25' });
    const first = (await request('resources/list'))?.result.toJSON();
    to.resources.remove('a://a2');
    expect((await request('resources/list', { cursor: first.nextCursor }))?.result).toEqual({ resources: [row('a3')] });
    to.resources.remove('a://a3');
    expect((await request('resources/list', { cursor: first.nextCursor }))?.result).toEqual({ resources: [] });
  });

  it('reports a stale cursor', async () => {
    const templates = [
      listing('b://{x}', { '': { resources: [row('b1')], next: 'two' } }),
      listing('c://{x}', { '': { resources: [row('c1')] } }),
    ];
    const to = server({ templates });
    const { request } = connectDirect(to, { version: '2025-11-25' });
    const nextCursor: unknown = (await request('resources/list'))?.result.nextCursor;
    to.templates.remove('b://{x}');
    expect(await request('resources/list', { cursor: nextCursor })).toMatchObject({
      error: {
        code: -32602,
        message: 'Invalid cursor: its list has changed; start with the first page',
      },
    });
  });

  it('takes no cursor but its own', async () => {
    const { request } = connectWith({ resources: own('a1', 'a2'), templates: [], pageSize: 1 });
    const nextCursor: string = (await request('resources/list'))?.result.toJSON().nextCursor;
    const message = 'Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page';
    for (const cursor of ['x', 7, '', `${nextCursor}=`, Buffer.from('["tools/list",1]').toString('base64url')]) {
      expect(await request('resources/list', { cursor })).toMatchObject({ error: { code: -32602, message } });
    }
    expect(await request('resources/templates/list', { cursor: nextCursor })).toMatchObject({ error: { message } });
  });

  it('is cached as text per revision until it changes, the first page only', async () => {
    const to = server({ resources: own('a1', 'a2'), pageSize: 1 });
    const one = connectDirect(to, { version: '2025-11-25' });
    const first = (await one.request('resources/list'))?.result;
    expect((await one.request('resources/list'))?.result).toBe(first);
    expect((await connectDirect(to, { version: '2025-11-25' }).request('resources/list'))?.result).toBe(first);
    expect((await connectDirect(to, { version: '2024-11-05' }).request('resources/list'))?.result).not.toBe(first);
    expect((await one.request('resources/templates/list'))?.result).not.toBe(first);
    const { nextCursor } = first.toJSON();
    expect((await one.request('resources/list', { cursor: nextCursor }))?.result).toEqual({ resources: [row('a2')] });
    expect((await one.request('resources/list'))?.result).toBe(first);
  });
});

describe('listening for resources', () => {
  const any = { templates: [template('a://{+x}', {}, () => 'x')] };
  const listen = (options: Partial<ServerOptions>, notifications: unknown) => {
    const of = connectWith(options, '2026-07-28');
    const answer = of.request('subscriptions/listen', { notifications }, 'l');
    const notified = of.received[0] as { params?: { notifications: object } } | undefined;
    return { answer, granted: notified?.params?.notifications };
  };

  it('reports an invalid filter', async () => {
    expect(await listen(any, 'all').answer).toMatchObject({
      error: { code: -32602, message: '"notifications" must be an object: what to listen to' },
    });
    for (const resourceSubscriptions of ['a://x', ['a://x', 7]]) {
      expect(await listen(any, { resourceSubscriptions }).answer).toMatchObject({
        error: { code: -32602, message: '"notifications.resourceSubscriptions" must be a list of addresses' },
      });
    }
  });

  it('takes 1000 addresses in one request', async () => {
    const of = (length: number): object => ({ resourceSubscriptions: Array.from({ length }, (_, n) => `a://${n}`) });
    expect(listen(any, of(1000)).granted).toEqual(of(1000));
    expect(await listen(any, of(1001)).answer).toMatchObject({
      error: { code: -32602, message: 'Too many subscriptions: at most 1000 for one request; send several' },
    });
  });

  it('takes addresses of at most 8192 characters, and of 128 Ki together (RX-01)', async () => {
    const uri = (n: number): string => `a://${n}`.padEnd(8192, 'x');
    const of = (length: number): object => ({ resourceSubscriptions: Array.from({ length }, (_, n) => uri(n)) });
    expect(listen(any, of(16)).granted).toEqual(of(16));
    expect(await listen(any, of(17)).answer).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('131072 characters for one request') },
    });
    expect(await listen(any, { resourceSubscriptions: [`${uri(1)}x`] }).answer).toMatchObject({
      error: { code: -32602, message: 'The address is too long: at most 8192 characters' },
    });
  });

  it('takes so much for all clients, and there is room again when one has unsubscribed (RX-01)', async () => {
    const one = server(any);
    const uri = (n: number): string => `a://${n}`.padEnd(8192, 'x');
    const params = {
      notifications: { resourceSubscriptions: Array.from({ length: 16 }, (_, n) => uri(n)) },
      junk: 'x'.repeat(100),
    };
    const clients = Array.from({ length: 64 }, () => connectDirect(one, { version: '2026-07-28' }));
    const answers = clients.map((each) => each.request('subscriptions/listen', params));
    expect(clients.map(({ peer }) => peer.running.size)).toEqual([...Array(63).fill(1), 0]);
    expect(await answers[63]).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/can not watch more for all/) },
    });
    const [call] = clients[0]?.peer.running.values() ?? [];
    expect((call as Execution).call).toHaveProperty('params', {});
    for (const { peer } of clients) for (const each of peer.running.values()) each.cancel();
    await expect.poll(() => engineOf(one).feed.watched.used).toBe(0);
  });

  it('is granted as far as the server offers it, and as it was wished', () => {
    const wish = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const all = { ...wish, resourceSubscriptions: ['a://x'] };
    expect(listen(any, all).granted).toStrictEqual({ resourcesListChanged: true, resourceSubscriptions: ['a://x'] });
    expect(listen({ tools: [], prompts: [] }, all).granted).toStrictEqual({
      toolsListChanged: true,
      promptsListChanged: true,
    });
    expect(listen(any, { resourcesListChanged: 'yes', resourceSubscriptions: [] }).granted).toStrictEqual({});
    expect(listen(any, {}).granted).toStrictEqual({});
  });

  it('may be for an extension without an initial state', async () => {
    const id = 'com.example/x';
    const hears = (method: string): boolean => method === 'notifications/x';
    const to = server({
      extensions: [
        {
          id,
          notifications: { 'notifications/x': {}, 'notifications/y': {} },
          listens: {
            xs: () => ({ granted: 'some', matches: hears }),
            ys: () => ({ granted: 'none', matches: () => false }),
          },
        },
      ],
    });
    const of = connectDirect(to, { capabilities: { extensions: { [id]: {} } } });
    const answer = of.request('subscriptions/listen', { notifications: { ys: 1, xs: 1 } }, 'l');
    to.notify('notifications/x');
    to.notify('notifications/y');
    await Promise.resolve();
    const tag = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } };
    expect(of.received).toMatchObject([
      { params: { notifications: { xs: 'some', ys: 'none' }, ...tag } },
      { jsonrpc: '2.0', method: 'notifications/x', params: tag },
    ]);
    expect(of.received).toHaveLength(2);
    of.peer.running.get('l')?.close();
    expect(await answer).toMatchObject({ result: tag });
    const undeclared = await connectDirect(to).request('subscriptions/listen', { notifications: { xs: 1 } });
    expect(undeclared?.error.message).toBe(
      '"notifications.xs" belongs to the extension "com.example/x", which this request does not declare',
    );
    const uninterested = connectDirect(to);
    void uninterested.request('subscriptions/listen', { notifications: {} });
    expect(uninterested.received).toMatchObject([{ params: { notifications: {} } }]);
  });
});
