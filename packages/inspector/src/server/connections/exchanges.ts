import type { HttpTap, HttpWatch, TappedRequest, TappedResponse } from '@ccmcp/core/client';
import { EventStreamParser } from '../../shared/event-stream.ts';
import type { ExchangeOwner } from '../../shared/messages.ts';
import { type EventLog, type IdGenerator, roundMs } from '../log/event-log.ts';
import { maskBody, maskHeaders, maskUrl } from '@ccmcp/core/recording';
import { currentCall, type MessageTracker } from './message-tracker.ts';

/** Maximum stored length of a body that is no message. */
const maxBodyLength = 65_536;
/** Number of recent exchanges to attach to a failure. */
const maxRecent = 20;

/** Owner of the exchanges, and receivers of their messages. */
export interface ExchangeOptions {
  readonly owner: ExchangeOwner;
  readonly tracker?: MessageTracker;
  /** Delays a request until this resolves. */
  readonly ready?: (request: TappedRequest, exchange: string) => Promise<void> | undefined;
  /** Called when a response starts. */
  readonly onResponse?: () => void;
  /** Called when an exchange ends. */
  readonly ended?: (request: TappedRequest, exchange: string, answer: ExchangeResult) => void;
}

/** Result of an exchange, with a masked body. */
export interface ExchangeResult {
  readonly status: number | undefined;
  readonly body: string;
  readonly challenge: string | undefined;
}

/** Logs the HTTP exchanges of a connection, doctor run or sign-in, with secrets masked. */
export class Exchanges {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #use: ExchangeOptions;
  #recent: string[] = [];

  constructor(log: EventLog, ids: IdGenerator, use: ExchangeOptions) {
    this.#log = log;
    this.#ids = ids;
    this.#use = use;
  }

  readonly tap: HttpTap = { request: (sent) => this.#begin(sent) };

  /** Latest exchanges, oldest first. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Clears the latest exchanges. */
  clearRecent(): void {
    this.#recent = [];
  }

  #begin(sent: TappedRequest): HttpWatch {
    const id = this.#ids.next('x');
    this.#recent = [...this.#recent, id].slice(-maxRecent);
    const { owner, tracker, ready, onResponse, ended } = this.#use;
    const call = owner.call ?? currentCall.getStore();
    const { method, url, headers, body } = sent;
    const isMessage = sent.about === 'messages' && tracker !== undefined;
    this.#log.add('http-request', {
      ...owner,
      ...(call !== undefined && { call }),
      exchange: id,
      method,
      url: maskUrl(url),
      headers: maskHeaders(Object.entries(headers)),
      bytes: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body !== undefined && !isMessage && { body: maskBody(body.slice(0, maxBodyLength)) }),
    });
    if (isMessage && body !== undefined) tracker.onFrame('client', body, { id, call });
    const seen = new ResponseRecorder(this.#log, { id, call, tracker: isMessage ? tracker : undefined });
    const waiting = ready?.(sent, id);
    return {
      ...(waiting && { ready: waiting }),
      response: (head) => {
        seen.head(head);
        onResponse?.();
      },
      data: (part) => seen.part(part),
      end: (error) => {
        const answer = seen.end(error);
        if (answer !== undefined) ended?.(sent, id, answer);
      },
    };
  }
}

/** Records one response. */
class ResponseRecorder {
  readonly #log: EventLog;
  readonly #exchange: { readonly id: string; readonly call: string | undefined };
  readonly #tracker: MessageTracker | undefined;
  readonly #since = performance.now();
  readonly #decoder = new TextDecoder();
  #events: EventStreamParser | undefined;
  #bytes = 0;
  #body = '';
  #isJson = false;
  #isOver = false;
  #status: number | undefined;
  #challenge: string | undefined;

  constructor(
    log: EventLog,
    { id, call, tracker }: { id: string; call: string | undefined; tracker: MessageTracker | undefined },
  ) {
    this.#log = log;
    this.#exchange = { id, call };
    this.#tracker = tracker;
  }

  head({ status, statusText, headers }: TappedResponse): void {
    this.#status = status;
    this.#challenge = headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1];
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
    this.#isJson = type.startsWith('application/json');
    if (this.#tracker !== undefined && type.startsWith('text/event-stream')) this.#events = new EventStreamParser();
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
      // A message arrives in one piece, unless it exceeds the limit.
      this.#body = this.#body === '' ? text : (this.#body + text).slice(0, maxBodyLength);
      return;
    }
    for (const { event, data } of this.#events.push(text)) {
      if (event === 'message' && data !== '') this.#tracker?.onFrame('server', data, this.#exchange);
    }
  }

  /** Logs the end, once. */
  end(error: unknown): ExchangeResult | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const isMessage = this.#tracker !== undefined && this.#isJson && this.#body.includes('"jsonrpc"');
    if (isMessage) this.#tracker?.onFrame('server', this.#body, this.#exchange);
    const whole = isMessage ? '' : this.#body;
    const body = maskBody(whole.slice(0, maxBodyLength));
    this.#body = '';
    this.#log.add('http-end', {
      exchange: this.#exchange.id,
      ms: this.#ms(),
      bytes: this.#bytes,
      ...(body !== '' && { body }),
      ...(whole.length > maxBodyLength && { truncated: true as const }),
      ...(error !== undefined && { error: errorReason(error) }),
    });
    return { status: this.#status, body, challenge: this.#challenge };
  }

  #ms(): number {
    return roundMs(performance.now() - this.#since);
  }
}

function errorReason(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${message || code || 'The connection failed'}${inner}`;
}
