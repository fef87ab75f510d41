import { encode, type Message, type Response } from '../../../../jsonrpc/message.ts';
import { type EncodedResponse, encodeResponses } from '../../../../server/call/encode-responses.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Entrance, Origin } from '../../../../server/exchange.ts';
import type { Rated, RateCounter } from '../../../../server/quotas/rate-limit.ts';
import type { Store } from '../../../../stores/store.ts';
import { EventLog, streamId } from '../streams/event-log.ts';
import { retryHint, retryMs } from '../streams/event.ts';
import { type Endpoint, originOf, type Visit } from '../endpoint/endpoint.ts';
import { entranceOf, scopesStatus } from '../endpoint/entrance.ts';
import { later, laterStatus, type Refusal, refuse, withHeaders } from '../answer/refusal.ts';
import { type CountedRate, rateFields } from '../answer/rate-fields.ts';
import type { HttpHeaders } from '../bindings/binding.ts';
import { limits } from '../../../../limits.ts';
import { noHeaders, sendEmpty, sendJson } from '../answer/send.ts';
import { type Stream, weightOf } from '../streams/streams.ts';

const longAnswer = limits.http.longAnswer.value;
const served: Pick<Refusal, 'status' | 'headers'> = { status: 200 };

/** How one POST is answered. */
export interface ReplyOptions {
  /** The session, where the stream can be taken up again after its connection broke. */
  session?: string | undefined;
  /** Whether a stream begins with an event that has an id but no data. */
  primes?: boolean | undefined;
  /** It answers several requests, so that its status can say nothing about one of them. */
  batch?: boolean;
  /** The status of an answer that needs no stream. Default: 200 for all. */
  statusOf?: (response: Response) => number;
}

/**
 * The answer to one POST: a plain JSON body, unless something must be told before the result is there; then a stream of
 * events, of which the result is the last.
 */
export class Reply {
  readonly #endpoint: Endpoint;
  readonly #visit: Visit;
  readonly #options: ReplyOptions;
  #stream: Stream | undefined;
  #log: EventLog | undefined;
  #done = false;
  #rates: CountedRate[] | undefined;

  constructor(endpoint: Endpoint, visit: Visit, options: ReplyOptions) {
    this.#endpoint = endpoint;
    this.#visit = visit;
    this.#options = options;
  }

  /** Takes note of how a call was counted, for the headers. */
  rated(counter: RateCounter, rated: Rated): void {
    if (this.#rates === undefined) {
      this.#rates = [{ counter, rated }];
      return;
    }
    // Those of a batch are counted one by one: the last count is told.
    const known = this.#rates.findIndex((each) => each.counter === counter);
    if (known === -1) this.#rates.push({ counter, rated });
    else this.#rates[known] = { counter, rated };
  }

  /** The headers that every answer carries, and those of rate limits. */
  get #headers(): HttpHeaders {
    const { headers } = this.#visit;
    if (this.#rates === undefined) return headers;
    const fields = rateFields(this.#rates);
    return headers === noHeaders ? fields : [...headers, ...fields];
  }

  /** Which way the request came. */
  get origin(): Origin {
    return originOf(this.#visit, this.#options.session);
  }

  /** How its caller says who they are, and is told what they lack. */
  get entrance(): Entrance {
    const isTold = (): boolean => this.#stream !== undefined || this.#options.batch === true;
    return entranceOf(this.#endpoint, this.#visit, isTold);
  }

  /** What instances share. */
  get store(): Store {
    return this.#endpoint.store;
  }

  /** True where the client reads streams. */
  get mayStream(): boolean {
    return this.#visit.accepts.events;
  }

  /** True where something can be told before the result. */
  get streams(): boolean {
    return this.#stream !== undefined || (this.mayStream && this.#visit.usage.full('streams') === undefined);
  }

  /** The id of the stream, where it can be taken up again. */
  get streamId(): string | undefined {
    return this.#log?.stream;
  }

  get crowded(): boolean {
    return this.#stream !== undefined && (this.#stream.crowded || this.#log?.crowded === true);
  }

  /** Has something done before the answer goes out together with others; false where it will go out by itself. */
  beforeAnswer(write: () => void): boolean {
    const { accepts, responder } = this.#visit;
    return this.#stream === undefined && accepts.json && responder.beforeSend?.(write) === true;
  }

  /** Tells something before the result; lost where there can be no stream. */
  tell(message: Message): void {
    if (this.#done || !this.streams) return;
    this.#open(retryMs());
    const event = { data: encode(message), weight: weightOf(message, this.#endpoint.server.methods) };
    if (this.#log === undefined) this.#stream?.send(event);
    else this.#log.add(event, this.#stream);
  }

  /** Gives the result: the end of the answer. Resolved when it is on its way. */
  finish(response: Response | EncodedResponse[]): Awaitable<void> {
    this.#done = true;
    const json = encodeResponses(this.#endpoint.server, response);
    if (this.#stream === undefined) {
      const { status, headers } = this.#statusOf(response);
      const to = this.#rates === undefined ? this.#visit : { responder: this.#visit.responder, headers: this.#headers };
      if (headers !== undefined) return sendJson(withHeaders(to, headers), status, json);
      if (json.length > longAnswer && this.#isTooMuch(response)) return this.#refuse(response);
      if (this.#visit.accepts.json || status !== 200) return sendJson(to, status, json);
      this.#open(retryMs());
    }
    return this.#end(json);
  }

  /** There is no result, because the request was cancelled. */
  abandon(): Awaitable<void> {
    this.#done = true;
    if (this.#stream === undefined) return sendEmpty(this.#visit, 202);
    return this.#end();
  }

  /** Lets the client go without ending the answer: it comes back for the rest. */
  async letGo(retryMs: number): Promise<void> {
    if (this.#done || !this.streams || !this.#options.primes) return;
    const begun = this.#stream;
    this.#open(retryMs);
    await this.#log?.settled();
    begun?.write(retryHint(retryMs));
    this.detach();
  }

  /** The stream is served by another connection from now on, or will be: what comes is only kept. */
  detach(): void {
    this.#stream?.end();
  }

  /** True where there is no room for a long answer. The next one like it need not be made then. */
  #isTooMuch(response: Response | EncodedResponse[]): boolean {
    const { request, batch } = this.#visit;
    const { memory, server } = this.#endpoint;
    if (request !== undefined) memory.longAnswers.note(request, server.methods);
    if (batch !== undefined && Array.isArray(response)) {
      const long = new Set(response.filter(({ json }) => json.length > longAnswer).map(({ id }) => id));
      for (const each of batch) if (long.has(each.id)) memory.longAnswers.note(each, server.methods);
    }
    return memory.outgoing.full;
  }

  /** The answer is there, but there is no room to let it wait for its reader. */
  #refuse(response: Response | EncodedResponse[]): void {
    const id = Array.isArray(response) ? undefined : response.id;
    this.#visit.usage.refused('busy', 'server');
    const refusal = later('Server busy: too many answers wait for their clients to read them', 1);
    return refuse(this.#visit, { ...refusal, ...(id !== undefined && { id }) });
  }

  #statusOf(response: Response | EncodedResponse[]): Pick<Refusal, 'status' | 'headers'> {
    if (Array.isArray(response) || !('error' in response)) return served;
    const other = laterStatus(response) ?? scopesStatus(this.#endpoint, this.#visit, response.error);
    if (other !== undefined) return other;
    const { statusOf } = this.#options;
    return statusOf === undefined ? served : { status: statusOf(response) };
  }

  #open(retry: number): void {
    if (this.#stream !== undefined) return;
    const { session, primes } = this.#options;
    const { responder, usage } = this.#visit;
    this.#stream = this.#endpoint.streams.open({ responder, usage, headers: this.#headers });
    if (session === undefined) return;
    this.#log = new EventLog(this.#endpoint, session, streamId('reply'));
    if (primes) this.#log.add({ retry }, this.#stream);
  }

  #end(data?: string): Awaitable<void> {
    if (this.#log !== undefined) {
      this.#log.add({ ...(data !== undefined && { data }), last: true }, this.#stream);
      return this.#log.settled();
    }
    if (data !== undefined) this.#stream?.send({ data, weight: 'needed' });
    this.#stream?.end();
  }
}
