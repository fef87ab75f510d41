import { PassThrough } from 'node:stream';
import { createServer, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
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

/** A connection within this process that is read as the official clients read their children's output. */
function connection(): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = createServer({ name: 'progress', version: '1.0.0', tools: [steps, stepsLater] });
  const { close } = serveStdio(server, { input, output });
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

describe.each(clients)('the official %s on stdio', (_, connect) => {
  it.each(['steps', 'steps-later'])('hears all progress of %s up to the last, forty times', async (name) => {
    const call = await connect();
    for (let time = 0; time < 40; time++) {
      const heard: number[] = [];
      await call(name, ({ progress }) => void heard.push(progress));
      expect(heard).toEqual([1, 2, 3]);
    }
  });
});
