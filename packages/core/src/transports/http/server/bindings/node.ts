import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { fromUtf8 } from '../../../../jsonrpc/utf8.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Body, EventSink, HttpHeaders, HttpRequest, HttpResponder, Serve } from './binding.ts';

/** Frameworks leave these on the request. */
interface Passed {
  /** The address before the part was cut off under which the handler is mounted. */
  originalUrl?: string;
  /** The body, where it was read and perhaps parsed already. */
  body?: unknown;
}

/** The rest of a refused body is read, and thrown away, up to this length; of a longer one, for so long. */
const maxDrained = 1024 * 1024;
const lingerMs = 500;

/** Serves requests of `node:http` without web-standard objects in between, which cost more than all the rest. */
export function nodeBinding(serve: Serve): (request: IncomingMessage, response: ServerResponse) => void {
  const serveNow = (request: IncomingMessage, response: ServerResponse): void =>
    void serve(new NodeRequest(request), new NodeResponder(request, response));
  // A short body comes right behind its head: a tick later it is there, and need not be waited for.
  return (request, response) => process.nextTick(serveNow, request, response);
}

class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage & Passed;
  readonly #headers: IncomingHttpHeaders;
  readonly #url: string;
  readonly #mark: number;

  constructor(request: IncomingMessage & Passed) {
    this.#request = request;
    this.#headers = request.headers;
    this.#url = request.originalUrl ?? request.url ?? '/';
    this.#mark = this.#url.indexOf('?');
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get path(): string {
    return this.#mark === -1 ? this.#url : this.#url.slice(0, this.#mark);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#mark === -1 ? '' : this.#url.slice(this.#mark));
  }

  get address(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return value.join(', ');
    return shownOnce.has(name) ? (all(this.#request.rawHeaders, name) ?? value) : value;
  }

  body(limit: number): Awaitable<Body> {
    const request = this.#request;
    const length = Number(this.#headers['content-length']);
    if (length > limit) return { problem: 'too-large' };
    if (request.body !== undefined) return parsedBody(request.body);
    const isThere = length > 0 && request.readableLength === length;
    return isThere ? decoded(request.read()) : readBody(request, limit);
  }
}

/** Of these, node shows the first and hides the others. */
const shownOnce = new Set(['host', 'authorization']);

/** All values of a header, where there are several. */
function all(rawHeaders: readonly string[], name: string): string | undefined {
  let joined: string | undefined;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] as string;
    if (raw.length !== name.length || raw.toLowerCase() !== name) continue;
    count += 1;
    joined = count === 1 ? rawHeaders[index + 1] : `${joined}, ${rawHeaders[index + 1]}`;
  }
  return joined;
}

function parsedBody(body: unknown): Body {
  if (body instanceof Uint8Array) return decoded(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return { text: typeof body === 'string' ? body : JSON.stringify(body) };
}

function readBody(request: IncomingMessage, limit: number): Awaitable<Body> {
  if (request.destroyed) return { problem: 'cut-off' };
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve({ problem: 'too-large' });
    });
    request.on('end', () => resolve(decoded(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))));
    request.on('close', () => resolve({ problem: 'cut-off' }));
    // A framework may have held the body back until somebody wants it.
    request.resume();
  });
}

function decoded(bytes: Buffer): Body {
  const text = fromUtf8(bytes);
  return text === undefined ? { problem: 'not-utf8' } : { text };
}

class NodeResponder implements HttpResponder {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  send(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (status >= 400 && this.#stillSending) {
      this.#sendAndClose(status, headers, body ?? '');
      return;
    }
    if (body === undefined) response.writeHead(status, [...headers]).end();
    else this.#sendBody(status, headers, body);
  }

  /**
   * Head and body leave in one write of one text. Given to `end`, a body would leave together with an empty text, as
   * two buffers in a `writev`, which costs a tenth of all that is done for a short request.
   */
  #sendBody(status: number, headers: HttpHeaders, body: string): void {
    const response = this.#response;
    const length = Buffer.byteLength(body);
    response.writeHead(status, [...headers, 'Content-Length', String(length)]);
    response.cork();
    response.write(body, length === body.length ? 'latin1' : 'utf8');
    response.uncork();
    response.end();
  }

  get #stillSending(): boolean {
    const { complete, headers } = this.#request;
    return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxDrained);
  }

  /**
   * Answers while the client is sending. Closing at once would reset the connection, and the client might never
   * see the answer; so what it sends is thrown away for a moment.
   */
  #sendAndClose(status: number, headers: HttpHeaders, body: string): void {
    const request = this.#request;
    const response = this.#response;
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, [...headers, 'Content-Length', length, 'Connection', 'close']);
    response.write(body);
    const close = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(close, lingerMs).unref();
    request.once('end', close).once('close', close).resume();
  }

  stream(headers: HttpHeaders): EventSink {
    const response = this.#response;
    response.writeHead(200, [...headers]);
    response.flushHeaders();
    return {
      write: (text) => void response.write(text),
      end: () => void response.end(),
      cut: () => void response.destroy(),
      get unsent() {
        return response.writableLength;
      },
      onDrain: (listener) => void response.on('drain', listener),
    };
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) {
      listener();
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) listener();
    });
  }
}
