import type { HttpTap, HttpWatch, TappedRequest, TappedResponse } from '@ccmcp/core/client';
import { EventStreamParser } from '../../shared/event-stream.ts';
import type { ExchangeOwner } from '../../shared/http.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { maskBody, maskHeaders, maskUrl } from '../secrets.ts';
import { inCall } from './message-tracker.ts';
import { round, type Wire } from './message-tracker.ts';

/** So much of a body is kept that is no message. */
const longestBody = 65_536;
/** So many exchanges are remembered as those that led to a failure. */
const mostRecent = 20;

/** What an exchange belongs to, and who takes the messages in it. */
export interface ExchangeUse {
  readonly owner: ExchangeOwner;
  readonly wire?: Wire;
  /** Asked before a request is sent: it waits for this. */
  readonly ready?: (request: TappedRequest, exchange: string) => Promise<void> | undefined;
  /** Told when an answer begins. */
  readonly heard?: () => void;
  /** Told when an exchange is over. */
  readonly ended?: (request: TappedRequest, exchange: string, answer: EndedAnswer) => void;
}

/** What came of an exchange; the body without its secrets. */
export interface EndedAnswer {
  readonly status: number | undefined;
  readonly body: string;
  readonly challenge: string | undefined;
}

/** Sees the HTTP requests of one connection, examination or sign-in, and tells of them without their secrets. */
export class Exchanges {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #use: ExchangeUse;
  #recent: string[] = [];

  constructor(log: EventLog, ids: Ids, use: ExchangeUse) {
    this.#log = log;
    this.#ids = ids;
    this.#use = use;
  }

  readonly tap: HttpTap = { request: (sent) => this.#begin(sent) };

  /** The latest exchanges, oldest first. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Forgets the latest: what comes now is about something else. */
  forget(): void {
    this.#recent = [];
  }

  #begin(sent: TappedRequest): HttpWatch {
    const id = this.#ids.next('x');
    this.#recent = [...this.#recent, id].slice(-mostRecent);
    const { owner, wire, ready, heard, ended } = this.#use;
    const call = owner.call ?? inCall.getStore();
    const { method, url, headers, body } = sent;
    const isMessage = sent.about === 'messages' && wire !== undefined;
    this.#log.add('http-request', {
      ...owner,
      ...(call !== undefined && { call }),
      exchange: id,
      method,
      url: maskUrl(url),
      headers: maskHeaders(Object.entries(headers)),
      bytes: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body !== undefined && !isMessage && { body: maskBody(body.slice(0, longestBody)) }),
    });
    if (isMessage && body !== undefined) wire.saw('client', body, { id, call });
    const seen = new SeenAnswer(this.#log, { id, call, wire: isMessage ? wire : undefined });
    const waiting = ready?.(sent, id);
    return {
      ...(waiting && { ready: waiting }),
      response: (head) => {
        seen.head(head);
        heard?.();
      },
      data: (part) => seen.part(part),
      end: (error) => {
        const answer = seen.end(error);
        if (answer !== undefined) ended?.(sent, id, answer);
      },
    };
  }
}

/** One answer, as it comes. */
class SeenAnswer {
  readonly #log: EventLog;
  readonly #exchange: { readonly id: string; readonly call: string | undefined };
  readonly #wire: Wire | undefined;
  readonly #since = performance.now();
  readonly #decoder = new TextDecoder();
  #events: EventStreamParser | undefined;
  #bytes = 0;
  #body = '';
  #isJson = false;
  #isOver = false;
  #status: number | undefined;
  #challenge: string | undefined;

  constructor(log: EventLog, { id, call, wire }: { id: string; call: string | undefined; wire: Wire | undefined }) {
    this.#log = log;
    this.#exchange = { id, call };
    this.#wire = wire;
  }

  head({ status, statusText, headers }: TappedResponse): void {
    this.#status = status;
    this.#challenge = headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1];
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
    this.#isJson = type.startsWith('application/json');
    if (this.#wire !== undefined && type.startsWith('text/event-stream')) this.#events = new EventStreamParser();
    this.#log.add('http-response', {
      exchange: this.#exchange.id,
      status,
      statusText,
      headers: maskHeaders(headers),
      ms: this.#ms(),
    });
  }

  part(part: string | Uint8Array): void {
    const text = typeof part === 'string' ? part : this.#decoder.decode(part, { stream: true });
    this.#bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
    if (this.#events === undefined) {
      // A message comes as a whole, so this is one unless it is refused for its length.
      this.#body = this.#body === '' ? text : (this.#body + text).slice(0, longestBody);
      return;
    }
    for (const { event, data } of this.#events.push(text)) {
      if (event === 'message' && data !== '') this.#wire?.saw('server', data, this.#exchange);
    }
  }

  /** Tells of the end, once. */
  end(error: unknown): EndedAnswer | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const isMessage = this.#wire !== undefined && this.#isJson && this.#body.includes('"jsonrpc"');
    if (isMessage) this.#wire?.saw('server', this.#body, this.#exchange);
    const whole = isMessage ? '' : this.#body;
    const body = maskBody(whole.slice(0, longestBody));
    this.#body = '';
    this.#log.add('http-end', {
      exchange: this.#exchange.id,
      ms: this.#ms(),
      bytes: this.#bytes,
      ...(body !== '' && { body }),
      ...(whole.length > longestBody && { cut: true as const }),
      ...(error !== undefined && { error: reasonOf(error) }),
    });
    return { status: this.#status, body, challenge: this.#challenge };
  }

  #ms(): number {
    return round(performance.now() - this.#since);
  }
}

function reasonOf(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${message || code || 'The connection failed'}${inner}`;
}
