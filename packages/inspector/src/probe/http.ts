import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpTap } from '@ccmcp/core/client';

/** Sees the requests of a probe, where somebody wants to show them. */
export const probeTap: AsyncLocalStorage<HttpTap> = new AsyncLocalStorage<HttpTap>();

/** An answer as far as it was read. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request as it is made. */
export interface Question {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  /** How long to wait for the answer to begin, in milliseconds. */
  patienceMs: number;
}

/** No answer began in time. */
export class Silence extends Error {}

const mostRead = 64 * 1024;
/** How long the rest of an answer may take once it has begun: a stream may never end. */
const restMs = 1000;

/** Makes one HTTP request, without redirects, retries or anything else that would hide what happens. */
export async function ask(url: URL, { method, headers, body, patienceMs }: Question): Promise<Answer> {
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
    const timer = setTimeout(() => outgoing.destroy(new Silence('no answer began')), patienceMs);
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
      readSome(response, (read) => {
        watch?.data(read);
        watch?.end();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
        outgoing.destroy();
      });
    });
    outgoing.end(text);
  });
}

/** The beginning of an answer: all of it, its first event, or what comes in a second. */
function readSome(response: IncomingMessage, give: (text: string) => void): void {
  let text = '';
  const done = (): void => {
    clearTimeout(timer);
    give(text);
  };
  const timer = setTimeout(done, restMs);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > mostRead || (isStream && /\ndata:.*\n\r?\n/.test(`\n${text}`))) done();
  });
  response.once('close', done).once('error', done);
}

/** The type of an answer's body, without parameters. */
export function mediaType({ headers }: Answer): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
