import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { fromUtf8 } from '../../../../jsonrpc/utf8.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { limits } from '../../../../limits.ts';
import type { Usage } from '../../../../server/quotas/quota.ts';
import { countRequest, isLastAnswer } from './last-answer.ts';
import { connectionOf, cutWhereUnread, isCutOff, unsentOn, whenClosed } from './node-connection.ts';
import type { HeldAnswers } from './held-answers.ts';
import { takePart } from './incoming.ts';
import { Outgoing } from './outgoing.ts';
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

/** A body that is longer leaves as bytes. */
const longBody = 64 * 1024;

/** A client that has so much to read gets no more answers on its connection. */
const maxUnsent = limits.http.unsent.value;

/** Serves requests of `node:http` without web-standard objects in between, which cost more than all the rest. */
export function nodeBinding(
  serve: Serve,
  outgoing: Outgoing = new Outgoing(),
  held?: HeldAnswers,
): (request: IncomingMessage, response: ServerResponse) => void {
  const serveNow = (request: IncomingMessage, response: ServerResponse, number: number): void => {
    held?.begin();
    // More requests may have come with the one whose answer was too much.
    if (isCutOff(request.socket)) {
      held?.end();
      return;
    }
    try {
      void serve(new NodeRequest(request), new NodeResponder(request, response, { outgoing, held, number }));
    } finally {
      held?.end();
    }
  };
  // Not in this turn: what throws there, be it long after the answer, would break the parser, and the next request on the
  // connection with it. Besides, a short body comes right behind its head: by then it is there, and need not be waited for.
  return (request, response) => {
    const { socket } = request;
    // After the last answer of its connection nothing is served: it is read so that its client is not reset.
    if (socket.writableEnded) {
      request.resume();
      return;
    }
    held?.expect();
    setImmediate(serveNow, request, response, countRequest(socket));
  };
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

  get mount(): string {
    const { originalUrl, url = '/' } = this.#request;
    if (originalUrl === undefined || originalUrl === url) return '';
    const [below = ''] = url.split('?', 1);
    const rest = below === '/' ? '' : below;
    return this.path.endsWith(rest) ? this.path.slice(0, this.path.length - rest.length) : '';
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#mark === -1 ? '' : this.#url.slice(this.#mark));
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
    return isShownOnce(name) ? (all(this.#request.rawHeaders, name) ?? value) : value;
  }

  body(limit: number, usage: Usage): Awaitable<Body> {
    const request = this.#request;
    const length = Number(this.#headers['content-length']);
    if (length > limit) return { problem: 'too-large' };
    if (request.body !== undefined) return parsedBody(request.body);
    const isThere = length > 0 && request.readableLength === length;
    // Without the length, newer Nodes give the first of several chunks only.
    return isThere ? decoded(request.read(length)) : readBody(request, limit, usage);
  }
}

/** Of these, node shows the first and hides the others. */
function isShownOnce(name: string): boolean {
  return name === 'host' || name === 'authorization';
}

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

function readBody(request: IncomingMessage, limit: number, usage: Usage): Awaitable<Body> {
  if (request.destroyed) return { problem: 'cut-off' };
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let taken = 0;
    const done = (body: Body): void => {
      // The request may be there for long: whatever it holds on to would be too.
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      chunks = [];
      usage.release('incoming', taken);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) return done({ problem: 'too-large' });
      const full = takePart(usage, chunk.length, length);
      if (full !== undefined) return done({ problem: 'no-room', full });
      taken = length;
      chunks.push(chunk);
    };
    const onEnd = (): void => done(decoded(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onClose = (): void => done({ problem: 'cut-off' });
    request.on('data', onData).on('end', onEnd).on('close', onClose);
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
  readonly #outgoing: Outgoing;
  readonly #held: HeldAnswers | undefined;
  readonly #number: number;
  /** True where the answer is there, but held back. */
  #waits = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { outgoing, held, number }: { outgoing: Outgoing; held: HeldAnswers | undefined; number: number },
  ) {
    this.#request = request;
    this.#response = response;
    this.#outgoing = outgoing;
    this.#held = held;
    this.#number = number;
  }

  beforeSend(write: () => void): boolean {
    return this.#held?.before(write) === true;
  }

  get unread(): boolean {
    return unsentOn(this.#request.socket) > 0;
  }

  /** A client that is told so goes elsewhere with its next request. */
  #closeWhereLast(): void {
    if (isLastAnswer(this.#request.socket, this.#number)) this.#response.shouldKeepAlive = false;
  }

  send(status: number, headers: HttpHeaders, body?: string): void {
    if (this.#waits) return;
    if (this.#held?.holds !== true) {
      this.#sendNow(status, headers, body);
      return;
    }
    this.#waits = true;
    this.#held.hold(() => this.#sendHeld(status, headers, body));
  }

  /** By now nobody is there who would tell the client that its answer can't be sent. */
  #sendHeld(status: number, headers: HttpHeaders, body?: string): void {
    try {
      this.#sendNow(status, headers, body);
    } catch (error) {
      if (!this.#response.headersSent) this.#sendNow(500, []);
      throw error;
    }
  }

  #sendNow(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response;
    if (response.headersSent || this.#isGone) return;
    if (this.#outgoing.size > 0 && cutWhereUnread(this.#request.socket, maxUnsent)) return;
    this.#closeWhereLast();
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
    // A long text would be copied to stand behind the head.
    const bytes = body.length > longBody ? Buffer.from(body) : undefined;
    const length = bytes?.length ?? Buffer.byteLength(body);
    response.writeHead(status, [...headers, 'Content-Length', String(length)]);
    response.cork();
    if (bytes !== undefined) response.write(bytes);
    else response.write(body, length === body.length ? 'latin1' : 'utf8');
    response.uncork();
    response.end();
    if (response.writableLength > 0) this.#wait();
  }

  /** What the client has not taken at once waits for it. */
  #wait(): void {
    const { socket } = this.#request;
    this.#outgoing.watch(connectionOf(socket, this.#response));
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
    const outgoing = this.#outgoing;
    const held = this.#held;
    held?.release();
    this.#closeWhereLast();
    response.writeHead(200, [...headers]);
    response.flushHeaders();
    return {
      write: (text) => {
        if (this.#isGone) return;
        held?.release();
        response.write(text);
        if (response.writableLength > 0) this.#wait();
      },
      end: () => void response.end(),
      cut: () => void response.destroy(),
      get unsent() {
        return response.writableLength;
      },
      get full() {
        return outgoing.full;
      },
      onDrain: (listener) => void response.on('drain', listener),
    };
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (this.#isGone) {
      listener();
      return;
    }
    const onClose = (): void => {
      if (!response.writableFinished) listener();
    };
    if (response.socket === null) whenClosed(this.#request.socket, response, onClose);
    else response.on('close', onClose);
  }

  /** Node tells a response that its client is gone only where it was its turn on the connection. */
  get #isGone(): boolean {
    return this.#response.destroyed || this.#request.socket.destroyed;
  }
}
