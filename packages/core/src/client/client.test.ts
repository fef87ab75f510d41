import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Message, Notification, Request } from '../jsonrpc/message.ts';
import type { Client } from './client.ts';
import { SessionLost } from './errors.ts';
import { type Script, type Scripted, scripted, silent } from './fixtures/scripted.ts';
import type { ConnectOptions } from './connect-options.ts';

const eras = ['handshake', 'stateless'] as const;
const capabilitiesOf = 'io.modelcontextprotocol/clientCapabilities';

const requests = (sent: readonly Message[]): Request[] =>
  sent.filter((message): message is Request => 'method' in message && 'id' in message);
/** The requests after the handshake, without the metadata of each request. */
const asked = (sent: readonly Message[]): unknown[] =>
  requests(sent)
    .slice(1)
    .map(({ method, params: { _meta, ...params } = {} }) => [method, params]);
const methods = (sent: readonly Message[]): string[] =>
  requests(sent)
    .slice(1)
    .map(({ method }) => method);

const answering =
  (answers: Record<string, object>): Script =>
  ({ method }) =>
    answers[method];

/** Introductions of a server with capabilities. */
const offering =
  (capabilities: object, script: Script = () => undefined): Script =>
  (request) => {
    const { method, params } = request;
    if (method === 'initialize') {
      const serverInfo = { name: 'offering', version: '1' };
      return { protocolVersion: params?.protocolVersion, capabilities, serverInfo, instructions: 'Read me' };
    }
    if (method !== 'server/discover') return script(request);
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'offering', version: '1' } };
    return { supportedVersions: ['2026-07-28'], capabilities, instructions: 'Read me', _meta };
  };

describe('a client', () => {
  it.each(eras)('exposes what the server declared: %s', async (era) => {
    const { client } = await scripted(offering({ tools: {} }), { era });
    expect(client.serverInfo).toEqual({ name: 'offering', version: '1' });
    expect(client.capabilities).toEqual({ tools: {} });
    expect(client.instructions).toBe('Read me');
    expect(client.era).toBe(era);
    expect(client.protocolVersion).toBe(era === 'handshake' ? '2025-11-25' : '2026-07-28');
  });

  it.each(eras)('ignores malformed declarations: %s', async (era) => {
    const odd = {
      capabilities: 7,
      serverInfo: 'x',
      instructions: {},
      _meta: { 'io.modelcontextprotocol/serverInfo': 1 },
    };
    const { client } = await scripted(
      ({ method, params }) =>
        method === 'initialize'
          ? { ...odd, protocolVersion: params?.protocolVersion }
          : { ...odd, supportedVersions: ['2026-07-28'] },
      { era },
    );
    expect([client.serverInfo, client.capabilities, client.instructions]).toEqual([undefined, {}, undefined]);
  });

  it('sends its identity', async () => {
    const clientInfo = { name: 'me', version: '2' };
    const { sent } = await scripted(() => undefined, { era: 'handshake', clientInfo });
    expect(requests(sent)[0]?.params).toMatchObject({ clientInfo });
  });
});

describe('a method of the client', () => {
  const page = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

  it.each<[string, (client: Client) => unknown, string, object, object]>([
    ['listTools', (client) => client.listTools().all(), 'tools/list', {}, page],
    ['listResources', (client) => client.listResources().all(), 'resources/list', {}, page],
    ['listResourceTemplates', (client) => client.listResourceTemplates().all(), 'resources/templates/list', {}, page],
    ['listPrompts', (client) => client.listPrompts().all(), 'prompts/list', {}, page],
    [
      'callTool',
      (client) => client.callTool('x', { a: 1 }),
      'tools/call',
      { name: 'x', arguments: { a: 1 } },
      { content: [] },
    ],
    [
      'callTool without arguments',
      (client) => client.callTool('x'),
      'tools/call',
      { name: 'x', arguments: {} },
      { content: [] },
    ],
    ['readResource', (client) => client.readResource('a:b'), 'resources/read', { uri: 'a:b' }, { contents: [] }],
    [
      'getPrompt',
      (client) => client.getPrompt('x', { a: '1' }),
      'prompts/get',
      { name: 'x', arguments: { a: '1' } },
      { messages: [] },
    ],
    [
      'getPrompt without arguments',
      (client) => client.getPrompt('x'),
      'prompts/get',
      { name: 'x', arguments: {} },
      { messages: [] },
    ],
    [
      'complete',
      (client) => client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } }),
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } },
      { completion: { values: ['bc'] } },
    ],
    ['request', (client) => client.request('x/y', { a: 1 }), 'x/y', { a: 1 }, { z: 1 }],
  ])('is one request: %s', async (_, use, method, params, result) => {
    for (const era of eras) {
      const { client, sent } = await scripted(answering({ [method]: result }), { era });
      await use(client);
      expect(asked(sent)).toEqual([[method, params]]);
    }
  });

  it.each<[string, (client: Client) => Promise<unknown>, string, string]>([
    ['readResource', (client) => client.readResource('a:b'), 'resources/read', 'returned a resource without contents'],
    ['getPrompt', (client) => client.getPrompt('x'), 'prompts/get', 'returned a prompt without messages'],
    ['callTool', (client) => client.callTool('x'), 'tools/call', 'returned a result without content'],
    [
      'complete',
      (client) => client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } }),
      'completion/complete',
      'returned a completion without values',
    ],
  ])('fails if the result is malformed: %s', async (_, use, method, message) => {
    const { client } = await scripted(answering({ [method]: { completion: {} } }));
    await expect(use(client)).rejects.toMatchObject({ name: 'ResultError', message: expect.stringContaining(message) });
    const bare = await scripted(answering({ [method]: {} }));
    await expect(use(bare.client)).rejects.toMatchObject({ name: 'ResultError' });
  });

  it('returns completions unchanged', async () => {
    const completion = { values: ['bc'], total: 7, hasMore: true };
    const { client } = await scripted(answering({ 'completion/complete': { completion } }));
    const question = { ref: { type: 'ref/resource', uri: 'a:{b}' }, argument: { name: 'b', value: '' } } as const;
    expect(await client.complete(question)).toEqual(completion);
  });

  it('sends the cursor of the next page', async () => {
    const { client, sent } = await scripted(({ method, params }) =>
      method === 'prompts/list'
        ? { prompts: [{ name: params?.cursor ?? 'a' }], ...(params?.cursor === undefined && { nextCursor: 'b' }) }
        : undefined,
    );
    expect(await client.listPrompts().all()).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(asked(sent)).toEqual([
      ['prompts/list', {}],
      ['prompts/list', { cursor: 'b' }],
    ]);
  });

  it('sends extra metadata', async () => {
    const { client, sent } = await scripted(answering({ 'x/y': {} }), { era: 'handshake' });
    await client.request('x/y', { a: 1, _meta: { b: 1 } }, { meta: { c: 2 } });
    expect(requests(sent)[1]?.params).toEqual({ a: 1, _meta: { b: 1, c: 2 } });
    await client.request('x/y');
    expect(requests(sent)[2]).not.toHaveProperty('params');
  });

  it('requests progress for long methods and for listeners', async () => {
    const { client, sent } = await scripted(answering({ 'tools/call': { content: [] }, 'x/y': {} }), {
      era: 'handshake',
    });
    await client.callTool('x');
    await client.request('x/y');
    await client.request('x/y', {}, { onProgress: () => {} });
    const tokens = requests(sent).map(
      ({ id, params }) => (params?._meta as { progressToken?: number })?.progressToken === id,
    );
    expect(tokens).toEqual([false, true, false, true]);
  });

  it('pings with the method of the era', async () => {
    const old = await scripted(answering({ ping: {} }), { era: 'handshake' });
    await old.client.ping();
    expect(methods(old.sent)).toEqual(['ping']);
    const modern = await scripted(() => undefined, { era: 'stateless' });
    await modern.client.ping();
    expect(methods(modern.sent)).toEqual(['server/discover']);
  });

  it('notifies of changed roots if the revision supports it', async () => {
    const cancellations = (sent: readonly Message[]): boolean =>
      sent.some((message) => 'method' in message && message.method === 'notifications/roots/list_changed');
    const old = await scripted(() => undefined, { era: 'handshake' });
    await old.client.rootsChanged();
    expect(cancellations(old.sent)).toBe(true);
    const modern = await scripted(() => undefined, { era: 'stateless' });
    await modern.client.rootsChanged();
    expect(cancellations(modern.sent)).toBe(false);
  });
});

describe('a call with mismatched headers', () => {
  const mismatch = { error: { code: -32020, message: 'Header mismatch' } };

  it('is retried once after listing the tools again', async () => {
    let calls = 0;
    const { client, sent } = await scripted(({ method }) => {
      if (method === 'tools/list') return { tools: [], ttlMs: 60_000 };
      if (method !== 'tools/call') return undefined;
      calls += 1;
      return calls === 1 ? mismatch : { content: [] };
    });
    await client.listTools().all();
    await client.callTool('x');
    expect(methods(sent)).toEqual(['tools/list', 'tools/call', 'tools/list', 'tools/call']);
  });

  it('is not retried for another error code', async () => {
    const { client, sent } = await scripted(answering({ 'tools/call': { error: { code: -32602, message: 'No' } } }));
    await expect(client.callTool('x')).rejects.toMatchObject({ code: -32602 });
    expect(methods(sent)).toEqual(['tools/call']);
  });
});

describe('a cacheable response', () => {
  const list = { tools: [{ name: 'x', inputSchema: {} }], ttlMs: 60_000 };

  async function listing(options: ConnectOptions = {}): Promise<Scripted> {
    const reached = await scripted(answering({ 'tools/list': list }), options);
    await reached.client.listTools().all();
    return reached;
  }

  it('is served from the cache, unless fresh is set', async () => {
    const { client, sent } = await listing();
    expect(await client.listTools().all()).toEqual(list.tools);
    expect(methods(sent)).toHaveLength(1);
    await client.listTools({ fresh: true }).all();
    expect(methods(sent)).toHaveLength(2);
  });

  it('is requested each time with cache: false', async () => {
    const { client, sent } = await listing({ cache: false });
    await client.listTools().all();
    expect(methods(sent)).toHaveLength(2);
  });

  it('is invalidated by a change notification of its list only', async () => {
    const { client, sent, say } = await listing();
    say({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
    await client.listTools().all();
    expect(methods(sent)).toHaveLength(1);
    say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await client.listTools().all();
    expect(methods(sent)).toHaveLength(2);
  });

  it('is not cached if the server asked a question first', async () => {
    const { client, sent } = await scripted(
      ({ method, params }) => {
        if (method !== 'tools/list') return undefined;
        if (params?.inputResponses !== undefined) return list;
        return { resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } };
      },
      { era: 'stateless', roots: [] },
    );
    await client.listTools().all();
    await client.listTools().all();
    expect(methods(sent)).toHaveLength(4);
  });
});

describe('the log level', () => {
  const levels = (sent: readonly Message[]): unknown[] =>
    requests(sent).map(
      ({ params }) => (params?._meta as Record<string, unknown>)?.['io.modelcontextprotocol/logLevel'],
    );

  it('is set once in the handshake era, if the server supports logging', async () => {
    const script = answering({ 'logging/setLevel': {} });
    const { client, sent } = await scripted(offering({ logging: {} }, script), { era: 'handshake', logLevel: 'info' });
    expect(asked(sent)).toEqual([['logging/setLevel', { level: 'info' }]]);
    await client.setLogLevel('error');
    expect(asked(sent)[1]).toEqual(['logging/setLevel', { level: 'error' }]);
    const none = await scripted(offering({}, script), { era: 'handshake', logLevel: 'info' });
    expect(asked(none.sent)).toEqual([]);
    const unasked = await scripted(offering({ logging: {} }, script), { era: 'handshake' });
    expect(asked(unasked.sent)).toEqual([]);
  });

  it('may be rejected by a server that declares log messages: the client connects, with a warning', async () => {
    const script = answering({ 'logging/setLevel': { error: { code: -32601, message: 'no such method' } } });
    const options = { era: 'handshake', logLevel: 'info' } as const;
    const { client, warnings } = await scripted(offering({ logging: {} }, script), options);
    expect(client.era).toBe('handshake');
    expect(warnings).toEqual(['The server rejected the log level: no such method']);
  });

  it('is sent with each request in the stateless era', async () => {
    const script = answering({ 'x/y': {} });
    const { client, sent } = await scripted(offering({ logging: {} }, script), { era: 'stateless', logLevel: 'info' });
    await client.request('x/y');
    await client.setLogLevel('error');
    await client.request('x/y');
    expect(methods(sent)).toEqual(['x/y', 'x/y']);
    expect(levels(sent)).toEqual([undefined, 'info', 'error']);
  });

  it('delivers valid log messages only', async () => {
    const received: unknown[] = [];
    const { say } = await scripted(() => undefined, { onLog: (message) => received.push(message) });
    const log = (params: object): Notification => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { ...params },
    });
    say(log({ level: 'info', data: 1, logger: 'a' }));
    say(log({ level: 'info', data: 2, logger: 7 }));
    say(log({ level: 'loud', data: 3 }));
    expect(received).toEqual([
      { level: 'info', data: 1, logger: 'a' },
      { level: 'info', data: 2 },
    ]);
  });
});

describe('the subscriptions of a session', () => {
  const subscribing = answering({ 'resources/subscribe': {}, 'resources/unsubscribe': {} });

  it('are shared by several listeners, and ended with the last one', async () => {
    const { client, sent } = await scripted(subscribing, { era: 'handshake' });
    await client.subscribe('a:b');
    await client.subscribe('a:b');
    await client.subscribe('c:d');
    expect(asked(sent)).toEqual([
      ['resources/subscribe', { uri: 'a:b' }],
      ['resources/subscribe', { uri: 'c:d' }],
    ]);
    await client.unsubscribe('a:b');
    expect(methods(sent)).toHaveLength(2);
    await client.unsubscribe('a:b');
    expect(asked(sent)[2]).toEqual(['resources/unsubscribe', { uri: 'a:b' }]);
    await client.unsubscribe('a:b');
    expect(methods(sent)).toHaveLength(3);
  });

  it('that the server rejects are not counted', async () => {
    const { client, sent } = await scripted(
      answering({ 'resources/subscribe': { error: { code: -32002, message: 'No such resource' } } }),
      { era: 'handshake' },
    );
    await expect(client.subscribe('a:b')).rejects.toMatchObject({ code: -32002 });
    await expect(client.subscribe('a:b')).rejects.toMatchObject({ code: -32002 });
    await client.unsubscribe('a:b');
    expect(methods(sent)).toEqual(['resources/subscribe', 'resources/subscribe']);
  });

  it('throw in the stateless era, with a hint at listen', async () => {
    const { client, sent } = await scripted(subscribing, { era: 'stateless' });
    await expect(client.subscribe('a:b')).rejects.toThrow('has no "subscribe": use listen({ uris })');
    await expect(client.unsubscribe('a:b')).rejects.toThrow('has no "unsubscribe": use listen({ uris })');
    expect(methods(sent)).toEqual([]);
  });
});

describe('a lost session', () => {
  /** A server that forgets its first session after the introduction. */
  function forgetful(more: Script = () => undefined): { script: Script; forget: () => void; introductions: Request[] } {
    const introductions: Request[] = [];
    let isLost = false;
    return {
      introductions,
      forget: () => {
        isLost = true;
      },
      script(request) {
        if (request.method === 'initialize') {
          introductions.push(request);
          isLost = false;
          return { protocolVersion: '2025-06-18', capabilities: { logging: {} } };
        }
        if (isLost) return new SessionLost('The server dropped the session');
        return more(request) ?? { tools: [], ttlMs: 60_000 };
      },
    };
  }

  it('is re-established once for all requests, which are retried', async () => {
    const { script, forget, introductions } = forgetful();
    const { client, sent } = await scripted(script, { era: 'handshake', signal: new AbortController().signal });
    forget();
    const done = await Promise.all([client.request('x/y'), client.request('x/z')]);
    expect(done).toHaveLength(2);
    expect(introductions.map(({ params }) => params?.protocolVersion)).toEqual(['2025-11-25', '2025-06-18']);
    expect(methods(sent)).toEqual(['x/y', 'x/z', 'initialize', 'x/y', 'x/z']);
  });

  it('clears the cache, and restores log level and subscriptions', async () => {
    const { script, forget } = forgetful();
    const { client, sent } = await scripted(script, { era: 'handshake', logLevel: 'info' });
    await client.subscribe('a:b');
    await client.listTools().all();
    forget();
    await client.request('x/y');
    await client.listTools().all();
    const after = asked(sent).slice(asked(sent).findIndex((one) => (one as string[])[0] === 'initialize'));
    expect(after).toContainEqual(['logging/setLevel', { level: 'info' }]);
    expect(after).toContainEqual(['resources/subscribe', { uri: 'a:b' }]);
    expect(after).toContainEqual(['tools/list', {}]);
  });

  it('is not re-established twice if a second request fails later', async () => {
    const failures: ((error: Error) => void)[] = [];
    let introductions = 0;
    const { client, sent, waitForSent } = await scripted(
      ({ method, params }) => {
        if (method !== 'initialize') {
          return failures.length < 2 ? new Promise<never>((_, reject) => failures.push(reject)) : {};
        }
        introductions += 1;
        return { protocolVersion: params?.protocolVersion };
      },
      { era: 'handshake' },
    );
    const calls = [client.request('x/y'), client.request('x/z')];
    await waitForSent(() => sent.length === 4);
    await Promise.resolve();
    failures[0]?.(new SessionLost('gone'));
    await calls[0];
    failures[1]?.(new SessionLost('gone'));
    await calls[1];
    expect(introductions).toBe(2);
  });

  it('rejects requests that can not be sent after the reconnect', async () => {
    const { client, lose } = await scripted(forgetful().script, { era: 'handshake' });
    lose();
    const params = {
      get broken(): string {
        throw new Error('on purpose');
      },
    };
    await expect(client.request('x/y', params, { meta: { a: 1 } })).rejects.toThrow('on purpose');
  });

  it('may be reported by the transport without a request', async () => {
    const { script, introductions } = forgetful();
    const { client, lose, waitForSent } = await scripted(script, { era: 'handshake' });
    lose();
    await waitForSent(() => introductions.length === 2);
    await client.request('x/y');
    expect(introductions).toHaveLength(2);
  });

  it('is re-established with backoff if the server drops each one at once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { script, introductions } = forgetful();
    const { client, lose, warnings } = await scripted(script, { era: 'handshake' });
    for (let second = 0; second < 600; second += 1) {
      lose();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(introductions.length).toBeGreaterThan(10);
    expect(introductions.length).toBeLessThan(35);
    lose();
    await client.close();
    expect(warnings).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that can not be re-established causes a warning', async () => {
    let introductions = 0;
    const { lose, client, warnings } = await scripted(
      ({ method, params }) => {
        if (method !== 'initialize') return {};
        introductions += 1;
        if (introductions > 1) return { error: { code: -32603, message: 'Out of order' } };
        return { protocolVersion: params?.protocolVersion };
      },
      { era: 'handshake' },
    );
    lose();
    await expect(client.request('x/y')).rejects.toThrow('Out of order');
    expect(warnings).toEqual(['The session is lost: Out of order']);
  });

  it('warns about state that could not be restored', async () => {
    const { script, forget } = forgetful();
    let rejects = false;
    const { client, warnings } = await scripted(
      (request) =>
        rejects && request.method === 'resources/subscribe'
          ? { error: { code: -32002, message: 'Gone' } }
          : script(request),
      { era: 'handshake' },
    );
    await client.subscribe('a:b');
    rejects = true;
    forget();
    await client.request('x/y');
    await client.request('x/z');
    await vi.waitFor(() => expect(warnings).toEqual(['Lost with the old session: Gone']));
  });
});

describe('a closed connection', () => {
  it('calls onClose, unless the client closed it', async () => {
    const reasons: string[] = [];
    const options: ConnectOptions = { onClose: ({ message }) => reasons.push(message) };
    const first = await scripted(() => undefined, options);
    first.end(new Error('gone'));
    first.end(new Error('gone again'));
    expect(reasons).toEqual(['gone']);
    const second = await scripted(() => undefined, options);
    await second.client.close();
    second.end(new Error('late'));
    expect(reasons).toEqual(['gone']);
    await expect(second.client.ping()).rejects.toThrow('The client is closed');
  });

  it('before the negotiation rejects connect and closes the transport, without onClose', async () => {
    const reasons: string[] = [];
    let closed = 0;
    const failing = scripted(
      () => new Error('unreachable'),
      { era: 'handshake', onClose: ({ message }) => reasons.push(message) },
      { close: async () => void (closed += 1) },
    );
    await expect(failing).rejects.toThrow('unreachable');
    expect([closed, reasons]).toEqual([1, []]);
  });
});

describe('aborting', () => {
  it.each([
    ['a pipe', 'handshake', false, true],
    ['a pipe', 'stateless', false, true],
    ['a stream per request', 'handshake', true, true],
    ['a stream per request', 'stateless', true, false],
  ] as const)(
    'over %s in the %s era tells the server, unless it sees that',
    async (_, era, streamPerRequest, isNotified) => {
      const abandoned: unknown[] = [];
      const more = { streamPerRequest, abandon: (id: unknown) => void abandoned.push(id) };
      const { client, sent } = await scripted(answering({ 'x/y': silent }), { era }, more);
      const controller = new AbortController();
      const asking = client.request('x/y', {}, { signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(asking).rejects.toThrow('enough');
      const cancellations = sent.filter(
        (message) => 'method' in message && message.method === 'notifications/cancelled',
      );
      expect(cancellations).toHaveLength(isNotified ? 1 : 0);
      expect(abandoned).toEqual([requests(sent).at(-1)?.id]);
    },
  );
});

describe('a warning', () => {
  it('is a process warning by default', async () => {
    const { say } = await scripted(() => undefined, { era: 'stateless', onWarning: undefined as never });
    const warned = once(process, 'warning');
    say({ jsonrpc: '2.0', id: 'q', method: 'roots/list\u001B[2J\u009B\u202E' });
    const [warning] = (await warned) as [Error];
    const shown = '"roots/list\\u001b[2J\\u009b\\u202e"';
    expect(warning).toMatchObject({ name: 'McpWarning', message: expect.stringContaining(shown) });
  });
});

describe('the capabilities of the client', () => {
  it('are sent with each request of the stateless era', async () => {
    const { sent } = await scripted(() => undefined, { era: 'stateless', roots: [] });
    expect(requests(sent)[0]?.params?._meta).toMatchObject({ [capabilitiesOf]: { roots: { listChanged: true } } });
  });
});
