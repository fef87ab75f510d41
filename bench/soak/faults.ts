import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tally } from './tally.ts';

/** Limits are per address, so faulty clients use another one than the users, where the system has a second. */
const stranger = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** Starts faulty clients, until the signal aborts. */
export function startFaults(url: string, tally: Tally, stop: AbortSignal): Promise<void>[] {
  const { hostname, port } = new URL(url);
  setMaxListeners(Object.keys(faults).length + 1, stop);
  const open = (): Socket => connect({ port: Number(port), host: hostname, ...stranger }).on('error', () => {});
  const host = `${hostname}:${port}`;
  return Object.entries(faults).map(async ([name, { everyMs, make }]) => {
    while (!stop.aborted) {
      await make(open, host).catch(() => {});
      tally.countFault(`fault: ${name}`);
      await pause(everyMs * (0.5 + Math.random()), undefined, { signal: stop }).catch(() => {});
    }
  });
}

interface Fault {
  readonly everyMs: number;
  make(open: () => Socket, host: string): Promise<void>;
}

const faults: Readonly<Record<string, Fault>> = {
  'half a request, then gone': {
    everyMs: 50,
    async make(open, host) {
      const socket = open();
      socket.write(post(host, call('echo', { message: 'x'.repeat(1000) })).slice(0, -500));
      await pause(20);
      socket.destroy();
    },
  },
  'gone before the answer': {
    everyMs: 50,
    async make(open, host) {
      const socket = open();
      socket.end(post(host, call('list_notes', {})));
      await pause(1);
      socket.resetAndDestroy();
    },
  },
  'answers that nobody reads': {
    everyMs: 2000,
    async make(open, host) {
      const socket = open().pause();
      const message = 'x'.repeat(500_000);
      for (let count = 0; count < 20; count++) socket.write(post(host, call('echo', { message })));
      await pause(5000);
      socket.destroy();
    },
  },
  'a body that comes drop by drop': {
    everyMs: 1000,
    async make(open, host) {
      const socket = open();
      for (const character of post(host, call('echo', { message: 'slow' })).slice(0, 200)) {
        if (socket.destroyed) return;
        socket.write(character);
        await pause(50);
      }
      socket.destroy();
    },
  },
  'something that is not JSON': {
    everyMs: 50,
    make: (open, host) => sendAndRead(open(), post(host, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":')),
  },
  'something that is not HTTP': {
    everyMs: 200,
    make: (open) => sendAndRead(open(), 'SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  },
  'a message that is too long': {
    everyMs: 500,
    make: (open, host) => sendAndRead(open(), post(host, call('echo', { message: 'x'.repeat(2_000_000) }))),
  },
  'a session that is never used': {
    everyMs: 100,
    make: (open, host) => sendAndRead(open(), post(host, initialize('1.0.0'))),
  },
  'a session with a huge name': {
    everyMs: 500,
    make: (open, host) => sendAndRead(open(), post(host, initialize('x'.repeat(900_000)))),
  },
  'a stream that is dropped': {
    everyMs: 100,
    async make(open, host) {
      const socket = open();
      socket.write(post(host, listen(['notes://note_1'])));
      await pause(200);
      socket.destroy();
    },
  },
  'a listener with a huge filter': {
    everyMs: 500,
    make: (open, host) =>
      sendAndRead(open(), post(host, listen(Array.from({ length: 50_000 }, (_, n) => `notes://${n}`)))),
  },
};

/** Sends a text and reads for a second at most. */
async function sendAndRead(socket: Socket, text: string): Promise<void> {
  socket.resume().write(text);
  const over = new AbortController();
  socket.once('close', () => over.abort());
  socket.once('data', () => over.abort());
  await pause(1000, undefined, { signal: over.signal }).catch(() => {});
  socket.destroy();
}

function post(host: string, body: string): string {
  const [, method = ''] = /"method":"([^"]+)"/.exec(body) ?? [];
  const [, tool = 'echo'] = /"params":\{"name":"(\w+)"/.exec(body) ?? [];
  const name = method === 'tools/call' ? `Mcp-Name: ${tool}\r\n` : '';
  const era = method === 'initialize' ? '' : `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${name}`;
  return (
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\n${era}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function call(name: string, args: object): string {
  return message('tools/call', { name, arguments: args, _meta: meta });
}

function listen(uris: readonly string[]): string {
  return message('subscriptions/listen', { notifications: { resourceSubscriptions: uris }, _meta: meta });
}

function initialize(name: string): string {
  const clientInfo = { name, version: '1.0.0' };
  return message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
}
