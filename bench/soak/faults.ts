import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tally } from './tally.ts';

/** Limits hold per address: who misbehaves has another one than the users, where the system has more than one of its own. */
const stranger = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** Starts clients that misbehave, each in its own way, until the signal aborts. */
export function startFaults(url: string, tally: Tally, stop: AbortSignal): Promise<void>[] {
  const { hostname, port } = new URL(url);
  setMaxListeners(Object.keys(faults).length + 1, stop);
  const open = (): Socket => connect({ port: Number(port), host: hostname, ...stranger }).on('error', () => {});
  const host = `${hostname}:${port}`;
  return Object.entries(faults).map(async ([name, { everyMs, make }]) => {
    while (!stop.aborted) {
      await make(open, host).catch(() => {});
      tally.made(`fault: ${name}`);
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
    make: (open, host) => answered(open(), post(host, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":')),
  },
  'something that is not HTTP': {
    everyMs: 200,
    make: (open) => answered(open(), 'SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  },
  'a message that is too long': {
    everyMs: 500,
    make: (open, host) => answered(open(), post(host, call('echo', { message: 'x'.repeat(2_000_000) }))),
  },
  'a session that is never used': {
    everyMs: 100,
    make: (open, host) => answered(open(), post(host, initialize('1.0.0'))),
  },
  'a session with a huge name': {
    everyMs: 500,
    make: (open, host) => answered(open(), post(host, initialize('x'.repeat(900_000)))),
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
      answered(open(), post(host, listen(Array.from({ length: 50_000 }, (_, n) => `notes://${n}`)))),
  },
};

/** Sends this and reads whatever comes, for a second at most. */
async function answered(socket: Socket, text: string): Promise<void> {
  socket.resume().write(text);
  const over = new AbortController();
  socket.once('close', () => over.abort());
  socket.once('data', () => over.abort());
  await pause(1000, undefined, { signal: over.signal }).catch(() => {});
  socket.destroy();
}

function post(host: string, body: string): string {
  const { method, params } = facts(body);
  const name = params?.name === undefined ? '' : `Mcp-Name: ${params.name}\r\n`;
  const era = method === 'initialize' ? '' : `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${name}`;
  return (
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\n${era}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function facts(body: string): { method?: string; params?: { name?: string } } {
  try {
    return JSON.parse(body);
  } catch {
    return { method: 'tools/call', params: { name: 'echo' } };
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function call(name: string, args: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta: meta },
  });
}

function listen(uris: readonly string[]): string {
  const params = { notifications: { resourceSubscriptions: uris }, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
}

function initialize(name: string): string {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1.0.0' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}
