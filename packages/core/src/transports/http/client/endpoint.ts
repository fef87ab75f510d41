import type { AbortSignalLike } from '../../../client/abort-signals.ts';
import { encode, type Message, type Request } from '../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../protocol/methods.ts';
import { claimsStateless } from '../../../revisions/read-caller.ts';
import { MirroredHeaders } from './mirrored-headers.ts';
import { mustSendOnce, type HttpResponse, type SendRequest } from './wire/response.ts';
import { createSender, type HttpClientOptions, parseEndpoint } from './wire/sender.ts';
import { limits } from '../../../limits.ts';

const defaultMaxMessage = limits.clientHttp.maxMessage.value;
/** Timeout for ending a session, in milliseconds. */
export const sessionEndTimeoutMs: number = 2000;

/** The server's endpoint: sends each kind of HTTP request to it, with the right headers. */
export class Endpoint {
  readonly url: URL;
  readonly maxMessage: number;
  readonly session = new HttpSession();
  readonly mirrored = new MirroredHeaders();
  readonly #send: SendRequest;

  constructor(url: string | URL, options: HttpClientOptions) {
    this.url = parseEndpoint(url, 'httpTransport');
    this.maxMessage = options.maxMessage ?? defaultMaxMessage;
    this.#send = createSender(options);
  }

  /** Sends a message. */
  post(message: Message, methods: MethodTable, signal: AbortSignalLike): Promise<HttpResponse> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#headersOf(message, methods),
    };
    return this.#send(this.url, {
      method: 'POST',
      headers,
      body: encode(message),
      signal,
      once: mustSendOnce(message, methods),
    });
  }

  /** Opens a stream of the session: after an event, or from now on. */
  get(lastEventId: string | undefined, signal: AbortSignalLike): Promise<HttpResponse> {
    const headers = {
      accept: 'text/event-stream',
      ...this.session.headers,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return this.#send(this.url, { method: 'GET', headers, signal });
  }

  /** Ends the session, if there is one. Servers may ignore it. */
  async endSession(graceMs: number = sessionEndTimeoutMs): Promise<void> {
    const { id, headers } = this.session;
    if (!this.session.end(id)) return;
    const signal = AbortSignal.timeout(graceMs);
    const response = await this.#send(this.url, { method: 'DELETE', headers, signal });
    response.discard();
  }

  #headersOf(message: Message, methods: MethodTable): Record<string, string> {
    if (isStateless(message)) return this.mirrored.headersFor(message, methods.of(message.method));
    return 'method' in message && message.method === 'initialize' ? {} : this.session.headers;
  }
}

/** True for a message with its sender's metadata, which needs no session. */
export function isStateless(message: Message): message is Request {
  return 'method' in message && claimsStateless(message.params);
}

/** The session of the handshake era: its id and version, repeated with every request. */
export class HttpSession {
  #id: string | undefined;
  #version: string | undefined;

  get id(): string | undefined {
    return this.#id;
  }

  get headers(): Record<string, string> {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** Starts a session from the answer to `initialize`. */
  begin(id: string | undefined, version: unknown): void {
    this.#id = id;
    this.#version = typeof version === 'string' ? version : undefined;
  }

  /** Ends a session, unless another one has started. True if it did. */
  end(id: string | undefined): boolean {
    if (id === undefined || this.#id !== id) return false;
    this.#id = undefined;
    this.#version = undefined;
    return true;
  }
}
