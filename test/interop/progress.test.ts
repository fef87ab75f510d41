import { PassThrough } from 'node:stream';
import { createServer, type Server, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { serveStdio } from '@ccmcp/core/stdio';
import {
  Client as Client2,
  SSEClientTransport as Sse2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';

const steps = tool('steps', {}, (_, { progress }) => {
  for (const step of [1, 2, 3]) progress(step, 3);
  return 'done';
});

const stepsLater = tool('steps-later', {}, async (_, { progress }) => {
  progress(1, 3);
  await new Promise((resolve) => setImmediate(resolve));
  progress(2, 3);
  progress(3, 3);
  return 'done';
});

const stepsBusily = tool('steps-busily', {}, (_, { progress }) => {
  for (const step of [1, 2, 3]) progress(step, 3);
  for (const end = performance.now() + 25; performance.now() < end; );
  return 'done';
});

function progressServer(): Server {
  return createServer({ name: 'progress', version: '1.0.0', tools: [steps, stepsLater, stepsBusily] });
}

/** A connection in this process that is read the way the official clients read a child's output. */
function connection(): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { close } = serveStdio(progressServer(), { input, output });
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: async () =>
      void output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
          transport.onmessage?.(message);
        }
      }),
    send: async (message) => void input.write(serializeMessage(message)),
    close: () => close({ graceMs: 0 }),
  };
  return transport;
}

/** The same over HTTP. */
async function overHttp<T>(connectTo: (url: URL) => T, path: '/mcp' | '/sse'): Promise<T> {
  const service = await serveHttp(progressServer(), { sse: true });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return connectTo(new URL(path, service.url));
}

const overNetwork: [name: string, open: () => Promise<Transport>, Client: typeof Client1 | typeof Client2][] = [
  ['client 1 over /sse', () => overHttp((url) => new Sse1(url), '/sse'), Client1],
  ['client 2 over /sse', () => overHttp((url) => new Sse2(url) as unknown as Transport, '/sse'), Client2],
  ['client 1 over HTTP', () => overHttp((url) => new Http1(url) as Transport, '/mcp'), Client1],
  ['client 2 over HTTP', () => overHttp((url) => new Http2(url) as unknown as Transport, '/mcp'), Client2],
];

type Call = (name: string, onprogress: (progress: { progress: number }) => void) => Promise<unknown>;

const clients: [name: string, connect: () => Promise<Call>][] = [
  [
    'client 1',
    async () => {
      const client = new Client1({ name: 'interop', version: '1.0.0' });
      onTestFinished(() => client.close());
      await client.connect(connection());
      return (name, onprogress) => client.callTool({ name }, undefined, { onprogress });
    },
  ],
  ...(['auto', undefined] as const).map((mode): [string, () => Promise<Call>] => [
    mode === undefined ? 'client 2 by handshake' : 'client 2 by probing',
    async () => {
      const options = mode === undefined ? {} : { versionNegotiation: { mode } };
      const client = new Client2({ name: 'interop', version: '1.0.0' }, options);
      onTestFinished(() => client.close());
      await client.connect(connection());
      return (name, onprogress) => client.callTool({ name }, { onprogress });
    },
  ]),
];

const networkClients = overNetwork.map(([name, open, Client]): [string, () => Promise<Call>] => [
  name,
  async () => {
    const client = new (Client as typeof Client1)({ name: 'interop', version: '1.0.0' });
    await client.connect(await open());
    onTestFinished(() => client.close());
    if (Client === Client1) return (tool, onprogress) => client.callTool({ name: tool }, undefined, { onprogress });
    const second = client as unknown as Client2;
    return (tool, onprogress) => second.callTool({ name: tool }, { onprogress });
  },
]);

describe.each([...clients.map(([name, open]) => [`${name} on stdio`, open] as const), ...networkClients])(
  'the official %s',
  (_, connect) => {
    it.each(['steps', 'steps-later', 'steps-busily'])('receives all progress of %s up to the last', async (name) => {
      const call = await connect();
      for (const time of [1, 2]) {
        const received: number[] = [];
        await call(name, ({ progress }) => void received.push(progress));
        expect([time, received]).toEqual([time, [1, 2, 3]]);
      }
    });
  },
);
