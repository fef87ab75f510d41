import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { limits, ProtocolError } from '@ccmcp/core';
import { AuthError, checkValue, ConnectionError, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import type { Hello } from '../../shared/events.ts';
import type { ListKind } from '../../shared/lists.ts';
import { listKinds } from '../connections/lists.ts';
import { harOf } from '../files/har.ts';
import { sessionLines } from '../files/session-lines.ts';
import type { InspectorParts } from '../parts.ts';
import { handlers } from '../requests/handlers.ts';
import { Refusal } from '../targets.ts';
import { strangers, unauthorized } from './guard.ts';
import { isOfOtherUser } from './other-user.ts';
import type { PageFiles } from './page-files.ts';
import { readBody } from './read-body.ts';
import { dataHeaders, sendFailure, sendJson } from './respond.ts';
import { streamEvents } from './stream-events.ts';
import type { ViewSandboxes } from './view-sandboxes.ts';

/** What requests over HTTP are served with. */
export interface Site {
  readonly parts: InspectorParts;
  readonly page: PageFiles;
  readonly sandboxes: ViewSandboxes;
  readonly token: string;
  hello(): Hello;
}

const mostStreams = limits.inspector.streams.value;

/** Serves the page, its events and its requests over HTTP, to nobody but the page on this machine. */
export class Routes {
  readonly #site: Site;
  readonly #streams = new Set<ServerResponse>();

  constructor(site: Site) {
    this.#site = site;
  }

  /** Serves a request; `path` is what follows the address of the inspector, without a slash before it. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams): Promise<void> {
    try {
      const stranger = strangers(request);
      if (stranger !== undefined) return sendFailure(response, stranger.status, stranger.says);
      if (!path.startsWith('api/')) return await this.#sendPage(request, response, path);
      const refused = unauthorized(request, this.#site.token);
      if (refused !== undefined) return sendFailure(response, refused.status, refused.says);
      if (await isOfOtherUser(request.socket))
        return sendFailure(response, 403, 'The inspector is for the user who started it');
      const [name = '', ...rest] = path.slice('api/'.length).split('/');
      if (request.method === 'POST') await this.#post(request, response, path.slice('api/'.length));
      else if (request.method !== 'GET') sendFailure(response, 405, 'Use GET or POST');
      else if (name === 'events') await this.#events(request, response, query);
      else await this.#get(response, name, rest, query);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      if (error instanceof Refusal) sendFailure(response, error.status, error.message, error.advice);
      else sendFailure(response, isServerFailure(error) ? 502 : 500, describe(error));
    }
  }

  /** Ends what pages read. */
  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  async #sendPage(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendFailure(response, 405, 'Use GET');
    const gzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    // What frames the page may show is said when it is opened.
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
    if (wrong !== undefined) throw new Refusal(`The request is not as it should be: ${wrong.path} ${wrong.message}`);
    sendJson(response, await handler.run(asked as never, this.#site.parts));
  }

  async #events(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (this.#streams.size >= mostStreams)
      return sendFailure(response, 503, `${mostStreams} pages are open already`, 'Close some.');
    // Who has left meanwhile tells nobody of it any more.
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
    const [first = '', second = ''] = rest.map(decodePart);
    if (name === 'messages') return sendJson(response, wholeMessage(log, Number(first)));
    if (name === 'calls') return sendJson(response, calls.whole(first));
    if (name === 'lists' && listKinds.includes(second as ListKind)) {
      const version = query.get('version');
      const entries = connections
        .get(first)
        .lists.entries(second as ListKind, version === null ? undefined : Number(version));
      if (entries === undefined)
        throw new Refusal('This list is not known', 'It has not been loaded yet, or long ago.', 404);
      return sendJson(response, entries);
    }
    if (name === 'har') return sendJson(response, harOf(log, version));
    if (name === 'recordings') return sendLines(response, recorder.read(first));
    if (name === 'sessions') {
      const { id } = connections.get(first);
      return sendLines(response, linesOf(sessionLines(log, connections.listed, { connection: id, version })));
    }
    sendFailure(response, 404, 'There is nothing at this address');
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal('The address has a malformed percent sequence');
  }
}

const serverFailures = [ProtocolError, AuthError, ConnectionError, HttpError, ResultError, TimeoutError];

/** True where the server that is inspected failed, and not the inspector. */
function isServerFailure(error: unknown): boolean {
  return serverFailures.some((kind) => error instanceof kind);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Sends lines of JSON as fast as the page takes them. */
function sendLines(response: ServerResponse, lines: Readable): void {
  response.writeHead(200, { ...dataHeaders, 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  lines.on('error', () => response.destroy()).pipe(response);
}

function linesOf(lines: Iterable<string>): Readable {
  return Readable.from(withEnds(lines));
}

function* withEnds(lines: Iterable<string>): Generator<string, void, undefined> {
  for (const line of lines) yield `${line}\n`;
}

function wholeMessage(log: InspectorParts['log'], n: number): { text: string; cut?: true } {
  const kept = log.texts.get(n);
  if (kept !== undefined) return kept;
  const event = JSON.parse(log.at(n) ?? 'null') as { type?: string; text?: string; cut?: true } | null;
  if (event?.type !== 'message' || event.text === undefined) {
    throw new Refusal('This message is not known any more', 'Older ones are given up to bound memory.', 404);
  }
  return { text: event.text, ...(event.cut && { cut: true }) };
}
