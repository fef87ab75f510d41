import { encode, type Notification, type Parsed, type Request, type RequestId } from '../../../../jsonrpc/message.ts';
import type { Caller } from '../../../../revisions/revision.ts';
import type { Auth, AuthPolicy, Origin, Peer, Rated, RateName, RunningCall } from '../../../../server/peer.ts';
import type { Session } from '../../../../server/session.ts';
import type { Store } from '../../../../stores/store.ts';
import { rateLimitHeaders, type CountedRate } from '../answer/rate-limit-headers.ts';
import { addHeaders, noHeaders } from '../answer/send.ts';
import type { Body, HttpHeaders, HttpRequest, HttpResponder } from '../bindings/binding.ts';
import type { MessageSession } from '../sessions/session-of-message.ts';
import { EventLog, streamId } from '../streams/event-log.ts';
import { retryMs } from '../streams/event.ts';
import { ReplyStream } from '../streams/reply-stream.ts';
import { deliveryPolicyOf } from '../streams/streams.ts';
import { authPolicyOf } from './auth-challenge.ts';
import type { HttpCaller } from './callers.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * One HTTP request: what came, who sent it and how it is answered. The kernel gets it as the peer of the message in it.
 * What can't be done with a client is absent, such as `ask` without a session.
 */
export class HttpContext implements Peer {
  readonly endpoint: Endpoint;
  readonly http: HttpRequest;
  readonly responder: HttpResponder;
  readonly store: Store;
  /** The media types that the client accepts. */
  readonly accepts: Acceptable;
  /** Headers that the response carries beside its own. */
  headers: HttpHeaders = noHeaders;

  auth?: Auth;
  /** The caller whose quotas the request counts against: set by the step `identify`. */
  usage!: HttpCaller;
  /** The body, until it is parsed. */
  body: Body | undefined = undefined;
  /** The message that was posted. That of a long-lived request is dropped when it begins. */
  message: Parsed | undefined = undefined;
  /** The revision and capabilities of a client: set by the step `negotiate`. */
  caller?: Caller;
  session?: Session;
  /** The session with its id, for a handshake client. */
  member: MessageSession | undefined = undefined;
  /** Set by the step `dispatch`. */
  running!: Map<RequestId, RunningCall>;
  /** True when the client disconnected before its request began. */
  disconnected = false;

  /** The stream that answers a POST, from when it begins. */
  stream: ReplyStream | undefined = undefined;
  /** Set with the response: nothing follows it. */
  done = false;
  /** How rate limits counted the calls of this request. */
  rates: CountedRate[] | undefined = undefined;

  ask?: NonNullable<Peer['ask']>;
  askLater?: NonNullable<Peer['askLater']>;
  notify?: NonNullable<Peer['notify']>;
  disconnect?: NonNullable<Peer['disconnect']>;

  constructor(endpoint: Endpoint, http: HttpRequest, responder: HttpResponder) {
    this.endpoint = endpoint;
    this.http = http;
    this.responder = responder;
    this.store = endpoint.store;
    this.accepts = parseAccept(http.header('accept'));
  }

  get origin(): Origin {
    return originOf(this, { session: this.member?.id });
  }

  get authPolicy(): AuthPolicy {
    // A status can't say anything when the response has begun, or answers several requests.
    return authPolicyOf(this, () => this.stream !== undefined || this.message?.kind === 'batch');
  }

  get backpressured(): boolean {
    return this.stream?.backpressured === true;
  }

  /** True if a message can be sent before the response. */
  get canStream(): boolean {
    return this.stream !== undefined || (this.accepts.events && this.usage.full('streams') === undefined);
  }

  /** Remembers how a call was counted by a rate limit. The last count of a batch is reported. */
  onRateCounted(limit: RateName, rated: Rated): void {
    this.rates ??= [];
    const known = this.rates.findIndex((each) => each.limit === limit);
    if (known === -1) this.rates.push({ limit, rated });
    else this.rates[known] = { limit, rated };
  }

  /** Runs `write` before responses that are batched; false if this one is sent alone. */
  beforeAnswer(write: () => void): boolean {
    return this.stream === undefined && this.accepts.json && this.responder.beforeSend?.(write) === true;
  }

  /** Sends a message before the response; drops it where there can be no stream. */
  send(message: Notification | Request): void {
    if (this.done || !this.canStream) return;
    const stream = this.openStream(retryMs());
    stream.send({ data: encode(message), weight: deliveryPolicyOf(message, this.endpoint.server.methods) });
  }

  /** Begins to answer with a stream of events, unless it has begun. Within a session the client can resume it. */
  openStream(retry: number): ReplyStream {
    if (this.stream !== undefined) return this.stream;
    if (this.rates !== undefined) addHeaders(this, rateLimitHeaders(this.rates));
    const { endpoint, member } = this;
    const stream = endpoint.streams.open(this);
    const log = member?.id === undefined ? undefined : new EventLog(endpoint, member.id, streamId('reply'));
    this.stream = new ReplyStream(stream, log);
    if (member?.session.revision?.primesStreams === true) this.stream.prime(retry);
    return this.stream;
  }
}

/** The origin of a request, for observers. */
export function originOf(
  { http: { address } }: Pick<HttpContext, 'http'>,
  { session, transport = 'http' }: { session?: string | undefined; transport?: string } = {},
): Origin {
  const origin: { -readonly [Member in keyof Origin]: Origin[Member] } = { transport };
  if (session !== undefined) origin.session = session;
  if (address !== undefined) origin.address = address;
  return origin;
}

/** The kinds of response that a client reads. */
export interface Acceptable {
  json: boolean;
  events: boolean;
}

const cache = new Map<string, Acceptable>();
const all: Acceptable = { json: true, events: true };

/** Parses an Accept header. Without one, everything is accepted. */
export function parseAccept(header: string | undefined): Acceptable {
  if (header === undefined) return all;
  const known = cache.get(header);
  if (known !== undefined) return known;
  const ranges = header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type]) => type);
  const has = (...types: string[]): boolean => types.some((type) => ranges.includes(type));
  const result = {
    json: has('application/json', 'application/*', '*/*'),
    events: has('text/event-stream', 'text/*', '*/*'),
  };
  if (cache.size < 100 && header.length < 200) cache.set(header, result);
  return result;
}
