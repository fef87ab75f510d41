import type { ClientRequest, IncomingMessage, request as HttpRequest, RequestOptions } from 'node:http';
import { nodeHttp } from '../../../node-http.ts';
import { type OutgoingRequest, type HttpResponse, mediaType } from './response.ts';
import { isNode } from '../../../../runtime/kind.ts';
import { unref } from '../../../../runtime/timers.ts';
import type { Socket } from 'node:net';

/** A stale keep-alive connection fails within this time; later, the server may have started to serve. */
const idleCloseWindowMs = 1000;
/** After a stale keep-alive connection, requests that can't be retried get new connections for this long. */
const ownConnectionMs = 60_000;
/** The timeout of draining a response. */
const drainTimeoutMs = 2 * 1000;
/** The maximum that is drained of an unwanted body, in bytes. */
const maxDrained = 64 * 1024;

/** The `request` functions by protocol, loaded with the first request. */
const requestByProtocol = new Map<string, typeof HttpRequest>();
/** Targets as `node:http` expects them: parsing a URL costs more than the rest. */
const targets = new WeakMap<URL, Target>();

interface Target extends RequestOptions {
  readonly protocol: string;
  readonly host: string;
  newConnectionUntil: number;
}

/**
 * Sends requests with `node:http`. It costs a quarter of `fetch`, which also gives up on streams that are silent for
 * five minutes, and can't tell a connection closed while idle from one that failed during a request.
 */
export function sendByNode(url: URL, request: OutgoingRequest): Promise<HttpResponse> {
  const { protocol } = targetOf(url);
  const httpRequest = requestByProtocol.get(protocol);
  if (httpRequest === undefined) return load(protocol).then(() => sendByNode(url, request));
  return new Promise((resolve, reject) => sendOnce({ httpRequest, url, outgoing: request, resolve, reject }));
}

async function load(protocol: string): Promise<void> {
  const { request } = protocol === 'https:' ? await import('node:https') : await nodeHttp();
  requestByProtocol.set(protocol, request);
}

interface SendAttempt {
  readonly httpRequest: typeof HttpRequest;
  readonly url: URL;
  readonly outgoing: OutgoingRequest;
  readonly isRetry?: true;
  resolve(response: HttpResponse): void;
  reject(error: unknown): void;
}

function sendOnce(sending: SendAttempt): void {
  const { httpRequest, url, outgoing: request, isRetry } = sending;
  const { method, signal, body } = request;
  const target = targetOf(url);
  const { protocol, hostname, port, path, auth, host } = target;
  const since = performance.now();
  const needsNewConnection = isRetry || (request.once === true && since < target.newConnectionUntil);
  const headers = headersOf(request, auth === undefined ? host : undefined);
  // The retry uses a new connection: other idle ones may be closed as well, or this request may have closed it.
  const sent = httpRequest({
    protocol,
    hostname,
    port,
    path,
    auth,
    method,
    headers,
    agent: needsNewConnection ? false : undefined,
  });
  let isUnsent = true;
  const abort = (): void => void sent.destroy();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  sent.on('close', () => signal.removeEventListener('abort', abort));
  sent.on('error', (error) => {
    const isLate = performance.now() - since > idleCloseWindowMs;
    if (isRetry || signal.aborted || isLate || !closedWhileIdle(sent, error)) return sending.reject(error);
    if (request.once !== true || isUnsent) return sendOnce({ ...sending, isRetry: true });
    target.newConnectionUntil = performance.now() + ownConnectionMs;
    sending.reject(error);
  });
  sent.on('response', (incoming) => {
    if (isNode) recordKeepAlive(incoming);
    sending.resolve(new NodeResponse(incoming));
  });
  const write = (): void => {
    isUnsent = false;
    if (body === undefined || !isNode) sent.end(body);
    // `end` would cost a second, empty write.
    else sent.write(body, (error) => void (error ?? sent.end()));
  };
  if (isNode && request.once === true && sent.reusedSocket)
    sent.once('socket', (socket) => writeIfAlive(socket, write));
  else write();
}

/** The headers as a list: Node would check and copy the members of an object one by one. */
function headersOf(
  { headers, body, isComplete }: OutgoingRequest,
  host: string | undefined,
): Record<string, string> | string[] {
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  if (!isNode || isComplete !== true || host === undefined) {
    return Object.assign({}, headers, length === undefined ? undefined : { 'content-length': length });
  }
  const list = ['host', host];
  for (const name in headers) list.push(name, headers[name] as string);
  if (length !== undefined) list.push('content-length', length);
  return list;
}

function targetOf(url: URL): Target {
  const known = targets.get(url);
  if (known !== undefined) return known;
  const { protocol, host, hostname, port, pathname, search, username, password } = url;
  const target = {
    protocol,
    host,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? undefined : Number(port),
    path: `${pathname}${search}`,
    newConnectionUntil: 0,
    auth:
      username === '' && password === ''
        ? undefined
        : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  };
  targets.set(url, target);
  return target;
}

/** The server closed an idle connection before it could see this request. */
function closedWhileIdle({ reusedSocket }: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: string };
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

class NodeResponse implements HttpResponse {
  readonly status: number;
  readonly body: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    // The reader of the body gets the error.
    incoming.on('error', ignore);
    this.status = incoming.statusCode ?? 0;
    this.body = incoming;
  }

  get statusText(): string {
    return this.body.statusMessage ?? '';
  }

  get address(): string | undefined {
    return this.body.socket.remoteAddress;
  }

  header(name: string): string | undefined {
    const value = this.body.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headers(): (readonly [string, string])[] {
    const { rawHeaders } = this.body;
    return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  }

  /** With events: `for await` over a stream costs more than the rest of a request. */
  text(maxBytes: number): Promise<string | undefined> {
    const incoming = this.body;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const broken = (): void => reject(incoming.errored ?? new Error('The body was cut off'));
      if (incoming.destroyed) return broken();
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= maxBytes) return void chunks.push(chunk);
        resolve(undefined);
        incoming.destroy();
      });
      incoming.on('end', () => resolve(decodeChunks(chunks)));
      incoming.on('close', () => {
        if (!incoming.readableEnded) broken();
      });
    });
  }

  /** The connection is reused once the rest has arrived, unless the body has no end. */
  discard(): void {
    if (mediaType(this) === 'text/event-stream') this.body.destroy();
    else drain(this.body);
  }
}

function ignore(): void {}

function decodeChunks(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  const text = bytes.toString();
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
}

const byteOrderMark = 0xfeff;

/** Reads the rest of a response, up to a maximum size and time. The socket does not keep an idle process alive. */
function drain(incoming: IncomingMessage): void {
  let length = 0;
  if (isNode) unref(incoming.socket);
  const timeout = unref(setTimeout(() => incoming.destroy(), drainTimeoutMs));
  incoming.on('close', () => clearTimeout(timeout));
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDrained) incoming.destroy();
  });
}

/** A connection used this recently counts as alive. */
const surelyAliveMs = 1;
/** The idle timeout of a server that does not announce one: the shortest usual is 5 s. */
const defaultIdleMs = 5000;
/** Safety margin: the server may close the connection while a request is in flight. */
const marginMs = 1000;

interface IdleConnection {
  /** When it was last used, and how long it may be idle. */
  at: number;
  maxIdleMs: number;
}

const idleConnections = new WeakMap<Socket, IdleConnection>();

/** Records that a server answered on a connection, and its announced idle timeout. */
export function recordKeepAlive({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): void {
  const at = performance.now();
  const known = idleConnections.get(socket);
  // A server announces the same timeout each time, and parsing it costs more than the rest.
  if (known !== undefined) known.at = at;
  else idleConnections.set(socket, { at, maxIdleMs: maxIdleOf(headers['keep-alive']) });
}

/**
 * Calls `write` if an idle connection can be reused, and destroys it otherwise: its idle timeout is nearly over, or it
 * turns out to be closed once pending input was read.
 */
export function writeIfAlive(socket: Socket, write: () => void): void {
  const { at, maxIdleMs } = idleConnections.get(socket) ?? { at: Number.NEGATIVE_INFINITY, maxIdleMs: 0 };
  const idleMs = performance.now() - at;
  if (idleMs < surelyAliveMs) return write();
  if (idleMs >= maxIdleMs) return void socket.destroy();
  // A close that arrived while this process was busy is read before this callback.
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.readableEnded) socket.destroy();
    else write();
  });
}

function maxIdleOf(hint: string | string[] | undefined): number {
  const [, seconds] = /timeout=(\d+)/.exec(String(hint)) ?? [];
  const timeoutMs = seconds === undefined ? defaultIdleMs : Number(seconds) * 1000;
  return Math.max(timeoutMs - marginMs, timeoutMs / 2);
}
