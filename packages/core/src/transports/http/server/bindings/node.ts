import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { fromUtf8 } from '../../../../jsonrpc/text.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Usage } from '../../../../features/quotas/quota.ts';
import { countRequest, isLastAnswer } from './last-answer.ts';
import { consumerOf, dropSlowConsumer, isDropped, onConnectionClose, unsentBytes } from './node-connection.ts';
import type { PendingResponses } from './pending-responses.ts';
import { countChunk } from './body-quota.ts';
import { SlowConsumers } from './slow-consumers.ts';
import {
  type Body,
  type EventSink,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponder,
  responseHeaders,
  type Serve,
} from './binding.ts';

/** Properties that frameworks add to a request. */
interface FrameworkRequest {
  /** The URL with the path at which the handler is mounted. */
  originalUrl?: string;
  /** The body, where the framework has read and perhaps parsed it. */
  body?: unknown;
}

/** The rest of a rejected body is read and discarded up to this length; of a longer one, for this time. */
const maxDrained = 1024 * 1024;
const lingerMs = 500;

/** A longer body is sent as bytes. */
const longBody = 64 * 1024;

/** A client with more unread bytes is dropped. */
export const maxUnsent = 8 * 1024 * 1024;

/** Serves requests of `node:http` without web-standard objects, which would cost more than everything else. */
export function nodeBinding(
  serve: Serve,
  consumers: SlowConsumers = new SlowConsumers(),
  pending?: PendingResponses,
): (request: IncomingMessage, response: ServerResponse) => void {
  const serveNow = (request: IncomingMessage, response: ServerResponse, number: number): void => {
    pending?.begin();
    // Pipelined requests on a connection that was dropped as a slow consumer.
    if (request.socket.destroyed && isDropped(request.socket)) {
      pending?.end();
      return;
    }
    try {
      void serve(new NodeRequest(request), new NodeResponder(request, response, { consumers, pending, number }));
    } finally {
      pending?.end();
    }
  };
  // Not in this tick: an exception in it would break the parser, and with it the next request on the connection. Besides, a
  // short body follows its head directly: in the next tick it has arrived, which is the fast path.
  return (request, response) => {
    const { socket } = request;
    // After the last response of a connection nothing is served. Reading on avoids a reset.
    if (socket.writableEnded) {
      request.resume();
      return;
    }
    if (pending !== undefined) pending.expected += 1;
    setImmediate(serveNow, request, response, countRequest(socket));
  };
}

class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage & FrameworkRequest;
  readonly #headers: IncomingHttpHeaders;
  readonly #url: string;
  readonly method: string;
  readonly path: string;

  constructor(request: IncomingMessage & FrameworkRequest) {
    this.#request = request;
    this.#headers = request.headers;
    this.#url = request.originalUrl ?? request.url ?? '/';
    this.method = request.method ?? '';
    const query = this.#url.indexOf('?');
    this.path = query === -1 ? this.#url : this.#url.slice(0, query);
  }

  get mount(): string {
    const { originalUrl, url = '/' } = this.#request;
    if (originalUrl === undefined || originalUrl === url) return '';
    const [below = ''] = url.split('?', 1);
    const rest = below === '/' ? '' : below;
    return this.path.endsWith(rest) ? this.path.slice(0, this.path.length - rest.length) : '';
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#url.slice(this.path.length));
  }

  get address(): string | undefined {
    return this.#request.socket.remoteAddress;
  }

  get connection(): object {
    return this.#request.socket;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return value.join(', ');
    // Of these, node shows the first value and hides the others.
    const hidesOthers = name === 'host' || name === 'authorization';
    return hidesOthers ? (allValues(this.#request.rawHeaders, name) ?? value) : value;
  }

  body(limit: number, usage: Usage): Awaitable<Body> {
    const request = this.#request;
    const length = Number(this.#headers['content-length']);
    if (length > limit) return { problem: 'too-large' };
    if (request.body !== undefined) return parsedBody(request.body);
    if (!(length > 0 && request.readableLength === length)) return readBody(request, limit, usage);
    // Without the length, newer Nodes give the first of several chunks only.
    const text = fromUtf8(request.read(length));
    return text === undefined ? notUtf8 : { text };
  }
}

/** All values of a header, joined by commas. */
function allValues(rawHeaders: readonly string[], name: string): string | undefined {
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
  if (body instanceof Uint8Array) return decodeBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return { text: typeof body === 'string' ? body : JSON.stringify(body) };
}

function readBody(request: IncomingMessage, limit: number, usage: Usage): Awaitable<Body> {
  if (request.destroyed) return { problem: 'cut-off' };
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let taken = 0;
    const done = (body: Body): void => {
      // The request may live long: it must not keep the body.
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      chunks = [];
      usage.release('incoming', taken);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) return done({ problem: 'too-large' });
      const full = countChunk(usage, chunk.length, length);
      if (full !== undefined) return done({ problem: 'no-room', full });
      taken = length;
      chunks.push(chunk);
    };
    const onEnd = (): void => done(decodeBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onClose = (): void => done({ problem: 'cut-off' });
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    // A framework may have paused the body.
    request.resume();
  });
}

const notUtf8: Body = { problem: 'not-utf8' };

function decodeBody(bytes: Buffer): Body {
  const text = fromUtf8(bytes);
  return text === undefined ? notUtf8 : { text };
}

class NodeResponder implements HttpResponder {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #consumers: SlowConsumers;
  readonly #pending: PendingResponses | undefined;
  readonly #number: number;
  /** True if the response is delayed. */
  #isDelayed = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { consumers, pending, number }: { consumers: SlowConsumers; pending: PendingResponses | undefined; number: number },
  ) {
    this.#request = request;
    this.#response = response;
    this.#consumers = consumers;
    this.#pending = pending;
    this.#number = number;
  }

  beforeSend(write: () => void): boolean {
    return this.#pending?.runBefore(write) === true;
  }

  get backpressured(): boolean {
    return unsentBytes(this.#request.socket) > 0;
  }

  send(status: number, headers: HttpHeaders, body?: string): void {
    if (this.#isDelayed) return;
    if (this.#pending?.isHolding !== true) {
      this.#sendNow(status, headers, body);
      return;
    }
    this.#isDelayed = true;
    this.#pending.add(() => this.#sendDelayed(status, headers, body));
  }

  /** No caller is left that would answer with an error if sending fails. */
  #sendDelayed(status: number, headers: HttpHeaders, body?: string): void {
    try {
      this.#sendNow(status, headers, body);
    } catch (error) {
      if (!this.#response.headersSent) this.#sendNow(500, []);
      throw error;
    }
  }

  #sendNow(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response;
    const { socket } = this.#request;
    // Node destroys a pipelined response only when the responses before it were sent.
    if (response.headersSent || response.destroyed || socket.destroyed) return;
    if (this.#consumers.watched.size > 0 && dropSlowConsumer(socket, maxUnsent)) return;
    if (isLastAnswer(socket, this.#number)) response.shouldKeepAlive = false;
    if (status >= 400 && this.#stillSending) {
      this.#sendAndClose(status, headers, body ?? '');
      return;
    }
    if (body === undefined) {
      response.writeHead(status, responseHeaders(headers)).end();
      return;
    }
    // A long text would be copied behind the head.
    const bytes = body.length > longBody ? Buffer.from(body) : undefined;
    const length = bytes?.length ?? Buffer.byteLength(body);
    response.writeHead(status, responseHeaders(headers, 'Content-Length', String(length)));
    // Head and body leave in one write of one text. Given to `end`, a body would leave together with an empty text, as
    // two buffers in a `writev`, which costs a tenth of all that is done for a short request.
    response.cork();
    if (bytes !== undefined) response.write(bytes);
    else response.write(body, length === body.length ? 'latin1' : 'utf8');
    response.uncork();
    response.end();
    if (response.writableLength > 0) this.#watchConsumer();
  }

  #watchConsumer(): void {
    const { socket } = this.#request;
    this.#consumers.watch(consumerOf(socket, this.#response));
  }

  get #stillSending(): boolean {
    const { complete, headers } = this.#request;
    return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxDrained);
  }

  /**
   * Responds while the client is still sending. Closing at once would reset the connection before the client has read the
   * response, so the rest of the body is drained for a moment.
   */
  #sendAndClose(status: number, headers: HttpHeaders, body: string): void {
    const request = this.#request;
    const response = this.#response;
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, responseHeaders(headers, 'Content-Length', length, 'Connection', 'close'));
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
    const consumers = this.#consumers;
    const pending = this.#pending;
    pending?.release();
    if (isLastAnswer(this.#request.socket, this.#number)) response.shouldKeepAlive = false;
    response.writeHead(200, responseHeaders(headers));
    response.flushHeaders();
    return {
      write: (text) => {
        if (this.#isDisconnected) return;
        pending?.release();
        response.write(text);
        if (response.writableLength > 0) this.#watchConsumer();
      },
      end: () => void response.end(),
      cut: () => void response.destroy(),
      get unsent() {
        return response.writableLength;
      },
      get full() {
        return consumers.backpressured;
      },
      onDrain: (listener) => void response.on('drain', listener),
    };
  }

  onDisconnect(listener: () => void): void {
    const response = this.#response;
    if (this.#isDisconnected) {
      listener();
      return;
    }
    const onClose = (): void => {
      if (!response.writableFinished) listener();
    };
    if (response.socket === null) onConnectionClose(this.#request.socket, response, onClose);
    else response.on('close', onClose);
  }

  get #isDisconnected(): boolean {
    return this.#response.destroyed || this.#request.socket.destroyed;
  }
}
