import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '../system/record.ts';
import { HttpClient, type HttpExchange } from './http-client.ts';
import { readBody, sendText } from './http-listener.ts';
import { errorText, isRequest, type OpenUpstream, parse } from './upstream.ts';

/** Maximum sessions and programs; the oldest is closed. */
const maxClients = 100;

/** Serves upstreams over HTTP: one for each session, and some for requests without one. */
export class HttpEndpoint {
  readonly #open: OpenUpstream;
  readonly #path: string;
  readonly #sessions = new Map<string, HttpClient>();
  /** For requests without a session. */
  #stateless: HttpClient[] = [];

  constructor(open: OpenUpstream, path: string) {
    this.#open = open;
    this.#path = path;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendText(response, 502, (error as Error).message);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values(), ...this.#stateless].map((client) => client.close()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (path !== this.#path) return sendText(response, 404, `Not found: the endpoint is ${this.#path}`);
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && session === undefined) return sendText(response, 404, 'There is no such session');
    if (request.method === 'POST') return this.#post(request, response, session);
    if (request.method === 'GET' && session !== undefined) return session.openStream(response);
    if (request.method === 'DELETE' && typeof id === 'string' && session !== undefined) {
      this.#sessions.delete(id);
      await session.close();
      return void response.writeHead(204).end();
    }
    response.setHeader('allow', 'POST');
    sendText(response, 405, 'Method not allowed: POST messages here');
  }

  async #post(request: IncomingMessage, response: ServerResponse, session: HttpClient | undefined): Promise<void> {
    const body = await readBody(request, response);
    if (body === undefined) return;
    const text = body.toString('utf8');
    const value = parse(text);
    const messages = (Array.isArray(value) ? value : [value]).filter(isRecord);
    if (messages.length === 0) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return void response.end(errorText(-32_700, 'Parse error: the body is no message'));
    }
    // A line of stdio is one message.
    const line = /[\r\n]/.test(text) ? JSON.stringify(value) : text;
    const requests = messages.filter(isRequest);
    const exchange: HttpExchange = { requests, response, hasSession: session !== undefined, headers: {} };
    if (session !== undefined) return session.send(line, exchange);
    if (!requests.some(({ method }) => method === 'initialize'))
      return (await this.#clientFor(requests)).send(line, exchange);
    const id = randomUUID();
    const client = await HttpClient.open(this.#open, () => this.#sessions.delete(id));
    this.#sessions.set(id, client);
    const [oldest, first] = [...this.#sessions][0] ?? [];
    if (this.#sessions.size > maxClients && oldest !== undefined) {
      this.#sessions.delete(oldest);
      void first?.close();
    }
    client.send(line, { ...exchange, hasSession: true, headers: { 'mcp-session-id': id } });
  }

  /** An upstream on which no request with one of these ids runs: clients without a session choose their ids on their own. */
  async #clientFor(requests: readonly Record<string, unknown>[]): Promise<HttpClient> {
    const free = this.#stateless.find((client) => client.isFree(requests));
    if (free !== undefined) return free;
    if (this.#stateless.length >= maxClients) throw new Error(`too many equal requests run: at most ${maxClients} can`);
    const opened = await HttpClient.open(this.#open, () => {
      this.#stateless = this.#stateless.filter((each) => each !== opened);
    });
    this.#stateless.push(opened);
    return opened;
  }
}
