import { describe, expect, it } from 'vitest';
import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { Notification } from '../jsonrpc/message.ts';
import { createServer } from './create-server.ts';
import { tool } from './define/define.ts';
import type { ExtensionMethod, ExtensionNotification, ServerExtension } from './extension.ts';
import { openDoor } from './fixtures/door.ts';
import type { LogEntry } from './observe/log.ts';
import type { Outcome } from './call/operation.ts';
import type { ServerOptions } from './options.ts';
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

describe('an answer to a question that nobody asked', () => {
  it('is nothing to a server whose transport can not ask', () => {
    const door = openDoor(server());
    expect(server().handle({ jsonrpc: '2.0', id: 1, result: {} }, door.exchange)).toBeUndefined();
  });

  it('is handed to a transport that can', () => {
    const settled: unknown[] = [];
    const { exchange } = openDoor(server(), { settle: (response) => void settled.push(response) });
    const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;
    expect(server().handle(answer, exchange)).toBeUndefined();
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
  const { ask, heard } = openDoor(to, { version: '2025-11-25' });
  void ask('tools/call', { name: 'make' });
  expect(heard).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  void ask('tools/call', { name: 'make' });
  expect(heard).toHaveLength(2);
});

describe('requests that run at the same time', () => {
  const slow = (): { to: Server; finish: () => void } => {
    let finish: (text: string) => void = () => {};
    const waiting = tool('wait', {}, () => new Promise<string>((resolve) => (finish = resolve)));
    return { to: server({ tools: [waiting], maxRunning: 2 }), finish: () => finish('done') };
  };

  it('have ids of their own', async () => {
    const { to, finish } = slow();
    const door = openDoor(to);
    const first = door.ask('tools/call', { name: 'wait' }, 'same');
    expect(door.ask('tools/list', {}, 'same')).toEqual({
      jsonrpc: '2.0',
      id: 'same',
      error: {
        code: ErrorCode.InvalidRequest,
        message: 'Invalid request: another request with this id is still running',
      },
    });
    finish();
    expect(await first).toMatchObject({ id: 'same', result: { isError: false } });
    expect(door.ask('tools/list', {}, 'same')).toMatchObject({ result: {} });
  });

  it('are as many as the server allows', () => {
    const { to } = slow();
    const door = openDoor(to);
    void door.ask('tools/call', { name: 'wait' });
    expect(door.ask('tools/list')).toMatchObject({ result: {} });
    void door.ask('tools/call', { name: 'wait' });
    expect(door.ask('tools/list')).toMatchObject({
      error: { message: expect.stringMatching(/^Server busy: 2 requests/) },
    });
  });

  it('may be more where an extension says that one is urgent', () => {
    const wait: ExtensionMethod = { serve: () => new Promise(() => {}) };
    const help: ExtensionMethod = { urgent: true, serve: () => ({ helped: true }) };
    const to = server({ ...extended({ 'x/wait': wait, 'x/help': help }), maxRunning: 1 });
    const door = openDoor(to, { capabilities: declared });
    void door.ask('x/wait');
    expect(door.ask('x/help')).toMatchObject({ result: { helped: true } });
    expect(door.ask('x/wait')).toMatchObject({ error: { code: -32603 } });
  });
});

describe('a method of an extension', () => {
  it('says how long its result may be kept where its facts say so', async () => {
    const to = server({
      ...extended({ 'x/kept': { caches: true, serve: () => ({}) }, 'x/plain': { serve: async () => ({}) } }),
      cache: { ttlMs: 3, scope: 'public' },
    });
    const door = openDoor(to, { capabilities: declared });
    expect(await door.ask('x/kept')).toMatchObject({ result: { ttlMs: 3, cacheScope: 'public' } });
    expect((await door.ask('x/plain'))?.result).not.toHaveProperty('ttlMs');
  });

  it('is served to a handshake client also where that did not declare it, but not to a stateless one', () => {
    const to = server(extended({ 'x/do': { serve: () => ({ done: true }) } }));
    expect(openDoor(to, { version: '2025-11-25' }).ask('x/do')).toMatchObject({ result: { done: true } });
    expect(openDoor(to).ask('x/do')).toMatchObject({
      error: {
        code: -32021,
        message: '"x/do" belongs to the extension "com.example/x", which this request does not declare',
        data: { requiredCapabilities: declared },
      },
    });
  });

  it.each(eras)('may fail, at once or later, and is answered once, in %s', async (version) => {
    const refuse: ExtensionMethod = {
      serve: () => {
        throw new ProtocolError(4001, 'No');
      },
    };
    const refuseLater: ExtensionMethod = { serve: () => Promise.reject(new ProtocolError(4002, 'Never')) };
    const door = openDoor(server(extended({ 'x/no': refuse, 'x/never': refuseLater })), {
      version,
      capabilities: declared,
    });
    expect(door.ask('x/no', {}, 'a')).toEqual({ jsonrpc: '2.0', id: 'a', error: { code: 4001, message: 'No' } });
    expect(await door.ask('x/never', {}, 'b')).toEqual({
      jsonrpc: '2.0',
      id: 'b',
      error: { code: 4002, message: 'Never' },
    });
    expect(door.exchange.running.size).toBe(0);
  });

  it('that gives what can not be told is answered with an error', async () => {
    const hostile = {
      get resultType(): string {
        throw new Error('not to be looked at');
      },
    };
    const log: LogEntry[] = [];
    const to = server(extended({ 'x/odd': { serve: async () => hostile } }), log);
    const door = openDoor(to, { capabilities: declared });
    expect(await door.ask('x/odd')).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
    expect(log).toMatchObject([{ level: 'error', data: 'Unexpected error in x/odd' }]);
    expect(door.exchange.running.size).toBe(0);
  });

  it('that fails or comes back after it was cancelled is not answered, and nothing is logged', async () => {
    const log: LogEntry[] = [];
    let end = { fail: (_: unknown): void => {}, finish: (_: Outcome): void => {} };
    const serve = (): Promise<Outcome> => new Promise((finish, fail) => (end = { fail, finish }));
    const door = openDoor(server(extended({ 'x/do': { serve } }), log), { capabilities: declared });
    const failing = door.ask('x/do', {}, 1);
    door.exchange.running.get(1)?.cancel();
    end.fail(new Error('too late'));
    expect(await failing).toBeUndefined();
    const finishing = door.ask('x/do', {}, 2);
    door.exchange.running.get(2)?.cancel();
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
  const heardIn = (version: string, more: Partial<ServerExtension> = {}) => {
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

  it('of an extension is heard in the handshake era whether or not it was declared', () => {
    const { to, seen, version } = heardIn('2025-11-25');
    openDoor(to, { version }).tell('notifications/x', { n: 1 });
    openDoor(to, { version, capabilities: declared }).tell('notifications/x', { n: 2 });
    expect(seen).toEqual([1, 2]);
  });

  it('of an extension is heard in the stateless era only where it was declared', () => {
    const { to, seen } = heardIn('2026-07-28');
    openDoor(to).tell('notifications/x', { n: 1 });
    openDoor(to, { capabilities: declared }).tell('notifications/x', { n: 2 });
    expect(seen).toEqual([2]);
  });

  it.each(eras)('that nobody takes is not served, in %s', (version) => {
    const { to, served, log } = heardIn(version);
    const door = openDoor(to, { version, capabilities: declared });
    served.length = 0;
    for (const method of ['notifications/only-sent', 'notifications/unheard-of', 'tools/list']) door.tell(method);
    expect([served, log]).toEqual([[], []]);
  });

  it('of an extension of the other era is not heard', () => {
    const stateless = heardIn('2026-07-28', { era: 'handshake' });
    openDoor(stateless.to, { capabilities: declared }).tell('notifications/x', { n: 1 });
    const handshake = heardIn('2025-11-25', { era: 'stateless' });
    openDoor(handshake.to, { version: '2025-11-25', capabilities: declared }).tell('notifications/x', { n: 1 });
    expect([stateless.seen, handshake.seen]).toEqual([[], []]);
  });

  it('of the protocol is served to handshake clients, and means nothing without a handshake', () => {
    const { to, served } = heardIn('2025-11-25');
    openDoor(to).tell('notifications/progress', { progressToken: 1, progress: 1 });
    expect(served).toEqual([]);
    openDoor(to, { version: '2025-11-25' }).tell('notifications/progress', { progressToken: 1, progress: 1 });
    expect(served).toEqual(['initialize', 'notifications/initialized', 'notifications/progress']);
  });

  it('before the handshake, or without any session, is not heard', () => {
    const { to, served, log } = heardIn('2025-11-25');
    const { exchange } = openDoor(to);
    const note: Notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(to.handle(note, exchange)).toBeUndefined();
    const { session: _, ...alone } = exchange;
    expect(to.handle(note, alone)).toBeUndefined();
    expect([served, log]).toEqual([[], []]);
  });

  it('that fails has no answer: what is unexpected is logged', async () => {
    const log: LogEntry[] = [];
    const wrong = new Error('wrong');
    const receive = ({ params }: { params: Record<string, unknown> }): void | Promise<void> => {
      if (params.later) return Promise.reject(wrong);
      if (params.refused) throw new ProtocolError(1, 'refused');
      throw wrong;
    };
    const door = openDoor(server(extended({}, { 'notifications/x': { receive } }), log), { capabilities: declared });
    door.tell('notifications/x', { refused: true });
    await turn();
    expect(log).toEqual([]);
    const entry = { level: 'error', logger: 'n', data: 'Unexpected error in notifications/x', error: wrong };
    door.tell('notifications/x', {});
    expect(log).toEqual([entry]);
    door.tell('notifications/x', { later: true });
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
    openDoor(to, { capabilities: declared }).tell('notifications/x');
    await turn();
    expect(outcomes).toEqual([{}]);
  });

  it('that can not be read is nobody’s fault here', () => {
    const log: LogEntry[] = [];
    const door = openDoor(server({}, log));
    door.tell('notifications/x', { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } });
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
    const door = openDoor(server({ tools: [wait] }), { version: '2025-11-25' });
    void door.ask('tools/call', { name: 'wait' }, 1);
    return { door, reasons };
  };

  it('stops the request that it names, with its reason', () => {
    const { door, reasons } = running();
    door.tell('notifications/cancelled', { requestId: 1, reason: 'enough' });
    expect(reasons).toEqual(['enough']);
  });

  it('has a reason of its own where none is given that could be read', () => {
    const { door, reasons } = running();
    door.tell('notifications/cancelled', { requestId: 1, reason: { odd: true } });
    expect(reasons).toEqual(['The request was cancelled']);
  });

  it('of nothing that runs does nothing', () => {
    const { door, reasons } = running();
    door.tell('notifications/cancelled', { requestId: 2 });
    door.tell('notifications/cancelled', {});
    expect(server().handle({ jsonrpc: '2.0', method: 'notifications/cancelled' }, door.exchange)).toBeUndefined();
    expect(reasons).toEqual([]);
    expect(door.exchange.running.size).toBe(1);
  });
});

describe('a request that comes back with answers', () => {
  it('must be readable, with a state or without', async () => {
    const { ask } = openDoor(server());
    const hi = { name: 'hi' };
    expect(await ask('tools/call', { ...hi, requestState: 7 })).toMatchObject({
      error: { code: -32602, message: '"requestState" must be a string' },
    });
    expect(await ask('tools/call', { ...hi, inputResponses: 'x' })).toMatchObject({
      error: { code: -32602, message: '"inputResponses" must be an object with an answer for each question' },
    });
    expect(await ask('tools/call', { ...hi, inputResponses: {} })).toMatchObject({ result: { isError: false } });
  });

  it('is a request like any other in the handshake era', () => {
    const { ask } = openDoor(server(), { version: '2025-11-25' });
    expect(ask('tools/call', { name: 'hi', requestState: 7 })).toMatchObject({ result: { isError: false } });
  });
});

describe('a handshake', () => {
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const ask = (params: object, lent: object = {}) => {
    const { exchange } = openDoor(server({ instructions: 'Read this.' }), lent);
    return server().handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params: params as never }, exchange);
  };

  it('needs a connection that keeps sessions', () => {
    expect(ask(opening, { session: undefined })).toMatchObject({
      error: { code: -32600, message: 'Invalid request: this connection keeps no sessions' },
    });
  });

  it('is done once', () => {
    const door = openDoor(server(), { version: '2025-11-25' });
    expect(door.ask('initialize', opening)).toMatchObject({
      error: { code: -32600, message: 'Invalid request: the session is already initialized' },
    });
  });

  it('says what is wrong with what the client tells of itself', () => {
    expect(ask({ ...opening, capabilities: [] })).toMatchObject({
      error: { code: -32602, message: '"capabilities" must be an object' },
    });
    expect(ask({ ...opening, clientInfo: 'me' })).toMatchObject({
      error: { code: -32602, message: '"clientInfo" must be an object' },
    });
  });

  it('needs no name of the client, and no capabilities', () => {
    const { clientInfo: _, capabilities: __, ...bare } = opening;
    expect(ask(bare)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('tells the instructions only where there are some', () => {
    const told = (options: Partial<ServerOptions>) => {
      const { exchange } = openDoor(server());
      const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening } as const;
      return (server(options).handle(message, exchange) as { result: object }).result;
    };
    expect(told({})).not.toHaveProperty('instructions');
    expect(told({ instructions: 'Read this.' })).toHaveProperty('instructions', 'Read this.');
    expect(openDoor(server()).ask('server/discover')).not.toHaveProperty('result.instructions');
  });
});
