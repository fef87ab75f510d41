import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OfferedTarget } from '@ccmcp/inspector';
import { onTestFinished } from 'vitest';

type Params = Readonly<Record<string, unknown>>;

/** The handler of one method; a thrown `{ code, message }` is a protocol error. */
export type Answer = (params: Params) => unknown;

/** A server with handwritten responses. */
export interface RawServer {
  readonly url: string;
  readonly target: OfferedTarget;
  /** Stops it, with all open connections. */
  stop(): Promise<void>;
  /** Starts it again at the same URL. */
  start(): Promise<void>;
}

/** A handshake server with handwritten responses, for those that our server would never send. */
export async function rawServer(label: string, answers: Readonly<Record<string, Answer>>): Promise<RawServer> {
  const known: Readonly<Record<string, Answer>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: label, version: '1' },
    }),
    ping: () => ({}),
    ...answers,
  };
  let server: Server | undefined;
  let port = 0;
  const start = async () => {
    server = createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        void answerTo(known, JSON.parse(text) as Asked).then((answer) => {
          if (answer === undefined) return response.writeHead(202).end();
          return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
        });
      });
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    server?.closeAllConnections();
    await closed;
  };
  await start();
  onTestFinished(() => stop());
  const url = `http://127.0.0.1:${port}/mcp`;
  const resolve = async () => ({ kind: 'url', url, label }) as const;
  return { url, target: { label, kind: 'url', origin: 'given', resolve }, stop, start };
}

interface Asked {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Params;
}

async function answerTo(answers: Readonly<Record<string, Answer>>, { id, method, params = {} }: Asked) {
  if (id === undefined) return undefined;
  const answer = answers[method];
  if (answer === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: `There is no ${method}` } };
  try {
    return { jsonrpc: '2.0', id, result: await answer(params) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error };
  }
}
