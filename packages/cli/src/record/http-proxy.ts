import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { HttpAuth } from '@ccmcp/core/client';
import {
  parseEvents,
  type RecordedConnection,
  type RecordedExchange,
  type RecordingWriter,
} from '@ccmcp/core/recording';
import { isRecord } from '../system/record.ts';
import { maxMessage } from './command-upstream.ts';
import { readBody, sendText } from './http-listener.ts';
import { parse } from './upstream.ts';

/** Options of an `HttpProxy`. */
export interface HttpProxyOptions {
  readonly target: URL;
  /** As typed. */
  readonly label: string;
  readonly writer: RecordingWriter;
  /** Headers that every request gets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: HttpAuth | undefined;
}

/** Headers of one hop. */
const hopHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|accept-encoding|content-length)$/i;

/** A request of the client. */
interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Passes HTTP requests to a server and its responses back, unchanged, and records the messages in them. */
export class HttpProxy {
  readonly #options: HttpProxyOptions;
  readonly #connections = new Map<string, RecordedConnection>();
  /** Connections of clients without a session id whose handshake was seen. */
  readonly #introduced = new WeakSet<RecordedConnection>();

  constructor(options: HttpProxyOptions) {
    this.#options = options;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((error: unknown) => {
      const { message, code } = error as NodeJS.ErrnoException;
      if (response.headersSent) response.destroy();
      else sendText(response, 502, `No answer of the server: ${message || String(code)}`);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, response);
    if (body === undefined) return;
    const { method = 'GET', headers, url: path = '/' } = request;
    const incoming = { method, path, headers, body };
    const session = headers['mcp-session-id'];
    const connection = this.#connectionOf(typeof session === 'string' ? session : '', body);
    const { target } = this.#options;
    const url = new URL(path, target);
    if (url.origin !== target.origin) return sendText(response, 400, 'The path of the request is no path');
    const exchange = connection.request({ method, url: url.href, headers: plainHeaders(headers) });
    if (body.length > 0) connection.frame('client', body.toString('utf8'), exchange);
    try {
      const answer = await this.#send(url, incoming, response);
      const answered = answer.headers['mcp-session-id'];
      if (typeof answered === 'string' && !this.#connections.has(answered)) this.#connections.set(answered, connection);
      await pass(answer, response, { connection, exchange });
      exchange.end();
    } catch (error) {
      exchange.end((error as Error).message);
      throw error;
    }
  }

  /** The connection of a request: of its session, else the latest one; a second handshake begins another. */
  #connectionOf(session: string, body: Buffer): RecordedConnection {
    const isIntroduction = session === '' && isHandshake(body);
    const known = this.#connections.get(session);
    const isKnown = known !== undefined && !(isIntroduction && this.#introduced.has(known));
    const connection = isKnown ? known : this.#connect(session);
    if (isIntroduction) this.#introduced.add(connection);
    return connection;
  }

  #connect(session: string): RecordedConnection {
    const { label, writer } = this.#options;
    const connection = writer.connect({ kind: 'url', label });
    this.#connections.set(session, connection);
    return connection;
  }

  /** Sends a request, again if its credentials could be renewed. */
  async #send(url: URL, incoming: Incoming, response: ServerResponse): Promise<IncomingMessage> {
    const { auth } = this.#options;
    const own = incoming.headers.authorization === undefined ? auth : undefined;
    const { method } = incoming;
    const credentials = await own?.headers({ url: url.href, method });
    const answer = await this.#sendOnce(url, incoming, { response, credentials });
    if (own === undefined || answer.statusCode !== 401) return answer;
    const wwwAuthenticate = answer.headers['www-authenticate'];
    const isRenewed = await own
      .unauthorized({ status: 401, wwwAuthenticate, url: url.href, sent: credentials })
      .catch(() => false);
    if (!isRenewed) return answer;
    answer.resume();
    return this.#sendOnce(url, incoming, { response, credentials: await own.headers({ url: url.href, method }) });
  }

  async #sendOnce(
    url: URL,
    { method, headers, body }: Incoming,
    { response, credentials }: { response: ServerResponse; credentials: Record<string, string> | undefined },
  ): Promise<IncomingMessage> {
    const passed = plainHeaders(headers).filter(([name]) => !hopHeaders.test(name));
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: {
        ...Object.fromEntries(passed),
        ...this.#options.headers,
        ...credentials,
        'accept-encoding': 'identity',
        ...(body.length > 0 && { 'content-length': body.length }),
      },
    });
    response.once('close', () => sent.destroy());
    const answered = once(sent, 'response');
    sent.end(body);
    const [answer] = (await answered) as [IncomingMessage];
    return answer;
  }
}

function isHandshake(body: Buffer): boolean {
  const value = parse(body.toString('utf8'));
  return (Array.isArray(value) ? value : [value]).some((each) => isRecord(each) && each.method === 'initialize');
}

function plainHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
}

/** Passes a response on, and records it: a message before the client has it. */
async function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  { connection, exchange }: { connection: RecordedConnection; exchange: RecordedExchange },
): Promise<void> {
  const status = answer.statusCode ?? 502;
  const headers = rawHeaders(answer).filter(([name]) => !/^(?:connection|keep-alive|transfer-encoding)$/i.test(name));
  exchange.response({ status, headers });
  const type = answer.headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    response.writeHead(status, headers.flat());
    response.flushHeaders();
    await passStream(answer, response, (data) => connection.frame('server', data, exchange));
  } else {
    const isJson = type.startsWith('application/json');
    const body = isJson ? await readStart(answer) : Buffer.alloc(0);
    const text = body.length > maxMessage ? '' : body.toString('utf8');
    if (text.includes('"jsonrpc"')) connection.frame('server', text, exchange);
    response.writeHead(status, headers.flat());
    if (body.length > 0) response.write(body);
    if (answer.readableEnded) response.end();
    else await pipeline(answer, response);
  }
}

/** Reads a body, or the start of one that is too long to be a message. */
async function readStart(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxMessage) break;
  }
  return Buffer.concat(chunks);
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

/** Passes a stream on. Its parser asks for the next part when the events of a part are recorded: then the part is passed on. */
async function passStream(
  answer: IncomingMessage,
  response: ServerResponse,
  record: (data: string) => void,
): Promise<void> {
  const parts = (answer as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  async function* passing(): AsyncGenerator<Buffer, void, undefined> {
    for (let part = await parts.next(); part.done !== true; part = await parts.next()) {
      yield part.value;
      if (!response.write(part.value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  }
  for await (const { event, data } of parseEvents(passing(), maxMessage))
    if (event === 'message' && data !== undefined) record(data);
  response.end();
}
