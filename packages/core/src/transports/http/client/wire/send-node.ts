import type { ClientRequest, IncomingMessage, request as HttpRequest, RequestOptions } from 'node:http';
import { nodeHttp } from '../../../node-http.ts';
import type { OutgoingRequest, HttpResponse } from './response.ts';
import { mediaType } from './response.ts';
import { recordKeepAlive, writeIfAlive } from './keep-alive.ts';
import { isNode } from '../../../../runtime/kind.ts';
import { limits } from '../../../../limits.ts';

/** One that died while it was idle says so at once; later, the server may have begun to do what is asked. */
const idleCloseWindowMs = 1000;
/** A server that closes connections without a word gets what it must not get twice on new ones, for so long. */
const ownConnectionMs = 60_000;
const maxDrained = limits.clientHttp.refusal.value;

/** How requests are begun, by protocol: there once the first one has been. */
const requestByProtocol = new Map<string, typeof HttpRequest>();
/** Where requests go, as `node:http` wants to be told: reading it from an address takes longer than the rest. */
const targets = new WeakMap<URL, Target>();

interface Target extends RequestOptions {
  readonly protocol: string;
  readonly host: string;
  apartUntil: number;
}

/**
 * Sends requests with `node:http`. A quarter of the work of `fetch`, which also gives up on answers and streams that are
 * silent for five minutes, and can't tell a connection that died while it was idle from one that died on a request.
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
  // Again on a connection of its own: others that were kept open may have died too, or of this request.
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
    // Ended at once, a request takes a second write, of nothing.
    else sent.write(body, (error) => void (error ?? sent.end()));
  };
  if (isNode && request.once === true && sent.reusedSocket)
    sent.once('socket', (socket) => writeIfAlive(socket, write));
  else write();
}

/** In Node itself as a list, which it takes as it is; a member for each would be looked at and copied one by one. */
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

/** The server closed a connection that was kept open, before it could see this request. */
function closedWhileIdle({ reusedSocket }: ClientRequest, error: unknown): boolean {
  const { code } = error as { code?: string };
  return reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

class NodeResponse implements HttpResponse {
  readonly status: number;
  readonly body: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    // Broken while nobody reads: whoever does hears of it there.
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

  /** By events: to go through a stream with `for await` costs more than the rest of a request. */
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

  /** The connection can be used again once what is left has come, unless that never ends. */
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

function drain(incoming: IncomingMessage): void {
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDrained) incoming.destroy();
  });
}
