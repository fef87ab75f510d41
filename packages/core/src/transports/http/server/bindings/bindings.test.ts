import { once } from 'node:events';
import { createServer, type IncomingMessage, request as nodeRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listening } from '../../../../../../../test/support/listening.ts';
import type { Body, EventSink, HttpResponder, Serve } from './binding.ts';
import { fetchBinding } from './fetch.ts';
import { deferred } from '../fixtures/gates.ts';
import { rawConnection } from '../fixtures/raw.ts';
import { nodeBinding } from './node.ts';
import { unlimited, Usage } from '../../../../features/quotas/quota.ts';
import { SlowConsumers } from './slow-consumers.ts';

const nobody = new Usage('nobody', 'caller', unlimited);

/** Serves over a real socket, after `before` has had the request as a framework would. */
function onNode(serve: Serve, before: (request: object) => void = () => {}): Promise<string> {
  const handle = nodeBinding(serve);
  const server = createServer((request, response) => {
    before(request);
    handle(request, response);
  });
  return listening(server);
}

interface Binding {
  name: string;
  /** Serves, and returns a function that sends a request there. */
  serve(serve: Serve): Promise<(path: string, init?: RequestInit) => Promise<Response>>;
}

const bindings: Binding[] = [
  {
    name: 'node:http',
    async serve(serve) {
      const url = await onNode(serve);
      return (path, init) => fetch(url + path, init);
    },
  },
  {
    name: 'fetch',
    async serve(serve) {
      const handle = fetchBinding(serve);
      return (path, init) => handle(new Request(`http://localhost:1234${path}`, init));
    },
  },
];

describe.each(bindings)('the binding to $name', ({ serve }) => {
  it('exposes method, path, query and headers', async () => {
    const send = await serve(async (request, responder) => {
      const { method, path, query } = request;
      const seen = [
        method,
        path,
        query.get('a'),
        query.get('b'),
        request.header('x-one'),
        request.header('x-none') ?? 'none',
      ];
      const host = request.header('host');
      responder.send(200, [], JSON.stringify([...seen, host, [...query.keys()]]));
    });
    // A name as long as that of Host, and a different one.
    const headers = { 'X-One': 'two', From: 'somebody' };
    const response = await send('/a/b?a=1&b=x%20y', { method: 'DELETE', headers });
    expect(await response.json()).toEqual([
      'DELETE',
      '/a/b',
      '1',
      'x y',
      'two',
      'none',
      expect.stringMatching(/^(127\.0\.0\.1|localhost):\d+$/),
      ['a', 'b'],
    ]);
    const plain = await (await send('/')).json();
    expect(plain).toEqual(['GET', '/', null, null, null, 'none', expect.any(String), []]);
  });

  it('reads a body, or reports why it can not be read', async () => {
    const send = await serve(async (request, responder) => {
      const read = await request.body(10, nobody);
      responder.send('problem' in read ? 413 : 200, [], JSON.stringify(read));
    });
    const body = async (given: string | Uint8Array<ArrayBuffer> | null): Promise<Body> =>
      (await send('/', { method: 'POST', body: given })).json() as Promise<Body>;
    expect(await body('grün')).toEqual({ text: 'grün' });
    expect(await body('\uFEFFx')).toEqual({ text: '\uFEFFx' });
    expect(await body(null)).toEqual({ text: '' });
    expect(await body('0123456789')).toEqual({ text: '0123456789' });
    expect(await body('01234567890')).toEqual({ problem: 'too-large' });
    expect(await body(Uint8Array.of(0x61, 0xff))).toEqual({ problem: 'not-utf8' });
    const stream = new ReadableStream({
      async pull(controller) {
        await setImmediate();
        controller.enqueue(new TextEncoder().encode('01234'));
      },
    });
    const endless = await send('/', { method: 'POST', body: stream, duplex: 'half' });
    expect(await endless.json()).toEqual({ problem: 'too-large' });
    const pieces = ReadableStream.from([Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xbc), Uint8Array.of(0x62, 0x63)]);
    const pieced = await send('/', { method: 'POST', body: pieces as ReadableStream, duplex: 'half' });
    expect(await pieced.json()).toEqual({ text: 'aübc' });
  });

  it('sends status, headers and an optional body', async () => {
    const send = await serve(async ({ path }, responder) => {
      if (path === '/empty') responder.send(204, ['X-A', '1']);
      else responder.send(418, ['X-A', '2'], 'grün');
    });
    const empty = await send('/empty');
    expect([empty.status, empty.headers.get('x-a'), await empty.text()]).toEqual([204, '1', '']);
    const full = await send('/full');
    expect([full.status, full.headers.get('x-a'), await full.text()]).toEqual([418, '2', 'grün']);
  });

  it('sends one response and ignores later ones', async () => {
    const later = deferred<unknown>();
    const send = await serve(async (_, responder) => {
      responder.send(200, ['X-A', '1'], 'one');
      try {
        responder.send(500, [], 'two');
        later.resolve('ignored');
      } catch (error) {
        later.resolve(error);
      }
    });
    const response = await send('/');
    expect([response.status, await response.text(), await later.promise]).toEqual([200, 'one', 'ignored']);
  });

  it('streams text as it is written', async () => {
    const sinks: EventSink[] = [];
    const send = await serve(async (_, responder) => void sinks.push(responder.stream(['Content-Type', 'text/x'])));
    const response = await send('/');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/x']);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ['one', 'zwölf']) {
      sinks[0]?.write(text);
      expect((await reader?.read())?.value).toBe(text);
    }
    const next = reader?.read();
    await setImmediate();
    sinks[0]?.write('three');
    expect((await next)?.value).toBe('three');
    sinks[0]?.end();
    expect((await reader?.read())?.done).toBe(true);
    sinks[0]?.write('too late');
    sinks[0]?.end();
  });

  it('reports unread data, and when it was drained', async () => {
    const sinks: EventSink[] = [];
    const drained = deferred<void>();
    const send = await serve(async (_, responder) => {
      const sink = responder.stream([]);
      sink.onDrain(() => drained.resolve());
      sinks.push(sink);
    });
    const response = await send('/');
    const piece = 'x'.repeat(1024 * 1024);
    for (let each = 0; each < 20; each++) sinks[0]?.write(piece);
    expect(sinks[0]?.unsent).toBeGreaterThan(1024 * 1024);
    const reader = response.body?.getReader();
    for (let read = 0; read < 20 * piece.length; ) read += (await reader?.read())?.value?.length ?? Number.NaN;
    void reader?.read();
    await drained.promise;
    expect(sinks[0]?.unsent).toBeCloseTo(0);
    sinks[0]?.end();
  });

  it('can close the connection of a stream', async () => {
    const sinks: EventSink[] = [];
    const send = await serve(async (_, responder) => void sinks.push(responder.stream([])));
    const response = await send('/');
    sinks[0]?.cut();
    await expect(response.text()).rejects.toBeInstanceOf(Error);
  });

  it('calls onDisconnect when the reader of a stream disconnects', async () => {
    const gone = deferred<void>();
    const send = await serve(async (_, responder) => {
      responder.stream([]).write('one');
      responder.onDisconnect(gone.resolve);
    });
    await (await send('/')).body?.cancel();
    expect(await gone.promise).toBeUndefined();
  });

  it('calls onDisconnect when the client disconnects before the response', async () => {
    const gone = deferred<void>();
    const served = deferred<boolean>();
    const send = await serve(async (_, responder) => {
      let left = false;
      responder.onDisconnect(() => {
        left = true;
        gone.resolve();
      });
      served.resolve(left);
      await gone.promise;
      responder.send(200, [], 'nobody reads this');
    });
    const controller = new AbortController();
    const sending = send('/', { signal: controller.signal }).catch(() => {});
    expect(await served.promise).toBe(false);
    controller.abort();
    expect(await gone.promise).toBeUndefined();
    await sending;
  });

  it('calls onDisconnect at once if the client has disconnected', async () => {
    const served = deferred<void>();
    const gone = deferred<void>();
    const received = deferred<boolean>();
    const send = await serve(async (_, responder) => {
      responder.onDisconnect(gone.resolve);
      served.resolve();
      await gone.promise;
      let late = false;
      responder.onDisconnect(() => {
        late = true;
      });
      received.resolve(late);
      responder.send(200, [], '');
    });
    const controller = new AbortController();
    const sending = send('/', { signal: controller.signal }).catch(() => {});
    await served.promise;
    controller.abort();
    expect(await received.promise).toBe(true);
    await sending;
  });
});

describe('the binding to node:http', () => {
  it('does not call onDisconnect after a complete response', async () => {
    let gone = false;
    const url = await onNode(async (_, responder) => {
      responder.onDisconnect(() => {
        gone = true;
      });
      responder.send(200, ['Connection', 'close'], 'x');
    });
    await (await fetch(url)).text();
    await (await fetch(url)).text();
    expect(gone).toBe(false);
  });

  it.each(['Host', 'Authorization', 'Set-Cookie', 'X-Own'])(
    'hides none of several headers: %s (AU-22)',
    async (name) => {
      const url = await onNode(async (request, responder) => {
        responder.send(200, [], request.header(name.toLowerCase()) ?? '');
      });
      const request = nodeRequest(url, { setHost: false }).on('error', () => {});
      if (name === 'Host') request.setHeader('Host', ['one', 'two']);
      else request.setHeader('Host', 'x').setHeader(name, ['one', 'two']);
      request.end();
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
      expect(await streamText(response)).toBe('one, two');
    },
  );

  it('returns a body synchronously if it arrived with its head, and waits for one in chunks', async () => {
    const waiting = deferred<void>();
    const url = await onNode((request, responder) => {
      const body = request.body(100, nobody);
      if (!(body instanceof Promise)) return responder.send(200, [], `at once: ${JSON.stringify(body)}`);
      waiting.resolve();
      return body.then((later) => responder.send(200, [], `later: ${JSON.stringify(later)}`));
    });
    const whole = await fetch(url, { method: 'POST', body: 'grün' });
    expect(await whole.text()).toBe('at once: {"text":"grün"}');
    const request = nodeRequest(url, { method: 'POST', headers: { 'Content-Length': 8 } });
    request.write('half');
    await waiting.promise;
    request.end('half');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    expect(await streamText(response)).toBe('later: {"text":"halfhalf"}');
  });

  it.each(['ascii', 'grün'])('lets head and body leave in one piece: %s', async (text) => {
    const pieces = deferred<string[]>();
    const socket = new Duplex({
      read: () => {},
      write: (chunk: Buffer) => pieces.resolve([chunk.toString()]),
      writev: (chunks) => pieces.resolve(chunks.map(({ chunk }) => String(chunk))),
    });
    createServer(nodeBinding((_, responder) => responder.send(200, [], text))).emit('connection', socket);
    socket.push('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [piece, ...others] = await pieces.promise;
    expect(others).toEqual([]);
    expect(piece).toMatch(/^HTTP\/1\.1 200 /);
    expect(piece).toContain(`\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`);
    expect(piece?.endsWith(`\r\n\r\n${text}`)).toBe(true);
    socket.destroy();
  });

  it('reports a body as cut off if it is read after the disconnect', async () => {
    const read = deferred<Body>();
    const url = await onNode(async (request, responder) => {
      await new Promise<void>((resolve) => responder.onDisconnect(resolve));
      read.resolve(await request.body(100, nobody));
    });
    const request = nodeRequest(url, { method: 'POST', headers: { 'Content-Length': 50 } }).on('error', () => {});
    request.write('half', () => request.destroy());
    expect(await read.promise).toEqual({ problem: 'cut-off' });
  });

  it('reports a body that was cut off', async () => {
    const read = deferred<Body>();
    const url = await onNode(async (request) => read.resolve(await request.body(100, nobody)));
    const request = nodeRequest(url, { method: 'POST', headers: { 'Content-Length': 50 } }).on('error', () => {});
    request.write('half', () => request.destroy());
    expect(await read.promise).toEqual({ problem: 'cut-off' });
  });

  it.each([
    ['parsed', { a: 1 }, '{"a":1}'],
    ['a text', '{"a": 1}', '{"a": 1}'],
    ['bytes', Buffer.from('{"a":2}'), '{"a":2}'],
  ])('takes a body that a framework has read already: %s', async (_, given, text) => {
    const url = await onNode(
      async (request, responder) => responder.send(200, [], JSON.stringify(await request.body(100, nobody))),
      (request) => Object.assign(request, { body: given }),
    );
    const response = await fetch(url, { method: 'POST', body: 'long gone' });
    expect(await response.json()).toEqual({ text });
  });

  it.each([['abc'], ['x'.repeat(100_000)]])('takes a body that a framework holds back', async (text) => {
    const url = await onNode(
      async (request, responder) => responder.send(200, [], JSON.stringify(await request.body(100_000, nobody))),
      (request) => void (request as Readable).pause(),
    );
    const response = await fetch(url, { method: 'POST', body: text });
    expect(await response.json()).toEqual({ text });
  });

  it('closes as soon as the rest of a rejected body arrived', async () => {
    const wait = setTimeout;
    // Only the end of the body may end the connection.
    const patient = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((run: () => void, ms?: number) => wait(run, ms === 500 ? 600_000 : ms));
    onTestFinished(() => patient.mockRestore());
    const url = await onNode((_, responder) => responder.send(400, [], 'no'));
    const request = nodeRequest(url, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } });
    request.write('half');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([400, 'close']);
    expect(patient.mock.calls.filter(([, ms]) => ms === 500)).toHaveLength(1);
    request.end('half');
    expect(await streamText(response)).toBe('no');
  });

  it('uses the original URL of a framework', async () => {
    const url = await onNode(
      async ({ path }, responder) => responder.send(200, [], path),
      (request) => Object.assign(request, { originalUrl: '/mounted/mcp?x', url: '/mcp?x' }),
    );
    expect(await (await fetch(url)).text()).toBe('/mounted/mcp');
  });
});

describe('pipelined requests', () => {
  it('are all notified of the disconnect, and release their responses', async () => {
    const gone: number[] = [];
    const responders: HttpResponder[] = [];
    const responses: ServerResponse[] = [];
    const handle = nodeBinding((_, responder) => {
      const number = responders.push(responder);
      responder.onDisconnect(() => gone.push(number));
    });
    const server = createServer((request, response) => {
      responses.push(response);
      handle(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const client = await rawConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    await expect.poll(() => responders.length).toBe(30);
    client.socket.destroy();
    await expect.poll(() => gone.length).toBe(30);
    for (const responder of responders) responder.send(200, [], 'x'.repeat(1000));
    responders.at(-1)?.onDisconnect(() => gone.push(0));
    expect([responses.reduce((sum, { writableLength }) => sum + writableLength, 0), gone.at(-1)]).toEqual([0, 0]);
  });

  it('are notified once if their responses had begun', async () => {
    const gone: number[] = [];
    const sinks: EventSink[] = [];
    const url = await onNode((_, responder) => {
      const number = sinks.push(responder.stream([]));
      responder.onDisconnect(() => gone.push(number));
    });
    const client = await rawConnection(url);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    await expect.poll(() => sinks.length).toBe(2);
    sinks[0]?.end();
    sinks[1]?.write('x');
    await client.until(/x\r\n$/);
    client.socket.destroy();
    await expect.poll(() => gone).toEqual([2]);
  });
});

describe('the binding to fetch', () => {
  const post = (headers: Record<string, string>, body: ReadableStream): Request =>
    new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' });

  it('does not read a body whose Content-Length is too long', async () => {
    let pulled = 0;
    const handle = fetchBinding(async (request, responder) => {
      responder.send(200, [], JSON.stringify(await request.body(10, nobody)));
    });
    const body = (): ReadableStream =>
      new ReadableStream(
        {
          pull(controller) {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode('0123456789'));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    const long = await handle(post({ 'Content-Length': '11' }, body()));
    expect([await long.json(), pulled]).toEqual([{ problem: 'too-large' }, 0]);
    const short = await handle(post({ 'Content-Length': '10' }, body()));
    expect([await short.json(), pulled]).toEqual([{ text: '0123456789' }, 1]);
  });

  it('reports a body that was cut off', async () => {
    const handle = fetchBinding(async (request, responder) => {
      responder.send(200, [], JSON.stringify(await request.body(10, nobody)));
    });
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    expect(await (await handle(post({}, broken))).json()).toEqual({ problem: 'cut-off' });
  });

  it('sends the given headers, and those of every response', async () => {
    const handle = fetchBinding(async (_, responder) => responder.send(200, ['X-A', '1', 'X-B', '2']));
    const { headers } = await handle(new Request('http://localhost/'));
    expect([...headers]).toEqual([
      ['x-a', '1'],
      ['x-b', '2'],
      ['x-content-type-options', 'nosniff'],
    ]);
  });

  it('rejects if serving fails', async () => {
    const handle = fetchBinding(() => Promise.reject(new Error('broken')));
    await expect(handle(new Request('http://localhost/'))).rejects.toThrow('broken');
  });

  it('streams a long body on demand, with its Content-Length', async () => {
    const outgoing = new SlowConsumers();
    onTestFinished(() => outgoing.clear());
    const text = 'xö'.repeat(100_000);
    const handle = fetchBinding(async (_, responder) => responder.send(200, [], text), outgoing);
    const response = await handle(new Request('http://localhost/'));
    expect(response.headers.get('content-length')).toBe('300000');
    expect(outgoing.watched.size).toBe(1);
    expect(await response.text()).toBe(text);
    const left = await handle(new Request('http://localhost/'));
    await left.body?.cancel();
  });

  it.each(['body', 'stream'])('cuts off who reads nothing of a %s', async (what) => {
    const outgoing = new SlowConsumers({ stalledMs: 20 });
    onTestFinished(() => outgoing.clear());
    const left = vi.fn<() => void>();
    const handle = fetchBinding(async (_, responder) => {
      responder.onDisconnect(left);
      if (what === 'body') return responder.send(200, [], 'x'.repeat(100_000));
      const sink = responder.stream([]);
      sink.write('x');
      sink.end();
    }, outgoing);
    const response = await handle(new Request('http://localhost/'));
    expect(outgoing.watched.size).toBe(1);
    await expect.poll(() => outgoing.watched.size).toBe(0);
    await expect(response.text()).rejects.toThrow('The reader was too slow');
    expect(left).toHaveBeenCalledTimes(what === 'body' ? 0 : 1);
  });

  it.each(['cut off', 'left'])('throws what is written to a stream away that was %s', async (how) => {
    const sinks: EventSink[] = [];
    const handle = fetchBinding(async (_, responder) => void sinks.push(responder.stream([])));
    const response = await handle(new Request('http://localhost/'));
    const [sink] = sinks as [EventSink];
    if (how === 'left') {
      await response.body?.cancel();
    } else {
      sink.cut();
      await expect(response.text()).rejects.toThrow('The reader was too slow');
    }
    sink.write('late');
    expect(sink.unsent).toBe(0);
    sink.end();
    sink.cut();
  });
});

async function streamText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
