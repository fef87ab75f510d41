import { describe, expect, it } from 'vitest';
import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { Notification } from '../jsonrpc/message.ts';
import { createServer, type ServerOptions } from '../create-server.ts';
import { tool } from './define/define.ts';
import type { ExtensionMethod, ExtensionNotification, ServerExtension } from './extension.ts';
import { connectDirect } from './fixtures/direct-client.ts';
import type { LogEntry } from './log/log.ts';
import type { Outcome } from './call/operation.ts';
import type { Server } from './server.ts';

const id = 'com.example/x';
const declared = { extensions: { [id]: {} } };
const eras = ['2025-11-25', '2026-07-28'] as const;

function server(more: Partial<ServerOptions> = {}, log: LogEntry[] = []): Server {
  const logger = { level: 'debug', write: (entry: LogEntry) => void log.push(entry) } as const;
  return createServer({ name: 'n', version: '1', logger, tools: [tool('hi', {}, () => 'Hi')], ...more });
}

function extended(
  methods: Record<string, ExtensionMethod>,
  notifications: Record<string, ExtensionNotification> = {},
  more: Partial<ServerExtension> = {},
): Partial<ServerOptions> {
  return { extensions: [{ id, methods, notifications, ...more }] };
}

/** Lets everything happen that waits for nothing. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a response without a pending question', () => {
  it('is ignored by a server whose transport can not ask', () => {
    const client = connectDirect(server());
    expect(server().handle({ jsonrpc: '2.0', id: 1, result: {} }, client.peer)).toBeUndefined();
  });

  it('is handed to a transport that can', () => {
    const settled: unknown[] = [];
    const { peer } = connectDirect(server(), { settle: (response) => void settled.push(response) });
    const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;
    expect(server().handle(answer, peer)).toBeUndefined();
    expect(settled).toEqual([answer]);
  });
});

it('notifies of the changes of each call before its answer, once for all changes of the call', () => {
  const make = tool('make', {}, () => {
    to.tools.add(tool(`a${to.tools.size}`, {}, () => ''));
    to.tools.add(tool(`b${to.tools.size}`, {}, () => ''));
    return 'Made';
  });
  const to = server({ tools: [make] });
  const { request, received } = connectDirect(to, { version: '2025-11-25' });
  void request('tools/call', { name: 'make' });
  expect(received).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  void request('tools/call', { name: 'make' });
  expect(received).toHaveLength(2);
});

describe('requests that run at the same time', () => {
  const slow = (): { to: Server; finish: () => void } => {
    let finish: (text: string) => void = () => {};
    const waiting = tool('wait', {}, () => new Promise<string>((resolve) => (finish = resolve)));
    return { to: server({ tools: [waiting], maxRunning: 2 }), finish: () => finish('done') };
  };

  it('have ids of their own', async () => {
    const { to, finish } = slow();
    const client = connectDirect(to);
    const first = client.request('tools/call', { name: 'wait' }, 'same');
    expect(client.request('tools/list', {}, 'same')).toEqual({
      jsonrpc: '2.0',
      id: 'same',
      error: {
        code: ErrorCode.InvalidRequest,
        message: 'Invalid request: another request with this id is still running',
      },
    });
    finish();
    expect(await first).toMatchObject({ id: 'same', result: { isError: false } });
    expect(client.request('tools/list', {}, 'same')).toMatchObject({ result: {} });
  });

  it('are limited by the server', () => {
    const { to } = slow();
    const client = connectDirect(to);
    void client.request('tools/call', { name: 'wait' });
    expect(client.request('tools/list')).toMatchObject({ result: {} });
    void client.request('tools/call', { name: 'wait' });
    expect(client.request('tools/list')).toMatchObject({
      error: { message: expect.stringMatching(/^Server busy: 2 requests/) },
    });
  });

  it('are not limited for urgent methods of an extension', () => {
    const wait: ExtensionMethod = { serve: () => new Promise(() => {}) };
    const help: ExtensionMethod = { urgent: true, serve: () => ({ helped: true }) };
    const to = server({ ...extended({ 'x/wait': wait, 'x/help': help }), maxRunning: 1 });
    const client = connectDirect(to, { capabilities: declared });
    void client.request('x/wait');
    expect(client.request('x/help')).toMatchObject({ result: { helped: true } });
    expect(client.request('x/wait')).toMatchObject({ error: { code: -32603 } });
  });
});

describe('a method of an extension', () => {
  it('has cache hints if its properties say so', async () => {
    const to = server({
      ...extended({ 'x/kept': { caches: true, serve: () => ({}) }, 'x/plain': { serve: async () => ({}) } }),
      cache: { ttlMs: 3, scope: 'public' },
    });
    const client = connectDirect(to, { capabilities: declared });
    expect(await client.request('x/kept')).toMatchObject({ result: { ttlMs: 3, cacheScope: 'public' } });
    expect((await client.request('x/plain'))?.result).not.toHaveProperty('ttlMs');
  });

  it('is served to a handshake client without a declaration, but not to a stateless one', () => {
    const to = server(extended({ 'x/do': { serve: () => ({ done: true }) } }));
    expect(connectDirect(to, { version: '2025-11-25' }).request('x/do')).toMatchObject({ result: { done: true } });
    expect(connectDirect(to).request('x/do')).toMatchObject({
      error: {
        code: -32021,
        message: '"x/do" belongs to the extension "com.example/x", which this request does not declare',
        data: { requiredCapabilities: declared },
      },
    });
  });

  it.each(eras)('may fail, at once or later, and is answered once, in %s', async (version) => {
    const reject: ExtensionMethod = {
      serve: () => {
        throw new ProtocolError(4001, 'No');
      },
    };
    const rejectLater: ExtensionMethod = { serve: () => Promise.reject(new ProtocolError(4002, 'Never')) };
    const client = connectDirect(server(extended({ 'x/no': reject, 'x/never': rejectLater })), {
      version,
      capabilities: declared,
    });
    expect(client.request('x/no', {}, 'a')).toEqual({ jsonrpc: '2.0', id: 'a', error: { code: 4001, message: 'No' } });
    expect(await client.request('x/never', {}, 'b')).toEqual({
      jsonrpc: '2.0',
      id: 'b',
      error: { code: 4002, message: 'Never' },
    });
    expect(client.peer.running.size).toBe(0);
  });

  it('that gives what can not be determined is answered with an error', async () => {
    const hostile = {
      get resultType(): string {
        throw new Error('not to be looked at');
      },
    };
    const log: LogEntry[] = [];
    const to = server(extended({ 'x/odd': { serve: async () => hostile } }), log);
    const client = connectDirect(to, { capabilities: declared });
    expect(await client.request('x/odd')).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
    expect(log).toMatchObject([{ level: 'error', data: 'Unexpected error in x/odd' }]);
    expect(client.peer.running.size).toBe(0);
  });

  it('that settles after it was cancelled is neither answered nor logged', async () => {
    const log: LogEntry[] = [];
    let end = { fail: (_: unknown): void => {}, finish: (_: Outcome): void => {} };
    const serve = (): Promise<Outcome> => new Promise((finish, fail) => (end = { fail, finish }));
    const client = connectDirect(server(extended({ 'x/do': { serve } }), log), { capabilities: declared });
    const failing = client.request('x/do', {}, 1);
    client.peer.running.get(1)?.cancel();
    end.fail(new Error('too late'));
    expect(await failing).toBeUndefined();
    const finishing = client.request('x/do', {}, 2);
    client.peer.running.get(2)?.cancel();
    let looked = false;
    end.finish({
      get resultType() {
        looked = true;
        return 'complete';
      },
    });
    expect(await finishing).toBeUndefined();
    await turn();
    expect([log, looked]).toEqual([[], false]);
  });
});

describe('a notification', () => {
  const setUp = (version: string, more: Partial<ServerExtension> = {}) => {
    const seen: unknown[] = [];
    const receive = ({ params }: { params: Record<string, unknown> }): void => void seen.push(params.n);
    const log: LogEntry[] = [];
    const to = server(extended({}, { 'notifications/x': { receive }, 'notifications/only-sent': {} }, more), log);
    const served: string[] = [];
    to.use(({ method }, next) => {
      served.push(method);
      return next();
    });
    return { to, seen, served, log, version };
  };

  it('of an extension is delivered in the handshake era whether or not it was declared', () => {
    const { to, seen, version } = setUp('2025-11-25');
    connectDirect(to, { version }).notify('notifications/x', { n: 1 });
    connectDirect(to, { version, capabilities: declared }).notify('notifications/x', { n: 2 });
    expect(seen).toEqual([1, 2]);
  });

  it('of an extension is delivered in the stateless era only where it was declared', () => {
    const { to, seen } = setUp('2026-07-28');
    connectDirect(to).notify('notifications/x', { n: 1 });
    connectDirect(to, { capabilities: declared }).notify('notifications/x', { n: 2 });
    expect(seen).toEqual([2]);
  });

  it.each(eras)('that nobody takes is not served, in %s', (version) => {
    const { to, served, log } = setUp(version);
    const client = connectDirect(to, { version, capabilities: declared });
    served.length = 0;
    for (const method of ['notifications/only-sent', 'notifications/unheard-of', 'tools/list']) client.notify(method);
    expect([served, log]).toEqual([[], []]);
  });

  it('of an extension of the other era is not delivered', () => {
    const stateless = setUp('2026-07-28', { era: 'handshake' });
    connectDirect(stateless.to, { capabilities: declared }).notify('notifications/x', { n: 1 });
    const handshake = setUp('2025-11-25', { era: 'stateless' });
    connectDirect(handshake.to, { version: '2025-11-25', capabilities: declared }).notify('notifications/x', { n: 1 });
    expect([stateless.seen, handshake.seen]).toEqual([[], []]);
  });

  it('of the protocol is served to handshake clients, and means nothing without a handshake', () => {
    const { to, served } = setUp('2025-11-25');
    connectDirect(to).notify('notifications/progress', { progressToken: 1, progress: 1 });
    expect(served).toEqual([]);
    connectDirect(to, { version: '2025-11-25' }).notify('notifications/progress', { progressToken: 1, progress: 1 });
    expect(served).toEqual(['initialize', 'notifications/initialized', 'notifications/progress']);
  });

  it('before the handshake, or without any session, is not delivered', () => {
    const { to, served, log } = setUp('2025-11-25');
    const { peer } = connectDirect(to);
    const note: Notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(to.handle(note, peer)).toBeUndefined();
    const { session: _, ...alone } = peer;
    expect(to.handle(note, alone)).toBeUndefined();
    expect([served, log]).toEqual([[], []]);
  });

  it('that fails has no response, and unexpected errors are logged', async () => {
    const log: LogEntry[] = [];
    const wrong = new Error('wrong');
    const receive = ({ params }: { params: Record<string, unknown> }): void | Promise<void> => {
      if (params.later) return Promise.reject(wrong);
      if (params.rejected) throw new ProtocolError(1, 'refused');
      throw wrong;
    };
    const client = connectDirect(server(extended({}, { 'notifications/x': { receive } }), log), {
      capabilities: declared,
    });
    client.notify('notifications/x', { rejected: true });
    await turn();
    expect(log).toEqual([]);
    const entry = { level: 'error', logger: 'n', data: 'Unexpected error in notifications/x', error: wrong };
    client.notify('notifications/x', {});
    expect(log).toEqual([entry]);
    client.notify('notifications/x', { later: true });
    await turn();
    expect(log).toEqual([entry, entry]);
  });

  it('that is taken later is over when it was taken', async () => {
    const outcomes: unknown[] = [];
    const receive = async (): Promise<void> => {};
    const to = server(extended({}, { 'notifications/x': { receive } }));
    to.use(async (_, next) => {
      const outcome = await next();
      outcomes.push(outcome);
      return outcome;
    });
    connectDirect(to, { capabilities: declared }).notify('notifications/x');
    await turn();
    expect(outcomes).toEqual([{}]);
  });

  it('that can not be read is nobody’s fault here', () => {
    const log: LogEntry[] = [];
    const client = connectDirect(server({}, log));
    client.notify('notifications/x', { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } });
    expect(log).toEqual([]);
  });
});

describe('a cancellation', () => {
  const running = () => {
    const reasons: unknown[] = [];
    const wait = tool('wait', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message));
      return new Promise<string>(() => {});
    });
    const client = connectDirect(server({ tools: [wait] }), { version: '2025-11-25' });
    void client.request('tools/call', { name: 'wait' }, 1);
    return { client, reasons };
  };

  it('stops the request that it names, with its reason', () => {
    const { client, reasons } = running();
    client.notify('notifications/cancelled', { requestId: 1, reason: 'enough' });
    expect(reasons).toEqual(['enough']);
  });

  it('has a default reason if the given one is invalid', () => {
    const { client, reasons } = running();
    client.notify('notifications/cancelled', { requestId: 1, reason: { odd: true } });
    expect(reasons).toEqual(['The request was cancelled']);
  });

  it('of an unknown request is ignored', () => {
    const { client, reasons } = running();
    client.notify('notifications/cancelled', { requestId: 2 });
    client.notify('notifications/cancelled', {});
    expect(server().handle({ jsonrpc: '2.0', method: 'notifications/cancelled' }, client.peer)).toBeUndefined();
    expect(reasons).toEqual([]);
    expect(client.peer.running.size).toBe(1);
  });
});

describe('a request that is retried with answers', () => {
  it('must be readable, with a state or without', async () => {
    const { request } = connectDirect(server());
    const hi = { name: 'hi' };
    expect(await request('tools/call', { ...hi, requestState: 7 })).toMatchObject({
      error: { code: -32602, message: '"requestState" must be a string' },
    });
    expect(await request('tools/call', { ...hi, inputResponses: 'x' })).toMatchObject({
      error: { code: -32602, message: '"inputResponses" must be an object with an answer for each question' },
    });
    expect(await request('tools/call', { ...hi, inputResponses: {} })).toMatchObject({ result: { isError: false } });
  });

  it('is a request like any other in the handshake era', () => {
    const { request } = connectDirect(server(), { version: '2025-11-25' });
    expect(request('tools/call', { name: 'hi', requestState: 7 })).toMatchObject({ result: { isError: false } });
  });
});

describe('a handshake', () => {
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const ask = (params: object, lent: object = {}) => {
    const { peer } = connectDirect(server({ instructions: 'Read this.' }), lent);
    return server().handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params: params as never }, peer);
  };

  it('needs a connection that keeps sessions', () => {
    expect(ask(opening, { session: undefined })).toMatchObject({
      error: { code: -32600, message: 'Invalid request: this connection keeps no sessions' },
    });
  });

  it('is done once', () => {
    const client = connectDirect(server(), { version: '2025-11-25' });
    expect(client.request('initialize', opening)).toMatchObject({
      error: { code: -32600, message: 'Invalid request: the session is already initialized' },
    });
  });

  it('reports an invalid client identity', () => {
    expect(ask({ ...opening, capabilities: [] })).toMatchObject({
      error: { code: -32602, message: '"capabilities" must be an object' },
    });
    expect(ask({ ...opening, clientInfo: 'me' })).toMatchObject({
      error: {
        code: -32602,
        message: 'Malformed "clientInfo": "name" and "version" must be strings',
      },
    });
  });

  it('needs no name of the client, and no capabilities', () => {
    const { clientInfo: _, capabilities: __, ...bare } = opening;
    expect(ask(bare)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('has instructions only if there are some', () => {
    const initialized = (options: Partial<ServerOptions>) => {
      const { peer } = connectDirect(server());
      const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening } as const;
      return (server(options).handle(message, peer) as { result: object }).result;
    };
    expect(initialized({})).not.toHaveProperty('instructions');
    expect(initialized({ instructions: 'Read this.' })).toHaveProperty('instructions', 'Read this.');
    expect(connectDirect(server()).request('server/discover')).not.toHaveProperty('result.instructions');
  });
});
