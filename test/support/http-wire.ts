import type { Server } from '@ccmcp/core';
import { type HttpService, serveHttp } from '@ccmcp/core/http';
import { MethodTable } from '../../packages/core/src/protocol/methods.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import type { JsonRpcMessage, Wire } from './mcp-client.ts';

type Headers = Record<string, string>;

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** A wire over HTTP, on real sockets: one session for a handshake client, one request each for a stateless one. */
export function httpWire(server: Server): Wire {
  return new HttpWire(server);
}

class HttpWire implements Wire {
  readonly #server: Server;
  readonly #service: Promise<HttpService>;
  readonly #requests = new Map<unknown, AbortController>();
  /** Aborts requests in flight. */
  readonly #open = new Set<AbortController>();
  /** Settles before the next message is sent: like a pipe, this preserves the order. */
  #before: Promise<unknown>;
  #closed = false;
  /** In this era a client cancels a request by disconnecting. */
  #stateless = false;
  #session: Headers = {};
  #listener: (message: JsonRpcMessage) => void = () => {};

  constructor(server: Server) {
    this.#server = server;
    this.#service = serveHttp(server);
    this.#before = this.#service;
  }

  receive(listener: (message: JsonRpcMessage) => void): void {
    this.#listener = listener;
  }

  send(given: unknown): void {
    const message = given as JsonRpcMessage;
    const isRequest = message.id !== undefined && message.method !== undefined;
    const sending = this.#before.then(() => this.#send(message));
    if (!isRequest || message.method === 'initialize') this.#before = sending;
    this.#keep(sending);
  }

  settled(): Promise<unknown> {
    return this.#before;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const controller of this.#open) controller.abort();
    await (await this.#service).close({ graceMs: 0, lingerMs: 0 });
  }

  /** Tracks work in the background; its failure fails the test, unless the wire aborted it. */
  #keep(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#closed && (error as Error).name !== 'AbortError') throw error;
    });
  }

  async #send(message: JsonRpcMessage): Promise<void> {
    const { id, method, params } = message;
    this.#stateless ||= isStateless(message);
    if (method === 'notifications/cancelled' && this.#stateless) {
      this.#requests.get(params?.requestId)?.abort();
      return;
    }
    const controller = new AbortController();
    if (method !== undefined && id !== undefined) this.#requests.set(id, controller);
    const response = await this.#fetch('POST', controller, {
      headers: { 'content-type': 'application/json', ...this.#headers(message) },
      body: JSON.stringify(message),
    });
    if (method === 'initialize') this.#begin(message, response);
    if (method === 'notifications/initialized') await this.#listen();
    await this.#read(response);
    this.#requests.delete(id);
  }

  #headers(message: JsonRpcMessage): Headers {
    if (!isStateless(message)) return message.method === 'initialize' ? {} : this.#session;
    const { method = '', params = {} } = message;
    const headers: Headers = {
      'mcp-protocol-version': String((params._meta as Record<string, unknown>)[versionKey]),
      'mcp-method': method,
    };
    const { mirrors = '' } = new MethodTable().of(method);
    if (typeof params[mirrors] === 'string') headers['mcp-name'] = encode(params[mirrors]);
    const tool =
      method === 'tools/call' ? engineOf(this.#server).catalog.tools.entries.get(String(params.name)) : undefined;
    for (const { header, path } of tool?.mirrored ?? tool?.readMirrored() ?? []) {
      let value: unknown = params.arguments;
      for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
      if (value !== undefined && value !== null)
        headers[header] = encode(typeof value === 'string' ? value : JSON.stringify(value));
    }
    return headers;
  }

  #begin({ params }: JsonRpcMessage, response: Response): void {
    const id = response.headers.get('mcp-session-id');
    if (id === null) return;
    this.#session = { 'mcp-session-id': id };
    if (typeof params?.protocolVersion === 'string' && params.protocolVersion >= '2025-06-18') {
      this.#session['mcp-protocol-version'] = params.protocolVersion;
    }
  }

  /** Opens the standalone stream of the session; its messages arrive at any time. */
  async #listen(): Promise<void> {
    if (this.#session['mcp-session-id'] === undefined) return;
    const response = await this.#fetch('GET', new AbortController(), {
      headers: { ...this.#session, accept: 'text/event-stream' },
    });
    this.#keep(this.#read(response));
  }

  async #fetch(
    method: string,
    controller: AbortController,
    init: { headers: Headers; body?: string },
  ): Promise<Response> {
    this.#open.add(controller);
    const { url } = await this.#service;
    const headers = { accept: 'application/json, text/event-stream', ...init.headers };
    return fetch(url, { method, signal: controller.signal, ...init, headers });
  }

  async #read(response: Response): Promise<void> {
    if (response.headers.get('content-type') === 'text/event-stream') {
      const events = readEvents(response);
      for (let each = await events.message(); each !== undefined; each = await events.message()) {
        this.#listener(each as JsonRpcMessage);
      }
      return;
    }
    const text = await response.text();
    if (text === '') return;
    const answer = JSON.parse(text) as JsonRpcMessage;
    this.#listener(Array.isArray(answer) || answer.id !== undefined ? answer : { ...answer, id: null });
  }
}

function isStateless({ params }: JsonRpcMessage): boolean {
  return (params?._meta as Record<string, unknown> | undefined)?.[versionKey] !== undefined;
}

/** Encodes a text for a header. */
function encode(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
