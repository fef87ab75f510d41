import type { ServerResponse } from 'node:http';
import { isRecord } from '../system/record.ts';
import { idKey, isRequest, type OpenUpstream, parse, type Upstream } from './upstream.ts';

/** A POST with messages, and its response. */
export interface HttpExchange {
  readonly requests: readonly Record<string, unknown>[];
  readonly response: ServerResponse;
  readonly hasSession: boolean;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A POST whose answers are to come. */
interface OpenExchange extends HttpExchange {
  /** Ids of its requests without an answer. */
  readonly waiting: Set<string>;
}

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
/** Maximum messages that wait for a stream of the client; the oldest are dropped. */
const maxBacklog = 1000;

/** The HTTP side of an upstream: assigns what it says to the responses of the client. */
export class HttpClient {
  #upstream: Upstream | undefined;
  readonly #open = new Set<OpenExchange>();
  #stream: ServerResponse | undefined;
  readonly #backlog: string[] = [];

  static async open(open: OpenUpstream, onClosed: () => void): Promise<HttpClient> {
    const client = new HttpClient();
    client.#upstream = await open({
      frame: (text) => client.#onFrame(text),
      closed(problem) {
        onClosed();
        client.#onClosed(problem);
      },
    });
    return client;
  }

  /** True if no request with one of these ids runs. */
  isFree(requests: readonly Record<string, unknown>[]): boolean {
    const keys = requests.map(({ id }) => idKey(id));
    return ![...this.#open].some(({ waiting }) => keys.some((key) => waiting.has(key)));
  }

  /** Passes messages on. Requests are answered later. */
  send(text: string, exchange: HttpExchange): void {
    const { requests, response, headers, hasSession } = exchange;
    if (requests.length === 0) {
      this.#upstream?.send(text);
      return void response.writeHead(202, headers).end();
    }
    const open: OpenExchange = { ...exchange, waiting: new Set(requests.map(({ id }) => idKey(id))) };
    this.#open.add(open);
    response.once('close', () => {
      if (!this.#open.delete(open) || hasSession) return;
      // Without a session, a client cancels by closing the connection.
      for (const { id } of requests.filter((each) => open.waiting.has(idKey(each.id)))) {
        const params = { requestId: id, reason: 'The client disconnected' };
        this.#upstream?.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
      }
    });
    this.#upstream?.send(text);
  }

  /** Opens the stream for messages that belong to no request. */
  openStream(response: ServerResponse): void {
    this.#stream?.end();
    this.#stream = response;
    startStream(response, {});
    response.once('close', () => {
      if (this.#stream === response) this.#stream = undefined;
    });
    for (const text of this.#backlog.splice(0)) writeEvent(response, text);
  }

  async close(): Promise<void> {
    await this.#upstream?.close();
    this.#onClosed();
  }

  #onClosed(problem = 'The server has ended'): void {
    for (const { response } of this.#open) {
      if (response.headersSent) response.end();
      else response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${problem}\n`);
    }
    this.#open.clear();
    this.#stream?.end();
  }

  #onFrame(text: string): void {
    const value = parse(text);
    const messages = (Array.isArray(value) ? value : [value]).filter(isRecord);
    const answered = messages.filter((message) => message.method === undefined).map(({ id }) => idKey(id));
    const exchange = this.#ofAnswer(answered) ?? this.#ofMessage(messages[0] ?? {});
    if (exchange === undefined) return this.#toStream(text);
    for (const key of answered) exchange.waiting.delete(key);
    const { response, headers, waiting, hasSession } = exchange;
    const isOver = waiting.size === 0;
    if (isOver) this.#open.delete(exchange);
    if (isOver && !response.headersSent) {
      const status = hasSession ? 200 : statelessStatus(messages);
      response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(text);
      return;
    }
    if (!response.headersSent) startStream(response, headers);
    writeEvent(response, text);
    if (isOver) response.end();
  }

  #ofAnswer(keys: readonly string[]): OpenExchange | undefined {
    return keys.length === 0 ? undefined : [...this.#open].find(({ waiting }) => keys.some((key) => waiting.has(key)));
  }

  /** The request that a message of the server is about, else the latest. */
  #ofMessage(message: Record<string, unknown>): OpenExchange | undefined {
    if (message.method === undefined && !isRequest(message)) return undefined;
    const params = isRecord(message.params) ? message.params : {};
    const meta = isRecord(params._meta) ? params._meta : {};
    const subscription = meta[subscriptionKey];
    if (subscription !== undefined) return this.#ofAnswer([idKey(subscription)]);
    const all = [...this.#open];
    const token = message.method === 'notifications/progress' ? params.progressToken : undefined;
    const ofToken =
      token === undefined ? undefined : all.find(({ requests }) => requests.some((each) => hasToken(each, token)));
    return ofToken ?? all.findLast(({ requests }) => requests.some(({ method }) => method !== 'subscriptions/listen'));
  }

  #toStream(text: string): void {
    if (this.#stream !== undefined) return writeEvent(this.#stream, text);
    this.#backlog.push(text);
    if (this.#backlog.length > maxBacklog) this.#backlog.shift();
  }
}

function hasToken({ params }: Record<string, unknown>, token: unknown): boolean {
  const meta = isRecord(params) ? params._meta : undefined;
  return isRecord(meta) && meta.progressToken === token;
}

function startStream(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function writeEvent(response: ServerResponse, text: string): void {
  response.write(`event: message\ndata: ${text}\n\n`);
}

/** The status of an error without a session, which concerns the HTTP request too. */
function statelessStatus([first]: readonly Record<string, unknown>[]): number {
  const code = isRecord(first?.error) ? first.error.code : undefined;
  if (code === -32_601) return 404;
  return code === -32_020 || code === -32_021 || code === -32_022 ? 400 : 200;
}
