import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../command/failure.ts';
import { listenError } from '../system/listen-error.ts';

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Maximum size of a request, in bytes. */
const maxBody = 64 * 1024 * 1024;

const localNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Parses `[HOST:]PORT`. Only addresses of this machine: there is no authentication. */
export function parseListenAddress(value: string): ListenAddress {
  const parts = /^(?:(.+):)?(\d{1,5})$/.exec(value === '' ? '8080' : value);
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) throw new Failure('usage', `--http must be PORT or HOST:PORT: ${value}`);
  const host = (parts[1] ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  if (['127.0.0.1', 'localhost', '::1'].includes(host)) return { host, port };
  throw new Failure(
    'usage',
    `--http listens on this machine only, such as 127.0.0.1:${port}: it has no authentication`,
  );
}

/** Listens, for requests of this machine only. Returns the server and its origin. */
export async function listenLocally(
  { host, port }: ListenAddress,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const { host: name = '', origin } = request.headers;
    if (localNames.test(name) && (origin === undefined || localOrigin.test(origin))) return handle(request, response);
    sendText(response, 403, 'Forbidden: this address is for programs on this machine');
  });
  // Streams and slow tools.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Failure('usage', (listenError(error) ?? error).message, { cause: error })),
    );
    server.listen(port, host, () => resolve());
  });
  const { address, port: actual, family } = server.address() as AddressInfo;
  return { server, origin: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}` };
}

/** Reads the body of a request; undefined if it is too long, which is answered. */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBody) {
      sendText(response, 413, `The request is longer than ${maxBody} bytes`);
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Answers with a text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`);
}

/** Resolves when the signal is aborted; closes the server. */
export async function serveUntil(server: Server, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
}
