import { connect, type Socket } from 'node:net';
import { initializeRequest } from '../../packages/core/src/transports/http/server/fixtures/client.ts';

/** The target of an attack. */
export interface Target {
  readonly url: string;
  /** Writes this many lines of this length to the server's log. */
  log(lines: number, length: number): Promise<void>;
  /** Sockets to close after the attack. */
  readonly sockets: Set<Socket>;
}

export type Attack = (target: Target) => Promise<void>;

const KB = 1024;
const MB = 1024 * KB;
const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A nested value that takes much more memory than its text. */
const bulky = (length: number): unknown[] => JSON.parse(`[${'[],'.repeat(length / 3)}[]]`) as unknown[];

function postText(body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function call(name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** A batch of calls of one tool, in the revision that is assumed without a version header. */
function batch(name: string, count: number, size: number): string {
  const calls = Array.from({ length: count }, (_, index) => {
    return { jsonrpc: '2.0', id: `${index}`, method: 'tools/call', params: { name, arguments: { size } } };
  });
  return JSON.stringify(calls);
}

let connections = 0;

/** Opens a connection and writes; resolves when the first bytes of the response arrive or it is closed. */
function send({ url, sockets }: Target, text: string, { reads = true }: { reads?: boolean } = {}): Promise<Socket> {
  const { hostname, port } = new URL(url);
  connections += 1;
  // From many addresses, because each has its own quota.
  const localAddress = `127.0.0.${1 + (connections % 100)}`;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    sockets.add(socket);
    const done = (): void => resolve(socket);
    socket.on('error', done).on('close', () => {
      sockets.delete(socket);
      done();
    });
    socket.on('connect', () => socket.write(text, reads ? undefined : done));
    if (reads) socket.once('data', done);
    else socket.pause();
  });
}

/** Runs a function for each index, with limited concurrency. */
async function each(count: number, task: (index: number) => Promise<unknown>, atATime = 50): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}

/** Starts a session, and returns its id; undefined if it was rejected. */
async function newSession(target: Target, params: object = {}): Promise<string> {
  const request = initializeRequest() as { params: object };
  const text = postText(JSON.stringify({ ...request, params: { ...request.params, ...params } }));
  const socket = await send(target, text, { reads: false });
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (piece) => {
      text += String(piece);
      if (text.includes('\r\n\r\n')) resolve(text);
    });
    // A server under attack may close a connection at any time.
    socket.on('close', () => resolve(text)).resume();
    if (socket.destroyed) resolve(text);
  });
  socket.destroy();
  return /mcp-session-id: (\S+)/i.exec(answer)?.[1] ?? '';
}

function listen(notifications: object, more: object = {}): string {
  const method = 'subscriptions/listen';
  const params = { notifications, ...more, _meta: { ...meta, ...(more as { _meta?: object })._meta } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return postText(body, { 'MCP-Protocol-Version': version, 'Mcp-Method': method });
}

const long = (length: number, index: number): string => `${index}`.padEnd(length, 'x');

/** Attacks, by their names in the table of results. */
export const floods: Readonly<Record<string, Attack>> = {
  'calls that hang, connections closed': async (target) => {
    await each(4500, async () => (await send(target, postText(call('hang', {})), { reads: false })).destroy());
  },

  'bodies that never end': async (target) => {
    const text = postText('x'.repeat(MB)).slice(0, -10);
    await each(500, () => send(target, text, { reads: false }));
  },

  'sessions with long names': async (target) => {
    await each(600, (index) => newSession(target, { clientInfo: { name: long(900 * KB, index), version: '1' } }), 20);
  },

  'sessions with as much as they may': async (target) => {
    const experimental = Object.fromEntries(bulky(900).map((_, index) => [`k${index}`, {}]));
    const clientInfo = (index: number): object => ({ name: long(1000, index), version: '1' });
    await each(4000, (index) => newSession(target, { clientInfo: clientInfo(index), capabilities: { experimental } }));
  },

  'answers that nobody reads': async (target) => {
    await each(300, () => send(target, postText(call('big', { size: 4 * MB })), { reads: false }));
    await each(300, () => send(target, postText(call('big-later', { size: 4 * MB })), { reads: false }));
  },

  'answers that nobody reads, many on one connection': async (target) => {
    const text = postText(call('big', { size: MB })).repeat(150);
    await each(20, () => send(target, text, { reads: false }));
  },

  'batches of large results': async (target) => {
    for (const name of ['big', 'big-later']) {
      const text = postText(batch(name, 100, 4 * MB));
      await each(30, async () => (await send(target, text)).destroy(), 10);
    }
  },

  'batches of results that are large together': async (target) => {
    for (const name of ['big', 'big-later']) {
      const text = postText(batch(name, 100, 150 * KB));
      await each(60, async () => (await send(target, text)).destroy(), 10);
    }
  },

  'batches of large results that nobody reads': async (target) => {
    for (const name of ['big', 'big-later']) {
      const text = postText(batch(name, 20, MB));
      await each(100, () => send(target, text, { reads: false }));
    }
  },

  'batches of large results that wait for a call that hangs': async (target) => {
    for (const name of ['big', 'big-later']) {
      const text = postText(`[${call('hang', {})},${batch(name, 99, 150 * KB).slice(1)}`);
      await each(60, () => send(target, text, { reads: false }));
    }
  },

  'streams that nobody reads': async (target) => {
    const session = { 'Mcp-Session-Id': await newSession(target) };
    const text = postText(call('chatty', { size: 2 * KB }), session);
    await each(500, () => send(target, text, { reads: false }));
  },

  'long filters': async (target) => {
    const uris = (index: number): string[] => Array.from({ length: 9500 }, (_, n) => long(95, index * 10_000 + n));
    await each(400, (index) => send(target, listen({ resourceSubscriptions: uris(index) })), 20);
    await each(100, (index) => send(target, listen({ resourceSubscriptions: [long(950 * KB, index)] })), 20);
  },

  'many subscriptions': async (target) => {
    await each(10, async (session) => {
      const id = await newSession(target);
      const subscribe = (n: number): string => {
        const params = { uri: `any://${long(8000, session * 1000 + n)}` };
        const body = JSON.stringify({ jsonrpc: '2.0', id: n, method: 'resources/subscribe', params });
        return postText(body, { 'Mcp-Session-Id': id });
      };
      await each(200, async (n) => (await send(target, subscribe(n))).destroy(), 5);
    });
  },

  'standalone streams whose clients are gone': async (target) => {
    await each(500, async () => {
      const id = await newSession(target);
      const text = `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${id}\r\n\r\n`;
      (await send(target, text)).destroy();
    });
    await target.log(2000, KB);
  },

  'a flood before the validator is there': async (target) => {
    const text = postText(call('echo', { size: 1, junk: 'x'.repeat(100 * KB) }));
    await each(2000, () => send(target, text, { reads: false }), 500);
  },
};

/** Attacks with messages that take much more memory when parsed than as text. */
export const bulkyFloods: Readonly<Record<string, Attack>> = {
  'calls that hang, with long arguments': async (target) => {
    const text = postText(call('hang', { junk: bulky(900 * KB) }));
    await each(200, () => send(target, text, { reads: false }), 20);
  },

  'filters with something beside them': async (target) => {
    const junk = bulky(450 * KB);
    await each(200, () => send(target, listen({ toolsListChanged: true }, { junk, _meta: { junk } })), 20);
  },
};
