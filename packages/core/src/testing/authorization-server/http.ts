import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a test server. */
export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A response of a test server. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Fails instead: closes the connection, never answers, or never ends the body. */
  instead?: 'close' | 'wait' | 'endless';
}

/** Starts a server on this machine. */
export async function listen(
  answer: (seen: RecordedRequest) => Answer | Promise<Answer>,
  port = 0,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void respond(request, response, answer));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (seen: RecordedRequest) => Answer | Promise<Answer>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test');
  const seen: RecordedRequest = {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
  const { status = 200, headers = {}, json, text, instead } = await answer(seen);
  if (instead === 'wait') return;
  if (instead === 'close') {
    request.socket.destroy();
    return;
  }
  response.writeHead(status, { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers });
  if (instead === 'endless') writeEndlessly(response);
  else response.end(json === undefined ? text : JSON.stringify(json));
}

function writeEndlessly(response: ServerResponse): void {
  const more = ' '.repeat(65_536);
  const go = (): void => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', go);
  response.on('error', () => {});
  go();
}
