import { describe, expect, it } from 'vitest';
import type { Message, Params, Request } from '../jsonrpc/message.ts';
import type { ClientExtension, FollowedRequest, ResultType } from './extension.ts';
import { scripted } from './fixtures/scripted.ts';
import { tickets } from './fixtures/tickets.ts';

const eras = ['handshake', 'stateless'] as const;
const id = 'com.example/tickets';
const done = { content: [{ type: 'text', text: 'done' }] };
const ticket = { resultType: 'ticket', ticketId: 't1' };

const declaredBy = (message: Message | undefined): unknown => {
  const { params = {} } = message as Request;
  const meta = (params._meta ?? {}) as Params;
  const capabilities = params.capabilities ?? meta['io.modelcontextprotocol/clientCapabilities'];
  return (capabilities as Params | undefined)?.extensions;
};

const requests = (sent: readonly Message[]): Request[] =>
  sent.filter((message): message is Request => 'method' in message && 'id' in message);
const methods = (sent: readonly Message[]): string[] => requests(sent).map(({ method }) => method);

/** Answers introductions as a server that has declared extensions. */
const introducing =
  (extensions: object) =>
  ({ method, params }: Request): object | undefined => {
    if (method === 'initialize') return { protocolVersion: params?.protocolVersion, capabilities: { extensions } };
    if (method !== 'server/discover') return undefined;
    return { supportedVersions: ['2026-07-28'], capabilities: { extensions } };
  };

/** A server that answers each call with a ticket, and redeems a ticket at the second request. */
function ticketServer(): (request: Request) => object | undefined {
  let asked = 0;
  return ({ method }) => {
    if (method === 'tools/call') return ticket;
    if (method !== 'tickets/get') return undefined;
    asked += 1;
    return asked % 2 === 1 ? {} : { done };
  };
}

const following = (follow: ResultType['follow'], more: Partial<ResultType> = {}): ClientExtension =>
  tickets({ resultTypes: { ticket: { follow, ...more } } });

describe('an extension of the client', () => {
  it('is declared in initialize in the handshake era, by default without settings (X-01, X-03)', async () => {
    const { sent } = await scripted(() => undefined, { era: 'handshake', extensions: [tickets()] });
    expect(methods(sent)).toEqual(['initialize']);
    expect(declaredBy(sent[0])).toEqual({ [id]: {} });
  });

  it('is declared in every request in the stateless era, with its settings (X-01, X-02)', async () => {
    const settings = { colour: 'red' };
    const extensions = [tickets({ settings }), { id: 'com.example/other' }];
    const { client, sent } = await scripted(ticketServer(), { era: 'stateless', extensions });
    await client.callTool('x');
    await client.ping().catch(() => {});
    expect(methods(sent)).toEqual(['server/discover', 'tools/call', 'tickets/get', 'tickets/get', 'server/discover']);
    for (const request of requests(sent)) {
      expect(declaredBy(request)).toEqual({ [id]: settings, 'com.example/other': {} });
    }
  });

  it.each(eras)('is declared only in the era that it has: %s (X-03)', async (era) => {
    const other = era === 'handshake' ? 'stateless' : 'handshake';
    const here = await scripted(() => undefined, { era, extensions: [tickets({ era })] });
    expect(declaredBy(here.sent[0])).toEqual({ [id]: {} });
    const elsewhere = await scripted(() => undefined, { era, extensions: [tickets({ era: other })] });
    expect(declaredBy(elsewhere.sent[0])).toBeUndefined();
  });

  it.each(eras)('is declared beside explicit capabilities: %s', async (era) => {
    const capabilities = { extensions: { 'com.example/by-hand': { a: 1 } }, experimental: { x: {} } };
    const { sent } = await scripted(() => undefined, { era, capabilities, extensions: [tickets()] });
    expect(declaredBy(sent[0])).toEqual({ 'com.example/by-hand': { a: 1 }, [id]: {} });
  });

  it('is off by default (X-04)', async () => {
    const { client, sent } = await scripted(introducing({ [id]: {} }));
    expect(declaredBy(sent[0])).toBeUndefined();
    expect(client.supports(id)).toBe(false);
  });

  it('can be used together with its successor, which has another id (X-06)', async () => {
    const successor = { id: 'com.example/tickets2', settings: { colour: 'red' } };
    const { sent } = await scripted(() => undefined, { era: 'stateless', extensions: [tickets(), successor] });
    expect(declaredBy(sent[0])).toEqual({ [id]: {}, 'com.example/tickets2': { colour: 'red' } });
  });

  it('must be a value, not the function that creates it', async () => {
    const connecting = scripted(() => undefined, { extensions: [tickets as unknown as ClientExtension] });
    await expect(connecting).rejects.toThrow('an extension is what it gives: write tickets()');
  });

  it('must have an id with a prefix (X-01)', async () => {
    const connecting = scripted(() => undefined, { extensions: [{ id: 'tickets' }] });
    await expect(connecting).rejects.toThrow('"tickets" is no id of an extension: write');
    await expect(connecting).rejects.toBeInstanceOf(TypeError);
  });

  it.each<[string, ClientExtension, string]>([
    ['with the same id', { id }, `The extension "${id}" is given twice: leave one out`],
    ['with a method of another', { id: 'a/b', methods: { 'tickets/get': {} } }, 'adds the method "tickets/get", which'],
    [
      'with a method of the protocol',
      { id: 'a/b', methods: { 'tools/call': {} } },
      'adds the method "tools/call", which',
    ],
    [
      'with a type of another',
      { id: 'a/b', resultTypes: { ticket: { follow: (r) => r } } },
      'the type "ticket", which',
    ],
    [
      'with a notification of another',
      { id: 'a/b', notifications: { 'notifications/ticket': {} } },
      'the notification "notifications/ticket", which',
    ],
    ['with the type "complete"', { id: 'a/b', resultTypes: { complete: { follow: (r) => r } } }, 'the type "complete"'],
    [
      'with the type "input_required"',
      { id: 'a/b', resultTypes: { input_required: { follow: (r) => r } } },
      'the type "input_required"',
    ],
  ])('%s is rejected', async (_, second, message) => {
    const extensions = [tickets({ onNotification: () => {} }), second];
    await expect(scripted(() => undefined, { extensions })).rejects.toThrow(message);
  });

  it.each(eras)('is supported if both sides declared it: %s (X-04)', async (era) => {
    const both = await scripted(introducing({ [id]: {}, 'com.example/other': {} }), { era, extensions: [tickets()] });
    expect([both.client.supports(id), both.client.supports('com.example/other')]).toEqual([true, false]);
    const broken = await scripted(introducing({ [id]: true }), { era, extensions: [tickets()] });
    expect(broken.client.supports(id)).toBe(false);
    const none = await scripted(() => undefined, { era, extensions: [tickets()] });
    expect([none.client.supports(id), none.client.supports('constructor')]).toEqual([false, false]);
    const other = era === 'handshake' ? 'stateless' : 'handshake';
    const elsewhere = await scripted(introducing({ [id]: {} }), { era, extensions: [tickets({ era: other })] });
    expect(elsewhere.client.supports(id)).toBe(false);
  });
});

describe('a result of an extension’s type', () => {
  it.each(eras)('is followed to the final result: %s (X-02)', async (era) => {
    const { client, sent } = await scripted(ticketServer(), { era, extensions: [tickets()] });
    expect(await client.callTool('x')).toMatchObject(done);
    expect(methods(sent).slice(1)).toEqual(['tools/call', 'tickets/get', 'tickets/get']);
    expect(requests(sent).at(-1)?.params).toMatchObject({ ticketId: 't1' });
  });

  it('is rejected without the extension, and in an era that lacks it (X-04)', async () => {
    const without = await scripted(ticketServer(), { era: 'stateless' });
    await expect(without.client.callTool('x')).rejects.toThrow('an unknown type: "ticket"');
    const other = await scripted(ticketServer(), { era: 'stateless', extensions: [tickets({ era: 'handshake' })] });
    await expect(other.client.callTool('x')).rejects.toThrow('an unknown type: "ticket"');
  });

  it('without an extension is an ordinary member in the handshake era', async () => {
    const { client } = await scripted(
      ({ method }) => (method === 'tools/call' ? { ...done, resultType: 'odd' } : undefined),
      { era: 'handshake', extensions: [tickets()] },
    );
    expect(await client.callTool('x')).toMatchObject({ ...done, resultType: 'odd' });
  });

  it.each(eras)('is rejected for other methods than its own: %s', async (era) => {
    const script = ({ method }: Request): object | undefined => (method === 'prompts/get' ? ticket : undefined);
    const { client, sent } = await scripted(script, { era, extensions: [tickets()] });
    const failed = client.getPrompt('x');
    await expect(failed).rejects.toThrow('may not answer "prompts/get" with a result of the type "ticket"');
    await expect(failed).rejects.toMatchObject({ name: 'ResultError', result: ticket });
    expect(methods(sent).slice(1)).toEqual(['prompts/get']);
    const raw = client.request('prompts/get', { name: 'x' }, { follow: false });
    await expect(raw).rejects.toMatchObject({ name: 'ResultError' });
  });

  it('is accepted for any method if the extension names none', async () => {
    const { client } = await scripted(({ method }) => (method === 'prompts/get' ? ticket : undefined), {
      era: 'stateless',
      extensions: [following(() => ({ messages: [] }))],
    });
    expect(await client.getPrompt('x')).toEqual({ messages: [] });
  });

  it.each(eras)('is returned unchanged with follow: false: %s', async (era) => {
    const { client, sent } = await scripted(ticketServer(), { era, extensions: [tickets()] });
    expect(await client.request('tools/call', { name: 'x' }, { follow: false })).toEqual(ticket);
    expect(methods(sent).slice(1)).toEqual(['tools/call']);
  });

  it('that is unknown is rejected also with follow: false', async () => {
    const { client } = await scripted(({ method }) => (method === 'x/y' ? { resultType: 'odd' } : undefined), {
      era: 'stateless',
      extensions: [tickets()],
    });
    await expect(client.request('x/y', {}, { follow: false })).rejects.toThrow('unknown type: "odd"');
  });

  it('may alternate with rounds of questions, which repeat the params of the request', async () => {
    const seen: unknown[] = [];
    const question = { resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } };
    const answers = [question, ticket, question, ticket, done];
    const { client, sent } = await scripted(({ method }) => (method === 'tools/call' ? answers.shift() : undefined), {
      era: 'stateless',
      roots: [{ uri: 'file:///a' }],
      extensions: [
        following((result, { method, params, request }) => {
          seen.push([result, method, params]);
          return request('tools/call', { ...params, again: true });
        }),
      ],
    });
    expect(await client.callTool('x', { a: 1 }, { meta: { trace: 'abc' } })).toMatchObject(done);
    expect(methods(sent).slice(1)).toEqual(Array.from({ length: 5 }, () => 'tools/call'));
    expect(seen).toEqual([
      [ticket, 'tools/call', { name: 'x', arguments: { a: 1 } }],
      [ticket, 'tools/call', { name: 'x', arguments: { a: 1 } }],
    ]);
    for (const { params } of requests(sent).slice(1)) {
      expect(params).toMatchObject({ name: 'x', arguments: { a: 1 }, _meta: { trace: 'abc' } });
    }
  });

  it.each(eras)('is followed up to a limit: %s', async (era) => {
    let followed = 0;
    const { client } = await scripted(({ method }) => (method === 'tools/call' ? ticket : undefined), {
      era,
      extensions: [
        following((result) => {
          followed += 1;
          return { ...result };
        }),
      ],
    });
    await expect(client.callTool('x')).rejects.toThrow('The server still gives no final result after 10 rounds');
    expect(followed).toBe(10);
  });

  it('is never cached', async () => {
    const list = { resultType: 'complete', tools: [], ttlMs: 60_000 };
    const { client, sent } = await scripted(({ method }) => (method === 'tools/list' ? ticket : undefined), {
      era: 'stateless',
      extensions: [following(() => list)],
    });
    await client.listTools().all();
    await client.listTools().all();
    expect(methods(sent).slice(1)).toEqual(['tools/list', 'tools/list']);
  });

  it.each(eras)('lets the extension answer questions with the handlers of the client: %s', async (era) => {
    const { client } = await scripted(ticketServer(), {
      era,
      roots: [{ uri: 'file:///a' }],
      extensions: [
        following(async (_, { answer }) => ({
          content: [],
          structuredContent: [await answer('roots/list', undefined), await answer('x/y', {}).catch(({ code }) => code)],
        })),
      ],
    });
    const { structuredContent } = await client.callTool('x');
    expect(structuredContent).toEqual([{ roots: [{ uri: 'file:///a' }] }, -32601]);
  });

  it('lets the extension report progress', async () => {
    const notified: unknown[] = [];
    const { client } = await scripted(ticketServer(), {
      era: 'stateless',
      extensions: [
        following((_, { onProgress }) => {
          onProgress?.({ progress: 1 });
          return done;
        }),
      ],
    });
    await client.callTool('x', {}, { onProgress: (progress) => notified.push(progress) });
    await client.callTool('x');
    expect(notified).toEqual([{ progress: 1 }]);
  });

  it('applies the timeouts of the caller to requests of the extension, and returns their results unchanged', async () => {
    const results: unknown[] = [];
    const { client } = await scripted(({ method }) => (method === 'tools/call' ? ticket : undefined), {
      era: 'stateless',
      extensions: [
        following(async (_, { request }) => {
          results.push(await request('tools/call', { name: 'x' }));
          await request('tickets/get', {});
          return done;
        }),
      ],
    });
    const failed = client.callTool('x', {}, { timeoutMs: 20 });
    await expect(failed).rejects.toThrow('No answer to "tickets/get" within 20 ms');
    expect(results).toEqual([ticket]);
  });

  it('requests progress for long methods of the extension', async () => {
    const methods = { 'tickets/get': { takesLong: true } };
    const { client, sent } = await scripted(ticketServer(), { era: 'handshake', extensions: [tickets({ methods })] });
    await client.callTool('x');
    expect(requests(sent).at(-1)?.params?._meta).toHaveProperty('progressToken');
  });

  it('throws if the extension returns nothing or throws', async () => {
    const nothing = following(() => undefined as unknown as Params);
    const first = await scripted(ticketServer(), { era: 'stateless', extensions: [nothing] });
    await expect(first.client.callTool('x')).rejects.toThrow('"follow" of the result type "ticket" gave no result');
    const failing = following(() => {
      throw new Error('ticket lost');
    });
    const second = await scripted(ticketServer(), { era: 'stateless', extensions: [failing] });
    await expect(second.client.callTool('x')).rejects.toThrow('ticket lost');
  });
});

describe('aborting a followed result', () => {
  const waiting = (seen: FollowedRequest[], began: () => void): ClientExtension =>
    following((_, request) => {
      seen.push(request);
      began();
      return new Promise(() => {});
    });

  it('rejects at once and aborts the extension, which may still send a request', async () => {
    const seen: FollowedRequest[] = [];
    const controller = new AbortController();
    const { client, sent } = await scripted(
      (request) => (request.method === 'tickets/cancel' ? {} : ticketServer()(request)),
      { era: 'stateless', extensions: [waiting(seen, () => controller.abort(new Error('enough')))] },
    );
    await expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toThrow('enough');
    const [request] = seen;
    expect(request?.signal.reason).toMatchObject({ message: 'enough' });
    await expect(request?.request('tickets/get')).rejects.toThrow('enough');
    await request?.request('tickets/cancel', {}, { signal: AbortSignal.timeout(1000) });
    expect(methods(sent).slice(1)).toEqual(['tools/call', 'tickets/cancel']);
  });

  it('starts nothing if the signal had aborted before', async () => {
    const seen: FollowedRequest[] = [];
    const controller = new AbortController();
    const { client } = await scripted(
      (request) => {
        if (request.method === 'tools/call') queueMicrotask(() => controller.abort(new Error('enough')));
        return ticketServer()(request);
      },
      { era: 'stateless', extensions: [waiting(seen, () => {})] },
    );
    await expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toThrow('enough');
    expect(seen.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('happens when the client is closed or the connection ends', async () => {
    const seen: FollowedRequest[] = [];
    let began = (): void => {};
    const extension = waiting(seen, () => began());
    const first = await scripted(ticketServer(), { era: 'stateless', extensions: [extension] });
    began = () => void first.client.close();
    await expect(first.client.callTool('x')).rejects.toThrow('The client is closed');
    const second = await scripted(ticketServer(), { era: 'stateless', extensions: [extension] });
    began = () => second.end(new Error('gone'));
    await expect(second.client.callTool('x')).rejects.toThrow('gone');
    expect(seen.map(({ signal }) => (signal.reason as Error).message)).toEqual(['The client is closed', 'gone']);
  });
});

describe('a notification of an extension', () => {
  const said = { jsonrpc: '2.0', method: 'notifications/ticket', params: { ticketId: 't1' } } as const;

  it.each(eras)('is delivered to the extension: %s', async (era) => {
    const received: Params[] = [];
    const { say } = await scripted(() => undefined, {
      era,
      extensions: [tickets({ onNotification: (p) => received.push(p) })],
    });
    say(said);
    say({ jsonrpc: '2.0', method: 'notifications/ticket' });
    say({ jsonrpc: '2.0', method: 'notifications/other' });
    expect(received).toEqual([{ ticketId: 't1' }, {}]);
  });

  it('is ignored in an era that lacks it, or without a listener', async () => {
    const received: Params[] = [];
    const elsewhere = tickets({ era: 'handshake', onNotification: (params) => received.push(params) });
    const deaf = { id: 'com.example/deaf', notifications: { 'notifications/deaf': {} } };
    const { say, warnings } = await scripted(() => undefined, { era: 'stateless', extensions: [elsewhere, deaf] });
    say(said);
    say({ jsonrpc: '2.0', method: 'notifications/deaf' });
    await Promise.resolve();
    expect([received, warnings]).toEqual([[], []]);
  });

  it('whose listener throws causes a warning', async () => {
    const warned: string[] = [];
    let warnedTwice = (): void => {};
    const twice = new Promise<void>((resolve) => {
      warnedTwice = resolve;
    });
    const failing = (id: string, method: string, onNotification: () => void | Promise<void>): ClientExtension => ({
      id,
      notifications: { [method]: { onNotification } },
    });
    const { client, say } = await scripted(({ method }) => (method === 'tools/call' ? done : undefined), {
      era: 'stateless',
      onWarning: (text) => {
        if (warned.push(text) === 2) warnedTwice();
      },
      extensions: [
        failing('com.example/a', 'notifications/a', () => {
          throw new Error('at once');
        }),
        failing('com.example/b', 'notifications/b', () => Promise.reject(new Error('later'))),
      ],
    });
    say({ jsonrpc: '2.0', method: 'notifications/a' });
    say({ jsonrpc: '2.0', method: 'notifications/b' });
    await twice;
    expect(warned).toEqual([
      'The extension "com.example/a" failed on "notifications/a": at once',
      'The extension "com.example/b" failed on "notifications/b": later',
    ]);
    expect(await client.callTool('x')).toMatchObject(done);
  });
});

describe('a notification of an extension, sent by the client', () => {
  const collected = 'notifications/tickets/collected';
  const extension = tickets({ notifications: { [collected]: {} } });

  it.each(eras)('reaches a server that supports it, with the sender if the era requires it (%s)', async (era) => {
    const { client, sent } = await scripted(introducing({ [id]: {} }), { era, extensions: [extension] });
    await client.notify(collected, { number: 7 });
    const last = sent.at(-1) as Request;
    expect(last).toMatchObject({ method: collected, params: { number: 7 } });
    expect('id' in last).toBe(false);
    expect(declaredBy(last)).toEqual(era === 'stateless' ? { [id]: {} } : undefined);
  });

  it.each(eras)('is not sent to a server without the extension (%s)', async (era) => {
    const { client, sent } = await scripted(introducing({}), { era, extensions: [extension] });
    await client.notify(collected, { number: 7 });
    expect(sent.filter((message) => 'method' in message && message.method === collected)).toEqual([]);
  });

  it.each(eras)('must belong to an extension of the era (%s)', async (era) => {
    const other = era === 'stateless' ? 'handshake' : 'stateless';
    const extensions = [tickets({ era: other, notifications: { [collected]: {} } })];
    const { client } = await scripted(introducing({ [id]: {} }), { era, extensions });
    await expect(client.notify(collected)).rejects.toThrow('name it in "notifications"');
    await expect(client.notify('notifications/initialized')).rejects.toThrow('name it in "notifications"');
  });
});

describe('the filter of an extension in a subscription', () => {
  const acknowledge = (id: unknown, notifications: object): Message => ({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  });

  it('is sent, and what the server honours of it is returned', async () => {
    const { client, sent, say, waitForSent } = await scripted(() => undefined, {
      era: 'stateless',
      extensions: [tickets()],
    });
    const listening = client.listen({ tools: true, uris: ['a:b'], more: { ticketIds: ['t1', 't2'] } });
    const { id: request } = (await waitForSent((m) => 'method' in m && m.method === 'subscriptions/listen')) as Request;
    expect(requests(sent).at(-1)?.params?.notifications).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:b'],
      ticketIds: ['t1', 't2'],
    });
    say(acknowledge(request, { toolsListChanged: true, promptsListChanged: false, ticketIds: ['t1'] }));
    const subscription = await listening;
    expect(subscription.honoured).toEqual({ tools: true, more: { ticketIds: ['t1'] } });
    await subscription.close();
  });

  it('is not supported in a session', async () => {
    const { client } = await scripted(() => undefined, { era: 'handshake', extensions: [tickets()] });
    const subscription = await client.listen({ more: { ticketIds: ['t1'] } });
    expect(subscription.honoured).toEqual({});
    await subscription.close();
  });
});
