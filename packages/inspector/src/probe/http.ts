import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpTap } from '@ccmcp/core/client';

/** Tap of the probe's HTTP requests. */
export const probeTap: AsyncLocalStorage<HttpTap> = new AsyncLocalStorage<HttpTap>();

/** A response; the body may be truncated. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request. */
export interface RawRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  /** Timeout until the response starts, in milliseconds. */
  timeoutMs: number;
}

/** No response started in time. */
export class NoResponseError extends Error {}

const maxBodyLength = 64 * 1024;
/** Timeout of the body: a stream may never end. */
const bodyTimeoutMs = 1000;

/** Sends one HTTP request, without redirects or retries that would hide problems. */
export async function sendRequest(url: URL, { method, headers, body, timeoutMs }: RawRequest): Promise<RawResponse> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const given = {
    accept: method === 'POST' ? 'application/json, text/event-stream' : 'text/event-stream',
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const watch = probeTap.getStore()?.request({ method, url: url.href, headers: given, body: text, about: 'messages' });
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent: false,
      headers: { ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }), ...given },
    });
    const timer = setTimeout(() => outgoing.destroy(new NoResponseError('no answer began')), timeoutMs);
    outgoing.once('error', (error) => {
      watch?.end(error);
      reject(error);
    });
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('response', (response: IncomingMessage) => {
      clearTimeout(timer);
      const { statusCode = 0, statusMessage = '', rawHeaders } = response;
      const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
      watch?.response({ status: statusCode, statusText: statusMessage, headers: pairs });
      readStart(response, (read) => {
        watch?.data(read);
        watch?.end();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
        outgoing.destroy();
      });
    });
    outgoing.end(text);
  });
}

/** Reads the start of a response: all of it, its first event, or what arrives within a second. */
function readStart(response: IncomingMessage, give: (text: string) => void): void {
  let text = '';
  const done = (): void => {
    clearTimeout(timer);
    give(text);
  };
  const timer = setTimeout(done, bodyTimeoutMs);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > maxBodyLength || (isStream && /\ndata:.*\n\r?\n/.test(`\n${text}`))) done();
  });
  response.once('close', done).once('error', done);
}

/** Media type of a response, without parameters. */
export function mediaType({ headers }: RawResponse): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
