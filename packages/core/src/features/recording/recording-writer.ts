import { isObject } from '../../jsonrpc/message.ts';
import { utf8Length } from '../../runtime/utf8-length.ts';
import {
  type RecordedMessage,
  type RecordedSender,
  type RecordingHead,
  recordingFormat,
  recordingVersion,
} from './format.ts';
import { mapReferences, progressTokenOf } from './message-references.ts';
import { type ParsedMessage, parseFrame } from './parse-frame.ts';
import { RequestIds } from './request-ids.ts';
import { safeStringify } from './safe-stringify.ts';
import { type MaskedHeaders, maskHeaders, maskLabel, maskMessage, maskUrl } from './secrets.ts';
import { maskText } from '../audit/redact.ts';

/** Options of `recordingWriter`. */
export interface RecordingWriterOptions {
  /** Writes one line, with its line break. */
  write(line: string): void;
  /** The version of the program that records. */
  version: string;
  /** A recording to continue. Default: a new one begins. */
  after?: RecordingEnd;
  /** Keeps secrets in messages. Those in headers and URLs are always masked. Default: they are masked. */
  keepSecrets?: boolean;
}

/** Where a recording ends. */
export interface RecordingEnd {
  readonly events: number;
  readonly connections: number;
  readonly exchanges: number;
}

/** The server of a recorded connection. */
export interface RecordedTarget {
  readonly kind: 'url' | 'command' | 'own';
  /** As typed. */
  readonly label: string;
}

/** Writes a recording: one event per line, in the format of the inspector. */
export interface RecordingWriter {
  /** Adds a connection. */
  connect(target: RecordedTarget): RecordedConnection;
}

/** A connection in a recording. */
export interface RecordedConnection {
  /** Adds a frame: a message, a batch, or garbage. */
  frame(from: RecordedSender, text: string, exchange?: RecordedExchange): void;
  /** Adds an HTTP request. */
  request(request: { method: string; url: string; headers: Iterable<readonly [string, string]> }): RecordedExchange;
}

/** An HTTP exchange in a recording. */
export interface RecordedExchange {
  readonly id: string;
  response(head: { status: number; headers: Iterable<readonly [string, string]> }): void;
  end(error?: string): void;
}

/** Headers that differ each time, and those of a single hop. */
const variableHeaders =
  /^(?:date|age|expires|last-modified|etag|connection|keep-alive|transfer-encoding|content-length|host|origin|traceparent|tracestate|baggage|last-event-id|x-request-id)$/i;

/** A request without an answer. */
interface OpenRequest {
  /** Its number among those of its side. */
  readonly number: number;
  readonly n: number;
  readonly method: string;
  readonly subject: string | undefined;
  readonly token: unknown;
}

/**
 * Records messages and HTTP exchanges. Equal sessions are recorded equally: events count time by their number, and requests of each
 * side are numbered from 1.
 */
export function recordingWriter({
  write,
  version,
  after,
  keepSecrets = false,
}: RecordingWriterOptions): RecordingWriter {
  let { events: last, connections, exchanges } = after ?? { events: 0, connections: 0, exchanges: 0 };
  const head: RecordingHead = {
    format: recordingFormat,
    version: recordingVersion,
    run: 'record',
    at: 0,
    inspector: version,
  };
  if (after === undefined) write(`${JSON.stringify(head)}\n`);

  function add(type: string, payload: object): number {
    last += 1;
    write(`${JSON.stringify({ n: last, at: last, type, ...payload })}\n`);
    return last;
  }

  return {
    connect({ kind, label }) {
      connections += 1;
      const id = `s${connections}`;
      const shown = maskLabel(label);
      const name = connections === 1 ? shown : `${shown} ${connections}`;
      const status = { is: 'closed', since: last + 1 };
      add('connection', { connection: { id, label: name, kind, detail: shown, settings: {}, status } });
      const messages = new MessageWriter(id, add, keepSecrets);
      return {
        frame: (from, text, exchange) => messages.frame(from, text, exchange?.id),
        request: ({ method, url, headers }) => {
          exchanges += 1;
          const exchange = `x${exchanges}`;
          const about = { exchange, method, url: maskUrl(url), headers: stableHeaders(headers), bytes: 0 };
          add('http-request', { connection: id, ...about });
          return {
            id: exchange,
            response: ({ status: code, headers: given }) =>
              void add('http-response', {
                exchange,
                status: code,
                statusText: '',
                headers: stableHeaders(given),
                ms: 0,
              }),
            end: (error) => void add('http-end', { exchange, ms: 0, bytes: 0, ...(error !== undefined && { error }) }),
          };
        },
      };
    },
  };
}

function stableHeaders(headers: Iterable<readonly [string, string]>): MaskedHeaders {
  return maskHeaders([...headers].filter(([name]) => !variableHeaders.test(name)));
}

/** Writes the messages of one connection, with ids by number. */
class MessageWriter {
  readonly #connection: string;
  readonly #add: (type: string, payload: object) => number;
  readonly #keepSecrets: boolean;
  readonly #open = { client: new RequestIds<OpenRequest>(), server: new RequestIds<OpenRequest>() };
  /** Numbers of requests by their progress tokens. */
  readonly #tokens = { client: new RequestIds<number>(), server: new RequestIds<number>() };
  readonly #counts = { client: 0, server: 0 };
  readonly #states = new RequestIds<number>();
  #stateCount = 0;

  constructor(connection: string, add: (type: string, payload: object) => number, keepSecrets: boolean) {
    this.#connection = connection;
    this.#add = add;
    this.#keepSecrets = keepSecrets;
  }

  frame(from: RecordedSender, text: string, exchange: string | undefined): void {
    for (const parsed of parseFrame(text)) this.#message(from, parsed, exchange);
  }

  #message(from: RecordedSender, parsed: ParsedMessage, exchange: string | undefined): void {
    const { kind, subject, value } = parsed;
    const asked = this.#answered(from, parsed);
    const known = asked?.method ?? parsed.method;
    const about = asked?.subject ?? subject;
    const number = kind === 'request' ? (this.#counts[from] += 1) : asked?.number;
    const id = number ?? parsed.id;
    const token = kind === 'request' ? progressTokenOf(parsed.params) : undefined;
    if (isObject(value)) this.#normalize(from, value, { id, number, token });
    const text = this.#toText(parsed);
    const message: RecordedMessage = {
      connection: this.#connection,
      from,
      kind,
      ...(id !== undefined && { id }),
      ...(known !== undefined && { method: known }),
      ...(about !== undefined && { subject: this.#keepSecrets ? about : maskText(about) }),
      ...(asked !== undefined && { answers: asked.n }),
      bytes: utf8Length(text),
      text,
      ...(exchange !== undefined && { exchange }),
    };
    const n = this.#add('message', message);
    if (kind !== 'request' || parsed.id === undefined || number === undefined || parsed.method === undefined) return;
    this.#open[from].set(parsed.id, { number, n, method: parsed.method, subject, token });
  }

  /** The request that a response answers. */
  #answered(from: RecordedSender, { kind, id }: ParsedMessage): OpenRequest | undefined {
    if ((kind !== 'result' && kind !== 'error') || id === undefined) return undefined;
    const asker = from === 'client' ? 'server' : 'client';
    const request = this.#open[asker].take(id);
    if (request !== undefined) this.#tokens[asker].take(request.token);
    return request;
  }

  /** Replaces ids by numbers, in place. */
  #normalize(
    from: RecordedSender,
    value: Record<string, unknown>,
    { id, number, token }: { id: string | number | undefined; number: number | undefined; token: unknown },
  ): void {
    if (id !== undefined) value.id = id;
    for (const holder of [value.params, value.result])
      if (isObject(holder) && typeof holder.requestState === 'string')
        holder.requestState = `state-${this.#numberOfState(holder.requestState)}`;
    if (number !== undefined && (typeof token === 'string' || typeof token === 'number')) {
      this.#tokens[from].set(token, number);
      (value.params as { _meta: Record<string, unknown> })._meta.progressToken = number;
    }
    mapReferences(from, value, {
      id: (sender, other) => this.#open[sender].get(other)?.number,
      token: (sender, other) => this.#tokens[sender].get(other),
    });
  }

  /** The state of a call that is repeated with answers: signed, so that it differs each time. */
  #numberOfState(state: string): number {
    const known = this.#states.get(state);
    if (known !== undefined) return known;
    this.#stateCount += 1;
    this.#states.set(state, this.#stateCount);
    return this.#stateCount;
  }

  #toText({ value, text }: ParsedMessage): string {
    if (value === undefined) return this.#keepSecrets ? text : maskText(text);
    try {
      return JSON.stringify(this.#keepSecrets ? value : maskMessage(value));
    } catch (error) {
      // Too deep to be searched for secrets.
      if (!(error instanceof RangeError)) throw error;
      return this.#keepSecrets ? safeStringify(value) : JSON.stringify('[nested too deeply to be recorded]');
    }
  }
}
