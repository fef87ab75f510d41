import type { ClientRequest, IncomingMessage, request as HttpRequest, RequestOptions } from 'node:http';
import { nodeHttp } from '../../../node-http.ts';
import type { OutgoingRequest, HttpResponse } from './response.ts';
import { mediaType } from './response.ts';
import { recordKeepAlive, writeIfAlive } from './keep-alive.ts';
import { isNode } from '../../../../runtime/kind.ts';
import { letEnd } from '../../../../runtime/timers.ts';
import { limits } from '../../../../limits.ts';

/** A connection closed while idle fails at once; later, the server may have started to serve. */
const idleCloseWindowMs = 1000;
/** How long a server that closes idle connections silently gets unrepeatable requests on new connections. */
const ownConnectionMs = 60_000;
const drainTimeoutMs = limits.clientHttp.goodbyeMs.value;
const maxDrained = limits.clientHttp.refusal.value;

/** The `request` functions by protocol, loaded with the first request. */
const requestByProtocol = new Map<string, typeof HttpRequest>();
/** Targets as `node:http` expects them: parsing a URL costs more than the rest. */
const targets = new WeakMap<URL, Target>();

interface Target extends RequestOptions {
  readonly protocol: string;
  readonly host: string;
  apartUntil: number;
}

/**
 * Sends requests with `node:http`. It costs a quarter of `fetch`, which also gives up on streams that are silent for
 * five minutes, and can't tell a connection closed while idle from one that failed during a request.
 */
export function sendByNode(url: URL, request: OutgoingRequest): Promise<HttpResponse> {
  const { protocol } = targetOf(url);
  const begin = requestByProtocol.get(protocol);
  if (begin === undefined) return load(protocol).then(() => sendByNode(url, request));
  return new Promise((resolve, reject) => sendOnce({ begin, url, outgoing: request, resolve, reject }));
}

async function load(protocol: string): Promise<void> {
  const { request } = protocol === 'https:' ? await import('node:https') : await nodeHttp();
  requestByProtocol.set(protocol, request);
}

interface SendAttempt {
  readonly begin: typeof HttpRequest;
  readonly url: URL;
  readonly outgoing: OutgoingRequest;
  readonly isAgain?: true;
  resolve(response: HttpResponse): void;
  reject(error: unknown): void;
}

function sendOnce(sending: SendAttempt): void {
  const { begin, url, outgoing: request, isAgain } = sending;
  const { method, signal, body } = request;
  const target = targetOf(url);
  const { protocol, hostname, port, path, auth, host } = target;
  const since = performance.now();
  const isApart = isAgain || (request.once === true && since < target.apartUntil);
  const headers = headersOf(request, auth === undefined ? host : undefined);
  // The retry uses a new connection: other idle ones may be closed as well, or this request may have closed it.
  const sent = begin({ protocol, hostname, port, path, auth, method, headers, agent: isApart ? false : undefined });
  let isUnsent = true;
  const stop = (): void => void sent.destroy();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  sent.on('close', () => signal.removeEventListener('abort', stop));
  sent.on('error', (error) => {
    const isLate = performance.now() - since > idleCloseWindowMs;
    if (isAgain || signal.aborted || isLate || !closedWhileIdle(sent, error)) return sending.reject(error);
    if (request.once !== true || isUnsent) return sendOnce({ ...sending, isAgain: true });
    target.apartUntil = performance.now() + ownConnectionMs;
    sending.reject(error);
  });
  sent.on('response', (incoming) => {
    if (isNode) recordKeepAlive(incoming);
    sending.resolve(new NodeResponse(incoming));
  });
  const write = (): void => {
    isUnsent = false;
    if (body === undefined || !isNode) sent.end(body);
    // Ending at once would cost a second, empty write.
    else sent.write(body, (error) => void (error ?? sent.end()));
  };
  if (isNode && request.once === true && sent.reusedSocket)
    sent.once('socket', (socket) => writeIfAlive(socket, write));
  else write();
}

/** A list, which Node takes as it is; members of an object would be checked and copied one by one. */
function headersOf(
  { headers, body, unmixed }: OutgoingRequest,
  host: string | undefined,
): Record<string, string> | string[] {
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  if (!isNode || unmixed !== true || host === undefined) {
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
    apartUntil: 0,
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
  text(most: number): Promise<string | undefined> {
    const incoming = this.body;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const broken = (): void => reject(incoming.errored ?? new Error('The body was cut off'));
      if (incoming.destroyed) return broken();
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= most) return void chunks.push(chunk);
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
  if (isNode) letEnd(incoming.socket);
  const timeout = letEnd(setTimeout(() => incoming.destroy(), drainTimeoutMs));
  incoming.on('close', () => clearTimeout(timeout));
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDrained) incoming.destroy();
  });
}
