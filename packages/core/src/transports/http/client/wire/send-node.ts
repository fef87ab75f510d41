import type { ClientRequest, IncomingMessage } from 'node:http';
import { nodeHttp } from '../../../node-http.ts';
import type { Outgoing, HttpResponse } from './response.ts';
import { mediaType, readText } from './response.ts';
import { limits } from '../../../../limits.ts';

const mostTries = 5;
const mostDrained = limits.clientHttp.refusal.value;

/**
 * Sends requests with `node:http`. A third of the work of `fetch`, which also gives up on answers and streams that are
 * silent for five minutes, and can't tell a connection that died while it was idle from one that died on a request.
 */
export async function sendByNode(url: URL, outgoing: Outgoing): Promise<HttpResponse> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await nodeHttp();
  for (let tries = 1; ; tries += 1) {
    const { method, headers, signal, body } = outgoing;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length } });
    try {
      return await answered(sent, body, signal);
    } catch (error) {
      if (signal.aborted || tries === mostTries || !diedIdle(sent, error)) throw error;
    }
  }
}

/** The server closed a connection that was kept open, before it could see this request. */
function diedIdle({ reusedSocket }: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: string };
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function answered(sent: ClientRequest, body: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void sent.destroy();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    sent.once('close', () => signal.removeEventListener('abort', stop));
    sent.on('error', reject);
    sent.once('response', (incoming) => resolve(toResponse(incoming)));
    sent.end(body);
  });
}

function toResponse(incoming: IncomingMessage): HttpResponse {
  // Broken while nobody reads: whoever does hears of it there.
  incoming.on('error', () => {});
  const response: HttpResponse = {
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    get address() {
      return incoming.socket.remoteAddress;
    },
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: incoming,
    text: (most) => readText(incoming, most),
    // The connection can be used again once what is left has come, unless that never ends.
    discard: () => void (mediaType(response) === 'text/event-stream' ? incoming.destroy() : drain(incoming)),
  };
  return response;
}

function drain(incoming: IncomingMessage): void {
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostDrained) incoming.destroy();
  });
}
