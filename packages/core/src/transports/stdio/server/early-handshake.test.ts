import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createServer, type ServerExtension, type ServerOptions, type Server, tool } from '../../../index.ts';
import type { Request } from '../../../jsonrpc/message.ts';
import { handshakeVersions } from '../../../revisions/history.ts';
import { openClientConnection } from '../../../server/client-connection.ts';
import { answerHandshake } from '../../../server/methods/initialize.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { tasks } from '../../../tasks.ts';
import { rateSpec } from '../../../features/rate-limit/rate-spec.ts';
import { connect } from './connect.ts';
import { answerEarly, type EarlyEvents } from './early-handshake.ts';

const echo = tool('echo', {}, () => 'hi');

function make(options: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'early', version: '1', tools: [echo], ...options });
}

function initialize(params: object = {}): Request {
  const usual = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params: { ...usual, ...params } };
}

/** An extension that sees every request. */
const watching: ServerExtension = { id: 'com.example/watching', around: (_, next) => next() };

const line = (message: object): string => `${JSON.stringify(message)}\n`;

describe('a handshake that is answered early', () => {
  const kinds: Partial<ServerOptions>[] = [
    {},
    { instructions: 'Ask twice.', title: 'Early', capabilities: { logging: false, listChanged: false } },
    { prompts: [], resources: [], anyVersion: true },
    {
      extensions: [{ id: 'com.example/x', settings: { a: 1 } }, tasks()],
      tools: [tool('t', { task: 'required' }, () => 'hi')],
    },
  ];

  it.each(handshakeVersions)(
    'has the same response as one that the pipeline serves, in %s',
    async (protocolVersion) => {
      for (const options of kinds) {
        const server = make(options);
        const request = initialize({ protocolVersion });
        const served = await server.handle(request, openClientConnection({ send: () => {} }).peer);
        expect(answerHandshake(engineOf(server), request)).toEqual(served);
      }
    },
  );
});

describe('input before the connection is open', () => {
  /** Writes to a server, early. */
  function begin(server: Server, more: Partial<Parameters<typeof answerEarly>[1]> = {}) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const seen: string[] = [];
    let happened = (): void => {};
    const record = (what: string) => () => {
      seen.push(what);
      happened();
    };
    const write = (text: string): boolean => output.write(text);
    const options = { input, output, write, framing: 'auto', maxMessage: 1000, rates: undefined, ...more } as const;
    const early: EarlyEvents = answerEarly(engineOf(server), {
      ...options,
      onMore: record('more'),
      onAnswered: record('answered'),
    });
    const after = (act: () => void): Promise<void> =>
      new Promise((resolve) => {
        happened = resolve;
        act();
      });
    const goOn = () => connect(engineOf(server), { ...options, grace: 1000, early });
    return { input, output, seen, early, after, goOn };
  }

  it.each([
    ['of a server', {}],
    ['of a server with extensions', { extensions: [tasks()] }],
  ])('is answered if it is a plain handshake %s, and its session continues', async (_, options) => {
    const { input, output, seen, after, goOn } = begin(make(options));
    await after(() => input.write(line(initialize())));
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 1, result: { serverInfo: { name: 'early' } } });
    await after(() => input.write(line({ jsonrpc: '2.0', id: 2, method: 'tools/list' })));
    expect(seen).toEqual(['answered', 'more']);
    goOn();
    if (output.readableLength === 0) await once(output, 'readable');
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 2, result: { tools: [{ name: 'echo' }] } });
    input.write(line(initialize()));
    await once(output, 'readable');
    expect(JSON.parse(String(output.read()))).toMatchObject({ error: { message: /already initialized/ } });
  });

  it('is seen later by middleware with `deferHandshake`, and answered once', async () => {
    const methods: string[] = [];
    const server = make().use(
      (call, next) => {
        methods.push(call.method);
        if (call.method === 'initialize') call.log('info', 'hello');
        return next();
      },
      { deferHandshake: true },
    );
    const { input, output, seen, after, goOn } = begin(server);
    await after(() => input.write(line(initialize())));
    expect(seen).toEqual(['answered']);
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 1, result: { serverInfo: { name: 'early' } } });
    expect(methods).toEqual([]);
    goOn();
    await once(output, 'readable');
    expect(JSON.parse(String(output.read()))).toMatchObject({
      method: 'notifications/message',
      params: { data: 'hello' },
    });
    input.write(line({ jsonrpc: '2.0', id: 2, method: 'ping' }));
    await once(output, 'readable');
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 2, result: {} });
    expect(methods).toEqual(['initialize', 'ping']);
  });

  const refusals: [string, string, () => Server, object?][] = [
    ['two messages in one chunk', line(initialize()) + line(initialize()), make],
    ['half a message', line(initialize()).slice(0, 20), make],
    ['a member that stands twice', line(initialize()).replace('"id":1', '"id":1,"id":2'), make],
    ['bytes that are no UTF-8', line(initialize()).replace('"c"', '"\uFFFD"'), make],
    ['a version that is none', line(initialize({ protocolVersion: 'x' })), make],
    ['a handshake with `_meta`', line(initialize({ _meta: {} })), make],
    ['another method', line({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), make],
    ['a message with headers', `Content-Length: 2\r\n\r\n{}`, make],
    ['a message that is too long', line(initialize()), make, { maxMessage: 50 }],
    [
      'a client whose rate is limited',
      line(initialize()),
      make,
      { rates: rateSpec({ calls: 1 }, { name: 'r', key: 'r' }) },
    ],
    ['a server whose rate is limited', line(initialize()), () => make({ rateLimit: { calls: 1 } })],
    ['an extension that runs around requests', line(initialize()), () => make({ extensions: [watching] })],
    ['middleware', line(initialize()), () => make().use((_, next) => next())],
    ['a result that is too long', line(initialize()), () => make({ maxResult: 40 })],
  ];

  it.each(refusals)('is left to the connection: %s', async (_, text, server, more) => {
    const { input, output, seen, early, after } = begin(server(), more);
    await after(() => input.write(text));
    expect(seen).toEqual(['more']);
    expect(Buffer.concat(early.chunks as Buffer[]).toString()).toBe(text);
    expect(output.readableLength).toBe(0);
  });

  it('is served even if the input has already ended', async () => {
    const { input, output, after, goOn } = begin(make());
    await after(() => input.write(line(initialize()) + line({ jsonrpc: '2.0', id: 2, method: 'ping' })));
    await after(() => input.end());
    await goOn().closed;
    const answers = String(output.read()).trimEnd().split('\n');
    expect(answers.map((answer) => JSON.parse(answer).id)).toEqual([1, 2]);
  });

  it('ends with the output, since responses can not be read', async () => {
    const { output, after, goOn } = begin(make());
    await after(() => output.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' })));
    await expect(goOn().closed).resolves.toBeUndefined();
  });
});
