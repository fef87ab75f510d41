import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ProtocolError } from '@ccmcp/core';
import { AuthError, checkValue, ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import type { Hello } from '../../shared/events.ts';
import { tryParseJson } from '../../shared/json.ts';
import { type ListKind, listKinds } from '../../shared/lists.ts';
import type { InspectorContext } from '../context.ts';
import { createHar } from '../files/har.ts';
import { serializeSession } from '../files/recording-format.ts';
import { handlers } from '../requests/handlers.ts';
import { RequestError } from '../targets.ts';
import { rejectRemote, rejectUnauthorized } from './guard.ts';
import { isOtherUser } from './other-user.ts';
import type { PageFiles } from './page-files.ts';
import { dataHeaders, sendFailure, sendJson } from './respond.ts';
import type { ViewSandboxes } from './view-sandboxes.ts';
import type { EventLog } from '../log/event-log.ts';

/** Dependencies of the routes. */
export interface RouteContext {
  readonly parts: InspectorContext;
  readonly page: PageFiles;
  readonly sandboxes: ViewSandboxes;
  readonly token: string;
  hello(): Hello;
}

/** Maximum number of pages that are open at a time. */
const maxStreams = 50;

/** Serves the page, its events and its requests over HTTP, to local clients with the token. */
export class Routes {
  readonly #site: RouteContext;
  readonly #streams = new Set<ServerResponse>();

  constructor(site: RouteContext) {
    this.#site = site;
  }

  /** Serves a request; `path` is relative to the inspector's URL, without a leading slash. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams): Promise<void> {
    try {
      const remote = rejectRemote(request);
      if (remote !== undefined) return sendFailure(response, remote.status, remote.message);
      if (!path.startsWith('api/')) return await this.#sendPage(request, response, path);
      const rejected = rejectUnauthorized(request, this.#site.token);
      if (rejected !== undefined) return sendFailure(response, rejected.status, rejected.message);
      if (await isOtherUser(request.socket))
        return sendFailure(response, 403, 'The inspector is for the user who started it');
      const [name = '', ...rest] = path.slice('api/'.length).split('/');
      if (request.method === 'POST') await this.#post(request, response, path.slice('api/'.length));
      else if (request.method !== 'GET') sendFailure(response, 405, 'Use GET or POST');
      else if (name === 'events') await this.#events(request, response, query);
      else await this.#get(response, name, rest, query);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      if (error instanceof RequestError) sendFailure(response, error.status, error.message, error.advice);
      else sendFailure(response, isServerError(error) ? 502 : 500, errorMessage(error));
    }
  }

  /** Ends the event streams. */
  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  async #sendPage(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendFailure(response, 405, 'Use GET');
    const gzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    // The CSP of the document names the sandbox origin.
    const sandbox = path === '' ? await this.#site.sandboxes.urlFor(request.socket.localPort) : undefined;
    await this.#site.page.send(response, path, { gzipped, sandbox });
  }

  async #post(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) return sendFailure(response, 404, `There is no request "${name.slice(0, 40)}"`);
    const asked = await readBody(request);
    const checked = await checkValue(handler.schema, asked);
    if ('unusable' in checked) throw new Error(checked.unusable);
    const [wrong] = checked.problems;
    if (wrong !== undefined)
      throw new RequestError(`The request is not as it should be: ${wrong.path} ${wrong.message}`);
    sendJson(response, await handler.run(asked as never, this.#site.parts));
  }

  async #events(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (this.#streams.size >= maxStreams)
      return sendFailure(response, 503, `${maxStreams} pages are open already`, 'Close some.');
    // A destroyed socket emits no further close event.
    if (request.socket.destroyed) return;
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
    const lastId = request.headers['last-event-id'];
    const after = query.get('after') ?? (typeof lastId === 'string' ? lastId : undefined);
    const sandbox = await this.#site.sandboxes.urlFor(request.socket.localPort);
    const hello = { ...this.#site.hello(), ...(sandbox !== undefined && { sandbox }) };
    if (!response.destroyed) streamEvents(request, response, { log: this.#site.parts.log, hello, after });
  }

  async #get(response: ServerResponse, name: string, rest: readonly string[], query: URLSearchParams): Promise<void> {
    const { log, calls, connections, recorder, version } = this.#site.parts;
    const [first = '', second = ''] = rest.map(decodeSegment);
    if (name === 'messages') return sendJson(response, fullMessage(log, Number(first)));
    if (name === 'calls') return sendJson(response, calls.full(first));
    if (name === 'lists' && listKinds.includes(second as ListKind)) {
      const version = query.get('version');
      const entries = connections
        .get(first)
        .lists.entries(second as ListKind, version === null ? undefined : Number(version));
      if (entries === undefined)
        throw new RequestError('This list is not known', 'It has not been loaded yet, or long ago.', 404);
      return sendJson(response, entries);
    }
    if (name === 'har') return sendJson(response, createHar(log, version));
    if (name === 'recordings') return sendLines(response, recorder.read(first));
    if (name === 'sessions') {
      const { id } = connections.get(first);
      return sendLines(response, toStream(serializeSession(log, connections.findEntries, { connection: id, version })));
    }
    sendFailure(response, 404, 'There is nothing at this address');
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RequestError('The URL has a malformed percent escape');
  }
}

const serverErrors = [ProtocolError, AuthError, ConnectionError, HttpError, ResultError, TimeoutError];

/** Checks whether the inspected server failed, not the inspector. */
function isServerError(error: unknown): boolean {
  return serverErrors.some((kind) => error instanceof kind);
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Streams lines of JSON with backpressure. */
function sendLines(response: ServerResponse, lines: Readable): void {
  response.writeHead(200, { ...dataHeaders, 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  lines.on('error', () => response.destroy()).pipe(response);
}

function toStream(lines: Iterable<string>): Readable {
  return Readable.from(addNewlines(lines));
}

function* addNewlines(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) yield `${line}\n`;
}

function fullMessage(log: InspectorContext['log'], n: number): { text: string; truncated?: true } {
  const kept = log.texts.get(n);
  if (kept !== undefined) return kept;
  const event = JSON.parse(log.at(n) ?? 'null') as { type?: string; text?: string; truncated?: true } | null;
  if (event?.type !== 'message' || event.text === undefined) {
    throw new RequestError('This message is no longer stored', 'Older messages are dropped to limit memory.', 404);
  }
  return { text: event.text, ...(event.truncated && { truncated: true }) };
}

/** Maximum size of a request of the page, in bytes. */
const maxBodyBytes = 16 * 1024 * 1024;
/** Maximum nesting depth of a request. */
const maxDepth = 1000;

/** Reads a JSON body, with limits on size and depth. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new RequestError('The body must be application/json', undefined, 415);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new RequestError(`The body is longer than ${maxBodyBytes} bytes`, undefined, 413);
    chunks.push(chunk);
  }
  const value = tryParseJson(Buffer.concat(chunks).toString('utf8'));
  if (value === undefined) throw new RequestError('The body is not JSON');
  if (isDeeperThan(value, maxDepth)) throw new RequestError(`The body is nested deeper than ${maxDepth} levels`);
  return value;
}

/** Checks whether a JSON value has more levels; serializing such a value would overflow the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

const keepAliveMs = 15_000;
/** Maximum length of one write. */
const maxChunkLength = 65_536;

/** Streams events to a page, resuming after its last event. Backpressure pauses it; the log is the only buffer. */
function streamEvents(
  request: IncomingMessage,
  response: ServerResponse,
  { log, hello, after }: { log: EventLog; hello: Hello; after: string | undefined },
): void {
  const [run, number = ''] = (after ?? '').split('.');
  let last = run === log.run && /^\d{1,15}$/.test(number) ? Number(number) : 0;
  let unwake = (): void => {};
  let isWriting = false;

  response.writeHead(200, { ...dataHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: 1000\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`);

  const write = (): void => {
    if (isWriting || response.destroyed || response.writableEnded) return;
    isWriting = true;
    unwake();
    let text = '';
    for (const { n, json } of log.after(last)) {
      last = n;
      text += `id: ${log.run}.${n}\ndata: ${json}\n\n`;
      if (text.length >= maxChunkLength) break;
    }
    const isFull = text !== '' && !response.write(text);
    isWriting = false;
    if (isFull) response.once('drain', write);
    else if (last < log.last) setImmediate(write);
    else unwake = log.wake(() => setImmediate(write));
  };
  const alive = setInterval(() => response.writableEnded || response.write(':\n\n'), keepAliveMs).unref();
  const end = (): void => {
    clearInterval(alive);
    unwake();
  };
  request.once('close', end);
  response.once('close', end);
  write();
}
