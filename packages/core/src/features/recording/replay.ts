import { ErrorCode, quoteBriefly } from '../../jsonrpc/errors.ts';
import {
  type ErrorResponse,
  isObject,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Response,
} from '../../jsonrpc/message.ts';
import { briefJson, escapeUnseen, truncate } from '../../jsonrpc/text.ts';
import { matchKeys, type MatchKeys, similarity } from './match-key.ts';
import { mapReferences, progressTokenOf } from './message-references.ts';
import type { Cue, RecordedSession, Recording } from './read-recording.ts';
import { RequestIds } from './request-ids.ts';

/** Options of `replayRecording`. */
export interface ReplayOptions {
  /** Requests must come as recorded, in the same order. Default: each is answered as an equal one was. */
  strict?: boolean;
}

/** A server that answers from a recording. */
export interface Replay {
  /** Opens a connection of a client; `send` gets what the server says. */
  open(send: (message: Message) => void): ReplayConnection;
}

/** A connection of a client to a recording. */
export interface ReplayConnection {
  receive(message: Message): void;
}

/** Maximum recorded requests that are compared for an error message. */
const maxCompared = 200;
/** Maximum methods that an error message lists. */
const maxListed = 20;
const longestShown = 300;

/** A recorded request and its connection. */
interface Found {
  readonly cue: Cue;
  readonly session: RecordedSession;
}

/** Answers clients from a recording. The n-th of equal requests gets the n-th recorded answer, further ones the last. */
export function replayRecording(recording: Recording, { strict = false }: ReplayOptions = {}): Replay {
  const index = new CueIndex(recording.connections);
  /** Counts of equal requests that belong to no handshake. */
  const counts = new Map<string, number>();
  return { open: (send) => new Connection({ recording, index, strict, counts, send }) };
}

/** The recorded requests by their keys. */
class CueIndex {
  readonly #exact = new Map<string, Found[]>();
  readonly #loose = new Map<string, Found[]>();
  readonly #byMethod = new Map<string, Found[]>();
  readonly #notifications = new Map<string, Cue[]>();

  constructor(readonly sessions: readonly RecordedSession[]) {
    for (const session of sessions) for (const cue of session.cues) this.#add({ cue, session });
  }

  #add(found: Found): void {
    const { method, keys } = found.cue;
    if (keys === undefined) return push(this.#notifications, notificationKey(method, found.session), found.cue);
    push(this.#exact, keys.exact, found);
    push(this.#loose, keys.loose, found);
    push(this.#byMethod, method, found);
  }

  /** The recorded requests that are equal to one, in order. */
  equal({ exact, loose }: MatchKeys, isCandidate: (found: Found) => boolean): Found[] {
    const same = (this.#exact.get(exact) ?? []).filter(isCandidate);
    return same.length > 0 ? same : (this.#loose.get(loose) ?? []).filter(isCandidate);
  }

  ofMethod(method: string): readonly Found[] {
    return this.#byMethod.get(method) ?? [];
  }

  /** The recorded notifications of a method: of a connection, else of the first that has some. */
  notifications(method: string, of: RecordedSession | undefined): readonly Cue[] {
    for (const session of of === undefined ? this.sessions : [of]) {
      const found = this.#notifications.get(notificationKey(method, session));
      if (found !== undefined) return found;
    }
    return [];
  }

  get methods(): string[] {
    return [...this.#byMethod.keys()];
  }
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function notificationKey(method: string, { id }: RecordedSession): string {
  return JSON.stringify([id, method]);
}

/** The state that the connections of a replay share. */
interface ConnectionOptions {
  readonly recording: Recording;
  readonly index: CueIndex;
  readonly strict: boolean;
  readonly counts: Map<string, number>;
  readonly send: (message: Message) => void;
}

/** One client of a replay. */
class Connection implements ReplayConnection {
  readonly #options: ConnectionOptions;
  /** The recorded connection that this one repeats, since its handshake. */
  #session: RecordedSession | undefined;
  /** The recorded connections that are equal so far, and how many requests that were, if the order counts. */
  #candidates: readonly RecordedSession[];
  #next = 0;
  /** Counts of equal requests of this connection. */
  readonly #counts = new Map<string, number>();
  /** Live ids of the client's requests, by recorded ids. */
  readonly #liveIds = new RequestIds<RequestId>();
  /** Live progress tokens, by recorded tokens. */
  readonly #liveTokens = new RequestIds<unknown>();
  /** Live ids of the server's questions, by recorded ids. */
  readonly #questions = new RequestIds<number>();
  readonly #answered = new Set<number>();
  /** Continues what waits for an answer, by the live id of the question. */
  readonly #waiting = new Map<number, () => void>();
  readonly #cancelled = new RequestIds<true>();
  #asked = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#candidates = options.index.sessions;
  }

  receive(message: Message): void {
    if (!('method' in message)) this.#onAnswer(message);
    else if ('id' in message) this.#onRequest(message);
    else this.#onNotification(message);
  }

  #onAnswer({ id }: Response): void {
    if (typeof id !== 'number') return;
    this.#answered.add(id);
    const go = this.#waiting.get(id);
    this.#waiting.delete(id);
    go?.();
  }

  #onNotification({ method, params }: Notification): void {
    if (method === 'notifications/cancelled' && params !== undefined)
      this.#cancelled.set(params.requestId as RequestId, true);
    const same = this.#options.index.notifications(method, this.#session);
    const cue = same[this.#count(this.#counts, method)];
    if (cue !== undefined) this.#play(cue, undefined);
  }

  #onRequest(request: Request): void {
    this.#cancelled.take(request.id);
    const { index, strict, send } = this.#options;
    // Clients ping when they like.
    if (request.method === 'ping' && !strict && index.ofMethod('ping').length === 0)
      return send({ jsonrpc: '2.0', id: request.id, result: {} });
    const found = strict ? this.#findNext(request) : this.#find(request);
    if ('error' in found) return send(found);
    const { cue, session } = found;
    if (request.method === 'initialize') this.#session = session;
    if (cue.id !== undefined) this.#liveIds.set(cue.id, request.id);
    const recorded = progressTokenOf(this.#options.recording.message(cue.position)?.params);
    const token = progressTokenOf(request.params);
    if (token !== undefined && (typeof recorded === 'string' || typeof recorded === 'number'))
      this.#liveTokens.set(recorded, token);
    this.#play(cue, request);
  }

  /** The recorded request that comes next, on a connection that was equal until now. */
  #findNext(request: Request): Found | ErrorResponse {
    const { index, counts } = this.#options;
    const { method } = request;
    const keys = matchKeys(method, request.params);
    const isHandshake = method === 'initialize';
    if (isHandshake) {
      this.#candidates = index.sessions;
      this.#next = 0;
    }
    const same = this.#candidates.filter((session) => {
      const cue = session.requests[this.#next];
      // Clients get newer; what else they send at first does not matter.
      return cue?.keys?.loose === keys.loose || (isHandshake && cue?.method === method);
    });
    const exact = same.filter((session) => session.requests[this.#next]?.keys?.loose === keys.loose);
    const equal = exact.length > 0 ? exact : same;
    if (equal.length === 0) return this.#notNext(request);
    const skipped = isHandshake ? Math.min(this.#count(counts, `initialize ${keys.loose}`), equal.length - 1) : 0;
    this.#candidates = equal.slice(skipped);
    const session = this.#candidates[0] as RecordedSession;
    const cue = session.requests[this.#next] as Cue;
    this.#next += 1;
    return { cue, session };
  }

  /** The error for a request out of order. */
  #notNext(request: Request): ErrorResponse {
    const requests = this.#candidates.map((session) => session.requests);
    const [expected] = requests.flatMap((cues) => cues[this.#next] ?? []);
    const last = requests[0]?.at(-1)?.method;
    if (expected === undefined) {
      const message = last === undefined ? 'The recording has no requests' : `The recording ends after ${shown(last)}`;
      return failure(request, ErrorCode.InvalidParams, `${message}: this replay is strict`);
    }
    const params = toText(this.#paramsOf(expected));
    const message = `Request ${this.#next + 1} must be ${shown(expected.method)} ${params}: this replay is strict`;
    return failure(request, ErrorCode.InvalidParams, message, { expected: truncate(expected.method, 200) });
  }

  /** The recorded request that is equal. */
  #find(request: Request): Found | ErrorResponse {
    const { index, counts } = this.#options;
    const keys = matchKeys(request.method, request.params);
    if (request.method === 'initialize') {
      const same = this.#handshakes(request, keys);
      const found = same[Math.min(this.#count(counts, keys.loose), same.length - 1)];
      return found ?? this.#unknown(request);
    }
    const own = this.#session;
    const revision = keys.revision ?? own?.revision;
    const isOfRevision = ({ session, cue }: Found): boolean =>
      own === undefined && keys.revision === undefined ? true : (cue.keys?.revision ?? session.revision) === revision;
    const ofSession = own === undefined ? [] : index.equal(keys, ({ session }) => session === own);
    const same = ofSession.length > 0 ? ofSession : index.equal(keys, isOfRevision);
    if (same.length === 0) return this.#unknown(request);
    const count = this.#count(own === undefined ? counts : this.#counts, `${keys.revision ?? ''} ${keys.loose}`);
    return same[Math.min(count, same.length - 1)] as Found;
  }

  /** Recorded handshakes: equal ones, else those for the same revision, else any. */
  #handshakes(request: Request, keys: MatchKeys): readonly Found[] {
    const { index, recording } = this.#options;
    const same = index.equal(keys, () => true);
    if (same.length > 0) return same;
    const all = index.ofMethod('initialize');
    const wanted = request.params?.protocolVersion;
    const ofRevision = all.slice(0, maxCompared).filter(({ cue }) => {
      const params = recording.message(cue.position)?.params;
      return isObject(params) && params.protocolVersion === wanted;
    });
    return ofRevision.length > 0 ? ofRevision : all;
  }

  #count(counts: Map<string, number>, key: string): number {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  }

  /** The error for a request that was not recorded: says what was. */
  #unknown(request: Request): ErrorResponse | Found {
    const { index } = this.#options;
    const known = index.ofMethod(request.method);
    const methods = index.methods.slice(0, maxListed).map((each) => truncate(each, 200));
    if (known.length === 0) {
      const list = methods.length === 0 ? 'no requests' : methods.map(shown).join(', ');
      const message = `The recording has no ${quoteBriefly(request.method)}. It has ${list}`;
      return failure(request, ErrorCode.MethodNotFound, message, { methods });
    }
    const ranked = known
      .slice(0, maxCompared)
      .map(({ cue }) => ({ cue, score: similarity(withoutMeta(request.params), this.#paramsOf(cue)) }))
      .sort((one, other) => other.score - one.score);
    const nearest = toText(this.#paramsOf(ranked[0]?.cue as Cue));
    const message = `The recording has ${shown(request.method)}, but not with these params. The nearest are ${nearest}`;
    return failure(request, ErrorCode.InvalidParams, message, { methods, nearest });
  }

  #paramsOf(cue: Cue): Record<string, unknown> {
    return withoutMeta(this.#options.recording.message(cue.position)?.params);
  }

  /** Sends what the server said because of a message, until it waited for the client. */
  #play(cue: Cue, request: Request | undefined, from = 0): void {
    for (let at = from; at < cue.steps.length; at += 1) {
      const step = cue.steps[at];
      if (step === undefined || this.#isCancelled(request)) return;
      if (step.is === 'message') {
        const message = this.#options.recording.message(step.position);
        if (message !== undefined) this.#send(message, request);
        continue;
      }
      const question = this.#questions.get(step.question);
      if (question === undefined || this.#answered.has(question)) continue;
      this.#waiting.set(question, () => this.#play(cue, request, at + 1));
      return;
    }
    const isMissing = request !== undefined && cue.end === 'none' && cue.method !== 'subscriptions/listen';
    if (isMissing) {
      const message = `The recording ends before the answer to ${shown(request.method)}`;
      this.#options.send(failure(request, ErrorCode.InternalError, message));
    }
  }

  #isCancelled(request: Request | undefined): boolean {
    return request !== undefined && this.#cancelled.get(request.id) === true;
  }

  /** Sends a recorded message with the ids of this connection. */
  #send(message: Record<string, unknown>, request: Request | undefined): void {
    const isAnswer = !('method' in message);
    if (isAnswer) message.id = request?.id ?? message.id;
    else if (message.id !== undefined) {
      this.#asked += 1;
      this.#questions.set(message.id as RequestId, this.#asked);
      message.id = this.#asked;
    }
    const isKnown = mapReferences('server', message, {
      id: (sender, id) => (sender === 'client' ? this.#liveIds.get(id) : this.#questions.get(id)),
      token: (_, token) => this.#liveTokens.get(token),
    });
    // A notification about something that this client has not requested.
    if (!isKnown && !isAnswer) return;
    this.#options.send(message as unknown as Message);
  }
}

function withoutMeta(params: unknown): Record<string, unknown> {
  const { _meta: _, ...rest } = isObject(params) ? params : {};
  return rest;
}

/** A recorded value, safe to be shown. */
function toText(value: unknown): string {
  return escapeUnseen(briefJson(value, longestShown));
}

/** A recorded name, safe to be shown. */
function shown(name: string): string {
  return escapeUnseen(truncate(name, 100));
}

function failure({ id }: Request, code: number, message: string, data?: object): ErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
