import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../jsonrpc/errors.ts';
import type { Context } from './context.ts';
import { createServer } from '../../create-server.ts';
import { resource } from '../define/define.ts';
import type { ServerExtension } from '../extension.ts';
import { type DirectClient, type DirectClientOptions, connectDirect, textOf } from '../fixtures/direct-client.ts';
import type { LogEntry } from '../log/log.ts';
import type { Operation } from './operation.ts';
import type { Server } from '../server.ts';

const eras = ['2025-11-25', '2026-07-28'] as const;

/** A server with one tool, whose handler the test provides. */
function serverWith(work: (context: Context) => unknown, log: LogEntry[] = []): Server {
  return createServer({
    name: 'working',
    version: '1',
    tools: [{ name: 'work', call: (_: never, context) => work(context) }],
    logger: { level: 'warning', write: (entry) => void log.push(entry) },
  });
}

function connectTo(work: (context: Context) => unknown, options?: DirectClientOptions): DirectClient {
  return connectDirect(serverWith(work), options);
}

const work = { name: 'work' };

describe.each(eras)('the context of a handler, in %s', (version) => {
  it('knows the message and who sent it', async () => {
    let seen: Context | undefined;
    const auth = { principal: 'ann' };
    const capabilities = { roots: {} };
    const client = connectTo((context) => (seen = context) && 'x', { version, auth, capabilities, meta: { own: 1 } });
    await client.request('tools/call', work, 'seven');
    expect(seen).toMatchObject({ method: 'tools/call', requestId: 'seven', auth, clientCapabilities: capabilities });
    expect(seen?.meta).toMatchObject({ own: 1 });
  });

  it('says what the client can do', async () => {
    const abilities = ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const;
    const can = async (capabilities: Record<string, unknown>): Promise<string> => {
      const client = connectTo(({ can }) => abilities.filter((ability) => can(ability)).join(' '), {
        version,
        capabilities,
        ask: () => Promise.reject(new Error('not asked here')),
      });
      return textOf(await client.request('tools/call', work)) as string;
    };
    expect(await can({})).toBe('');
    expect(await can({ elicitation: {} })).toBe('elicit');
    expect(await can({ elicitation: { url: {} } })).toBe('elicit-url');
    expect(await can({ elicitation: { form: {}, url: {} } })).toBe('elicit elicit-url');
    expect(await can({ elicitation: { form: {} } })).toBe('elicit');
    expect(await can({ sampling: {} })).toBe('sample');
    expect(await can({ sampling: { tools: {} } })).toBe('sample sample-tools');
    expect(await can({ roots: {} })).toBe('roots');
    expect(await can({ elicitation: true, sampling: 1, roots: 'yes' })).toBe('');
  });

  it('reports that nothing can be asked if the transport can not ask', async () => {
    const seen: boolean[] = [];
    const server = serverWith(({ can }) => String(can('roots')));
    server.use(({ can, requestId }, next) => {
      if (requestId === undefined) seen.push(can('roots'));
      return next();
    });
    const client = connectDirect(server, { version, capabilities: { roots: {} } });
    expect(textOf(await client.request('tools/call', work))).toBe(String(version >= '2026'));
    client.notify('notifications/roots/list_changed');
    expect(seen).toEqual(version >= '2026' ? [] : [false, false]);
  });

  it('disconnects if the transport can, for a second or the given time', async () => {
    const hung: number[] = [];
    const disconnect = async (ms: number): Promise<void> => void hung.push(ms);
    const leave = async ({ disconnect: leaveNow }: Context): Promise<string> => {
      await leaveNow();
      await leaveNow(25);
      return 'done';
    };
    expect(textOf(await connectTo(leave, { version, disconnect }).request('tools/call', work))).toBe('done');
    expect(hung).toEqual([1000, 25]);
    expect(textOf(await connectTo(leave, { version }).request('tools/call', work))).toBe('done');
  });
});

describe('progress', () => {
  const tokens = { version: '2025-11-25', meta: { progressToken: 't' } };

  it('has a total and a message only if they are given', () => {
    const { request, received } = connectTo(({ progress }) => {
      progress(1);
      progress(2, 5);
      progress(3, undefined, 'three');
      return '';
    }, tokens);
    void request('tools/call', work);
    expect(received.map((message) => 'params' in message && message.params)).toStrictEqual([
      { progressToken: 't', progress: 1 },
      { progressToken: 't', progress: 2, total: 5 },
      { progressToken: 't', progress: 3, message: 'three' },
    ]);
  });

  it('only grows, and ends with the call', async () => {
    let later: () => void = () => {};
    const { request, received } = connectTo(async ({ progress }) => {
      progress(-1);
      for (const value of [2, 2, 1, Number.NaN, 3]) progress(value);
      later = () => progress(4);
    }, tokens);
    await request('tools/call', work);
    later();
    expect(received).toMatchObject([-1, 2, 3].map((progress) => ({ params: { progress } })));
  });

  it('is sent to who asked for it with a token of the right kind', () => {
    const receivedWith = (progressToken: unknown): number => {
      const { request, received } = connectTo(({ progress }) => progress(1), {
        version: '2025-11-25',
        meta: { progressToken },
      });
      void request('tools/call', work);
      return received.length;
    };
    expect([
      receivedWith(0),
      receivedWith('x'),
      receivedWith(undefined),
      receivedWith(true),
      receivedWith(null),
    ]).toEqual([1, 1, 0, 0, 0]);
  });
});

describe('a log message of a handler', () => {
  it.each([
    ['2025-11-25', undefined],
    ['2026-07-28', { 'io.modelcontextprotocol/logLevel': 'info' }],
  ])('reaches its client from the level that it wants, in %s', (version, meta) => {
    const { request, received } = connectTo(
      ({ log }) => {
        log('debug', 'a');
        log('info', { b: 1 });
        log('error', 'c', 'other');
        return '';
      },
      { version, ...(meta && { meta }) },
    );
    void request('tools/call', work);
    expect(received).toStrictEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'working', data: { b: 1 } } },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: 'other', data: 'c' } },
    ]);
  });

  it("is written to the server's log from its level, for any client", () => {
    const log: LogEntry[] = [];
    const { request, received } = connectDirect(
      serverWith((context) => {
        context.log('info', 'a');
        context.log('warning', 'b');
        return '';
      }, log),
    );
    void request('tools/call', work);
    expect(log).toEqual([{ level: 'warning', logger: 'working', data: 'b' }]);
    expect(received).toEqual([]);
  });

  it('is not sent under backpressure, or after the call', async () => {
    let later: () => void = () => {};
    const chat = async ({ log, progress }: Context): Promise<void> => {
      log('error', 'now');
      progress(1);
      later = () => log('error', 'later');
    };
    const options = { version: '2025-11-25', meta: { progressToken: 1 } };
    const behind = connectTo(chat, { ...options, backpressured: true });
    await behind.request('tools/call', work);
    expect(behind.received).toEqual([]);
    const fine = connectTo(chat, options);
    await fine.request('tools/call', work);
    later();
    expect(fine.received).toHaveLength(2);
  });
});

describe('a notification of an extension during a call', () => {
  const id = 'com.example/x';
  const note = 'notifications/x';
  const extension = (
    more: Partial<ServerExtension> = {},
    serve: (operation: Operation) => object,
  ): ServerExtension => ({
    id,
    methods: { 'x/do': { serve: serve as never } },
    notifications: { [note]: {}, 'notifications/x/lossy': { droppable: true } },
    ...more,
  });
  const serverOf = (serve: (operation: Operation) => object): Server =>
    createServer({ name: 'n', version: '1', extensions: [{ id: 'com.example/other' }, extension({}, serve)] });
  const declared = { extensions: { [id]: {} } };

  it('goes to a client that declared it, and not to another', () => {
    const server = serverOf(({ notify }) => (notify(note), notify(note, { n: 1 }), {}));
    const one = connectDirect(server, { version: '2025-11-25', capabilities: declared });
    void one.request('x/do');
    expect(one.received).toStrictEqual([
      { jsonrpc: '2.0', method: note, params: {} },
      { jsonrpc: '2.0', method: note, params: { n: 1 } },
    ]);
    const other = connectDirect(server, {
      version: '2025-11-25',
      capabilities: { extensions: { 'com.example/other': {} } },
    });
    expect(other.request('x/do')).toMatchObject({ result: {} });
    expect(other.received).toEqual([]);
  });

  it('is dropped under backpressure if it is droppable', () => {
    const server = serverOf(({ notify }) => (notify('notifications/x/lossy'), notify(note), {}));
    const received = (backpressured: boolean): number => {
      const client = connectDirect(server, { capabilities: declared, backpressured });
      void client.request('x/do');
      return client.received.length;
    };
    expect([received(false), received(true)]).toEqual([2, 1]);
  });

  it('ends with the call, and must be named', async () => {
    let later: (method: string) => void = () => {};
    const client = connectDirect(
      serverOf(async ({ notify }) => ((later = (method) => notify(method)), {})),
      { capabilities: declared },
    );
    await client.request('x/do');
    later(note);
    expect(client.received).toEqual([]);
    let thrown: unknown;
    try {
      later('notifications/y');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect(thrown).toMatchObject({
      message:
        '"notifications/y" is no notification of an extension: name it in "notifications" of one that the server has',
    });
  });
});

it('an extension is supported if both sides declare it', async () => {
  const extensions = [{ id: 'com.example/a' }, { id: 'com.example/b' }];
  const call = (_: never, { supports }: Context): string =>
    ['com.example/a', 'com.example/b', 'com.example/c'].filter((id) => supports(id)).join(' ');
  const server = createServer({ name: 'n', version: '1', tools: [{ name: 'work', call }], extensions });
  const declared = { 'com.example/b': {}, 'com.example/c': {} };
  const { request } = connectDirect(server, { capabilities: { extensions: declared } });
  expect(textOf(await request('tools/call', work))).toBe('com.example/b');
});

it('nothing is sent for a call that was rejected', () => {
  let later: () => void = () => {};
  const { request, received } = connectTo(
    ({ log, progress }) => {
      later = () => {
        log('error', 'later');
        progress(1);
      };
      throw new ProtocolError(4000, 'No');
    },
    { version: '2025-11-25', meta: { progressToken: 1 } },
  );
  expect(request('tools/call', work)).toMatchObject({ error: { code: 4000 } });
  later();
  expect(received).toEqual([]);
});

describe('a call that is cancelled', () => {
  const waiting = (seen: Context[]) => (context: Context) => {
    seen.push(context);
    return new Promise(() => {});
  };

  it('is not answered, and its handler is asked to stop', async () => {
    const seen: Context[] = [];
    const client = connectTo(waiting(seen));
    const answer = client.request('tools/call', work, 1);
    const { signal } = seen[0] as Context;
    expect(signal.aborted).toBe(false);
    expect(seen[0]?.signal).toBe(signal);
    expect([...client.peer.running.keys()]).toEqual([1]);
    expect(client.peer.running.get(1)?.longLived).toBe(false);
    client.peer.running.get(1)?.cancel();
    expect(await answer).toBeUndefined();
    expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'The request was cancelled' });
    expect(client.peer.running.size).toBe(0);
  });

  it('has a reason, also for a handler that reads it afterwards', async () => {
    const seen: Context[] = [];
    const client = connectTo(waiting(seen));
    const answer = client.request('tools/call', work, 1);
    const running = client.peer.running.get(1);
    running?.cancel('enough');
    running?.cancel('more than enough');
    running?.stop(new Error('again'));
    await answer;
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(seen[0]?.signal.reason).toMatchObject({ name: 'AbortError', message: 'enough' });
  });

  it('does not change when the handler returns, or the transport ends it again', async () => {
    let finish: (text: string) => void = () => {};
    const client = connectTo(() => new Promise<string>((resolve) => (finish = resolve)));
    const answer = client.request('tools/call', work, 1);
    const running = client.peer.running.get(1);
    running?.complete({ jsonrpc: '2.0', id: 1, result: { by: 'the transport' } });
    running?.complete({ jsonrpc: '2.0', id: 1, result: { by: 'nobody' } });
    finish('too late');
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 1, result: { by: 'the transport' } });
  });

  it('is not cancelled when it is answered already', async () => {
    const seen: Context[] = [];
    const client = connectTo(async (context) => {
      seen.push(context);
      await Promise.resolve();
      return 'done';
    });
    const answer = client.request('tools/call', work, 1);
    const running = client.peer.running.get(1);
    const { signal } = seen[0] as Context;
    expect(textOf(await answer)).toBe('done');
    running?.cancel('too late');
    expect(signal.aborted).toBe(false);
  });
});

describe('a long-lived call', () => {
  const listen = (): { client: DirectClient; answer: ReturnType<DirectClient['request']> } => {
    const client = connectTo(() => '');
    const answer = client.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'l');
    return { client, answer };
  };

  it('is known as one, and answered when it is closed', async () => {
    const { client, answer } = listen();
    const running = client.peer.running.get('l');
    expect(running?.longLived).toBe(true);
    running?.close();
    expect(await answer).toMatchObject({
      id: 'l',
      result: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    });
  });

  it('gets no more notifications and no response when it is cancelled', async () => {
    const server = serverWith(() => '');
    const client = connectDirect(server);
    const answer = client.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'l');
    expect(client.received).toHaveLength(1);
    client.peer.running.get('l')?.cancel();
    expect(await answer).toBeUndefined();
    server.tools.remove('work');
    await Promise.resolve();
    expect(client.received).toHaveLength(1);
  });

  it('can be closed without effect if it is not long-lived', async () => {
    const client = connectTo(() => new Promise(() => {}));
    const answer = client.request('tools/call', work, 1);
    const running = client.peer.running.get(1);
    running?.close();
    running?.cancel();
    expect(await answer).toBeUndefined();
  });
});

it('an answer may have cache hints of its own, or those of the server', async () => {
  const server = createServer({
    name: 'n',
    version: '1',
    cache: { ttlMs: 7, scope: 'public' },
    resources: [
      resource('x://own', { cache: { ttlMs: 9, scope: 'private' } }, () => 'x'),
      resource('x://plain', {}, () => 'x'),
    ],
  });
  const { request } = connectDirect(server);
  expect(await request('resources/read', { uri: 'x://own' })).toMatchObject({
    result: { ttlMs: 9, cacheScope: 'private' },
  });
  expect(await request('resources/read', { uri: 'x://plain' })).toMatchObject({
    result: { ttlMs: 7, cacheScope: 'public' },
  });
});

it('a question that is still open when the call is over is taken back', async () => {
  const reasons: unknown[] = [];
  const client = connectTo(
    async ({ roots }) => {
      roots().catch((error: unknown) => reasons.push(error));
      return 'done';
    },
    {
      version: '2025-11-25',
      capabilities: { roots: {} },
      ask: (_, __, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    },
  );
  expect(textOf(await client.request('tools/call', work))).toBe('done');
  await Promise.resolve();
  await Promise.resolve();
  expect(reasons).toMatchObject([{ name: 'AbortError', message: 'The request is over' }]);
});
