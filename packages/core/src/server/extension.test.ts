import { describe, expect, it } from 'vitest';
import { expectError, McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import type { Params } from '../jsonrpc/message.ts';
import { compose } from '../compose.ts';
import { createServer } from '../create-server.ts';
import { tool } from './define/define.ts';
import type { ServerExtension } from './extension.ts';
import type { Operation } from './call/operation.ts';
import type { Server } from './server.ts';

const id = 'com.example/tickets';
const declared = { extensions: { [id]: {} } };
const called = 'notifications/tickets/called';

/** Numbers for a queue: one method, one result type, notifications in both directions, something to listen to. */
function tickets(more: Partial<ServerExtension> = {}): ServerExtension & { collected: unknown[] } {
  let last = 0;
  const collected: unknown[] = [];
  return {
    id,
    settings: { desks: 2 },
    methods: {
      'tickets/draw': {
        serve({ params, notify }) {
          if (typeof params.number === 'number') return { number: params.number, desk: 1 };
          last += 1;
          notify(called, { number: last });
          return { resultType: 'ticket', number: last };
        },
      },
    },
    notifications: {
      [called]: { broadcast: true },
      'notifications/tickets/collected': { receive: ({ params }) => void collected.push(params.number) },
    },
    listens: {
      ticketNumbers(wish) {
        if (!Array.isArray(wish)) return undefined;
        const granted = wish.filter((number) => typeof number === 'number');
        return {
          granted,
          matches: (method, { number }) => method === called && granted.includes(number as number),
          begin: (tell) => tell(called, { number: 0 }),
        };
      },
    },
    collected,
    ...more,
  };
}

function server(...extensions: ServerExtension[]): Server {
  const greet = tool('greet', {}, (_, { supports }) => (supports(id) ? 'with tickets' : 'without'));
  return createServer({ name: 'queue', version: '1', tools: [greet], extensions });
}

async function connect(to: Server, version: string, capabilities: Params = declared): Promise<McpClient> {
  const client = new McpClient(memoryWire(to), { version, capabilities });
  await client.initialize();
  return client;
}

const eras = ['2025-11-25', '2026-07-28'];

describe.each(eras)('a server with an extension, in %s', (version) => {
  it('declares it with its settings (X-01, X-02, X-03)', async () => {
    const client = new McpClient(memoryWire(server(tickets())), { version });
    const { result } = await client.initialize();
    expect(result.capabilities.extensions).toEqual({ [id]: { desks: 2 } });
  });

  it('serves its methods', async () => {
    const client = await connect(server(tickets()), version);
    expect(await client.request('tickets/draw')).toMatchObject({ resultType: 'ticket', number: 1 });
    expect(await client.request('tickets/draw', { number: 1 })).toMatchObject({ number: 1, desk: 1 });
  });

  it('rejects its method as unknown without the extension (X-04, X-05)', async () => {
    const client = await connect(server(), version);
    expectError(await client.sendRequest('tickets/draw'), -32601);
    const { result } = await client.initialize().catch(() => ({ result: undefined }));
    expect(result?.capabilities?.extensions).toBeUndefined();
  });

  it('reports to handlers whether both sides have it', async () => {
    const greeting = async (to: Server, capabilities?: Params): Promise<string> => {
      const client = await connect(to, version, capabilities);
      return (await client.request('tools/call', { name: 'greet' })).content[0].text;
    };
    expect(await greeting(server(tickets()))).toBe('with tickets');
    expect(await greeting(server(tickets()), {})).toBe('without');
    expect(await greeting(server(tickets()), { extensions: { [id]: true } })).toBe('without');
    expect(await greeting(server())).toBe('without');
  });

  it('sends notifications of it during a request', async () => {
    const client = await connect(server(tickets()), version);
    await client.request('tickets/draw');
    const notified = client.received.filter(({ method }) => method === called);
    expect(notified).toMatchObject([{ params: { number: 1 } }]);
  });

  it('takes notifications of it from clients that have it', async () => {
    const extension = tickets();
    const client = await connect(server(extension), version);
    client.notify('notifications/tickets/collected', { number: 7 });
    client.notify('notifications/tickets/called', { number: 8 });
    client.notify('notifications/tickets/unheard-of', { number: 9 });
    await client.request('tickets/draw');
    expect(extension.collected).toEqual([7]);
  });

  it('has it in one era only with the option era', async () => {
    const only = version === '2025-11-25' ? 'handshake' : 'stateless';
    const other = only === 'handshake' ? 'stateless' : 'handshake';
    const has = await connect(server(tickets({ era: only })), version);
    expect((await has.sendRequest('tickets/draw')).result).toBeDefined();
    const lacks = await connect(server(tickets({ era: other })), version);
    expectError(await lacks.sendRequest('tickets/draw'), -32601);
    expect((await lacks.request('tools/call', { name: 'greet' })).content[0].text).toBe('without');
  });

  it('runs middleware of an extension inside that of the author', async () => {
    const seen: string[] = [];
    const around: ServerExtension['around'] = ({ method }, next) => {
      seen.push(`inner ${method}`);
      return next();
    };
    const watched = server(tickets({ around })).use(({ method }, next) => {
      seen.push(`outer ${method}`);
      return next();
    });
    const client = await connect(watched, version);
    await client.request('tickets/draw');
    expect(seen.slice(-2)).toEqual(['outer tickets/draw', 'inner tickets/draw']);
  });

  it('serves an operation with the params of middleware', async () => {
    const numbered = server(tickets()).use(({ method, params }, next) =>
      method === 'tickets/draw' ? next({ ...params, number: 5 }) : next(),
    );
    const client = await connect(numbered, version);
    expect(await client.request('tickets/draw')).toMatchObject({ number: 5, desk: 1 });
  });
});

it('is rejected if it is a function', () => {
  const tasks = (): ServerExtension => ({ id: 'com.example/tasks' });
  const extensions = [tasks as unknown as ServerExtension];
  expect(() => createServer({ name: 'x', version: '1', extensions })).toThrow('write tasks()');
});

describe('a list', () => {
  /** Shows a tool only to callers that have the extension. */
  const around: ServerExtension['around'] = (operation, next) => {
    const outcome = next();
    if (operation.method !== 'tools/list' || operation.supports(id)) return outcome;
    const result = JSON.parse(JSON.stringify(outcome)) as { tools: { name: string }[] };
    return { ...result, tools: result.tools.filter(({ name }) => name !== 'greet'), cacheScope: 'private' };
  };
  const listing = createServer({
    name: 'queue',
    version: '1',
    tools: [tool('greet', {}, () => 'hello'), tool('leave', {}, () => 'bye')],
    cache: { ttlMs: 1000, scope: 'public' },
    extensions: [tickets({ around })],
  });

  it.each(eras)(
    'may be another one for callers without an extension, request by request, in %s (X-07)',
    async (version) => {
      const names = async (capabilities: Params): Promise<string[]> => {
        const { tools } = await (await connect(listing, version, capabilities)).request('tools/list');
        return (tools as { name: string }[]).map(({ name }) => name);
      };
      expect(await names(declared)).toEqual(['greet', 'leave']);
      expect(await names({})).toEqual(['leave']);
      expect(await names(declared)).toEqual(['greet', 'leave']);
    },
  );

  it('that depends on the caller is private (X-07)', async () => {
    const scope = async (capabilities: Params): Promise<unknown> => {
      const client = await connect(listing, '2026-07-28', capabilities);
      return (await client.request('tools/list')).cacheScope;
    };
    expect(await scope(declared)).toBe('public');
    expect(await scope({})).toBe('private');
  });
});

describe('in the stateless era', () => {
  it('a method of an extension needs a request that declares it (X-02, X-04)', async () => {
    const client = await connect(server(tickets()), '2026-07-28', {});
    const error = expectError(await client.sendRequest('tickets/draw'), -32021);
    expect(error.data).toEqual({ requiredCapabilities: { extensions: { [id]: {} } } });
    expect(error.message).toContain(id);
  });

  it('a method that is for everyone needs none', async () => {
    const everyone = { id, methods: { 'tickets/draw': { servesEveryone: true, serve: () => ({ number: 1 }) } } };
    const client = await connect(server(everyone), '2026-07-28', {});
    expect((await client.sendRequest('tickets/draw')).result).toMatchObject({ number: 1 });
  });

  it('no state of an earlier request is used (X-02)', async () => {
    const to = server(tickets());
    const client = await connect(to, '2026-07-28', {});
    const meta = { 'io.modelcontextprotocol/clientCapabilities': declared };
    expect((await client.sendRequest('tickets/draw', { _meta: meta })).result).toMatchObject({ number: 1 });
    expectError(await client.sendRequest('tickets/draw'), -32021);
  });

  it('a notification of a client that does not declare the extension is not received', async () => {
    const extension = tickets();
    const client = await connect(server(extension), '2026-07-28', {});
    client.notify('notifications/tickets/collected', { number: 7 });
    await client.request('tools/list');
    expect(extension.collected).toEqual([]);
  });

  it('a client gets only the notifications it subscribed to', async () => {
    const to = server(tickets());
    const client = await connect(to, '2026-07-28');
    client.post('subscriptions/listen', { notifications: { ticketNumbers: [2, 'x'] } }, 'listening');
    await client.readNotification('notifications/subscriptions/acknowledged');
    to.notify(called, { number: 1 });
    to.notify(called, { number: 2 });
    to.notify(called, { number: 2 });
    await client.readNotification(called, ({ number }) => number === 2);
    expect(client.received.map(({ method, params }) => [method, params])).toEqual([
      [undefined, undefined],
      [
        'notifications/subscriptions/acknowledged',
        { notifications: { ticketNumbers: [2] }, _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' } },
      ],
      [called, { number: 0, _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' } }],
      [called, { number: 2, _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' } }],
    ]);
  });

  it('a filter that an extension does not grant is not acknowledged', async () => {
    const client = await connect(server(tickets()), '2026-07-28');
    client.post('subscriptions/listen', { notifications: { ticketNumbers: 'all', toolsListChanged: true } }, 'l');
    const { params } = await client.readNotification('notifications/subscriptions/acknowledged');
    expect(params?.notifications).toEqual({ toolsListChanged: true });
  });

  it('subscribing to an extension needs its declaration (X-04)', async () => {
    const client = await connect(server(tickets()), '2026-07-28', {});
    const answer = await client.sendRequest('subscriptions/listen', { notifications: { ticketNumbers: [1] } });
    expect(expectError(answer, -32021).data).toEqual({ requiredCapabilities: { extensions: { [id]: {} } } });
  });
});

describe('in the handshake era', () => {
  it('a broadcast reaches the clients that declared the extension, and no others', async () => {
    const to = server(tickets());
    const [one, other] = await Promise.all([connect(to, '2025-11-25'), connect(to, '2025-11-25', {})]);
    to.notify(called, { number: 3 });
    await one.readNotification(called);
    await other.request('tools/list');
    expect(other.received.filter(({ method }) => method === called)).toEqual([]);
  });

  it.each([
    ['is not for everybody', { notifications: { [called]: {} } }],
    ['belongs to the other era', { era: 'stateless' as const }],
  ])('a notification that %s reaches only subscribers', async (_, more) => {
    const to = server(tickets({ listens: {}, ...more }));
    const client = await connect(to, '2025-11-25');
    to.notify(called, { number: 3 });
    to.tools.remove('greet');
    await client.readNotification('notifications/tools/list_changed');
    expect(client.received.filter(({ method }) => method === called)).toEqual([]);
  });

  it('a method of an extension waits for the handshake like any other', async () => {
    const client = new McpClient(memoryWire(server(tickets())), { version: '2025-11-25' });
    expect((await client.sendRequest('tickets/draw')).error?.code).toBe(-32002);
    expect((await client.sendRequest('tickets/unheard-of')).error?.code).toBe(-32601);
  });
});

describe('an extension', () => {
  it('is installed once, with the server that has it', () => {
    const installed: Server[] = [];
    const made = server(tickets({ install: (one) => installed.push(one) }));
    expect(installed).toEqual([made]);
  });

  it.each([
    [undefined],
    [''],
    ['tickets'],
    ['/tickets'],
    ['com.example/'],
    ['com..example/tickets'],
    ['-com.example/tickets'],
    ['com.example-/tickets'],
    ['1com/tickets'],
    ['com.example/tickets/more'],
    ['com.example/-tickets'],
    ['com.example/tickets '],
  ])('needs an identifier with a domain, not %j (X-01)', (wrong) => {
    expect(() => server({ id: wrong as string })).toThrow(/such as "com\.example\/tickets"/);
  });

  it.each(['com.example/tickets', 'io.modelcontextprotocol/ui', 'a/b', 'x-y.z2/a.b_c-d', 'com.example/2'])(
    'may be called %s (X-01)',
    (right) => {
      expect(server({ id: right }).capabilities.extensions).toEqual({ [right]: {} });
    },
  );

  it.each([[null], ['on'], [[]], [7]])('has settings that are an object, not %j (X-01)', (settings) => {
    expect(() => server({ id, settings: settings as never })).toThrow('must be an object');
  });

  it.each([
    ['a method of the protocol', { methods: { 'tools/call': { serve: () => ({}) } } }],
    ['a notification of the protocol', { notifications: { 'notifications/cancelled': {} } }],
    ['a question of the protocol', { methods: { 'roots/list': { serve: () => ({}) } } }],
  ])('can not add %s', (_, more) => {
    expect(() => server({ id, ...more })).toThrow('exists already: choose another name');
  });

  it('can not be added twice, nor duplicate a method of another', () => {
    expect(() => server(tickets(), tickets())).toThrow('is there twice');
    expect(() => server(tickets(), tickets({ id: 'com.example/other' }))).toThrow('exists already');
    const both = { x: { serve: () => ({}) } };
    expect(() => server({ id, methods: both, notifications: { x: {} } })).toThrow('exists already');
  });

  it('needs a handler for each of its methods', () => {
    expect(() => server({ id, methods: { 'tickets/draw': {} as never } })).toThrow('give it a "serve" function');
  });

  it('stands in a list', () => {
    expect(() => createServer({ name: 'n', version: '1', extensions: { [id]: {} } as never })).toThrow(
      'must be a list of extensions',
    );
  });

  it('names the notifications that it sends', async () => {
    expect(() => server(tickets()).notify('notifications/tickets/other')).toThrow('name it in "notifications"');
    const careless = tickets({
      methods: { 'tickets/draw': { serve: ({ notify }: Operation) => (notify('notifications/other'), {}) } },
    });
    const client = await connect(server(careless), '2026-07-28');
    expectError(await client.sendRequest('tickets/draw'), -32603);
  });
});

describe.each(eras)('a composed server, in %s', (version) => {
  const whole = (...parts: Server[]): Server =>
    compose(Object.fromEntries(parts.map((part, index) => [`part ${index}`, part])), { name: 'w', version: '1' });
  const plain = (): Server => createServer({ name: 'plain', version: '1', prompts: [] });

  it('has the extensions of its parts, served by them', async () => {
    const seen: string[] = [];
    const around: ServerExtension['around'] = ({ method }, next) => {
      seen.push(method);
      return next();
    };
    const client = await connect(whole(plain(), server(tickets({ around }))), version);
    expect(await client.request('tickets/draw')).toMatchObject({ resultType: 'ticket', number: 1 });
    expect((await client.request('tools/call', { name: 'greet' })).content[0].text).toBe('with tickets');
    expect(seen).toEqual(['tickets/draw', 'tools/call']);
  });

  it('forwards notifications of a part', async () => {
    const part = server(tickets());
    const joined = whole(plain(), part);
    const client = await connect(joined, version);
    if (version === '2026-07-28') {
      client.post('subscriptions/listen', { notifications: { ticketNumbers: [4] } });
      await client.readNotification('notifications/subscriptions/acknowledged');
    }
    part.notify(called, { number: 4 });
    expect((await client.readNotification(called, ({ number }) => number === 4)).params).toMatchObject({ number: 4 });
  });

  it('takes the same extension of several parts, but not two that differ', async () => {
    const shared = tickets();
    const other = createServer({ name: 'other', version: '1', extensions: [shared] });
    const client = await connect(whole(other, server(shared)), version);
    expect(await client.request('tickets/draw')).toMatchObject({ number: 1 });
    expect(() => whole(server(tickets()), createServer({ name: 'x', version: '1', extensions: [tickets()] }))).toThrow(
      'part 0 and part 1 both have the extension "com.example/tickets"',
    );
  });
});
