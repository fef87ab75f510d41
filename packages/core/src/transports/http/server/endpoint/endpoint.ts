import type { AuthDocument, Authenticator } from '../../../../auth/server/authenticator.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Request } from '../../../../jsonrpc/message.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { Auth, Origin } from '../../../../server/exchange.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { HttpHeaders, HttpRequest, HttpResponder } from '../bindings/binding.ts';
import type { HeldAnswers } from '../bindings/held-answers.ts';
import type { Acceptable } from '../gate/accept.ts';
import type { Guard } from '../gate/guard.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Streams } from '../streams/streams.ts';
import type { HttpCaller, Callers } from './callers.ts';
import type { FairTurns } from './fair-turns.ts';
import type { HealthPaths } from './health.ts';
import type { Memory } from './pressure.ts';
import type { PlaceKeeper } from './shared-places.ts';
import type { WorkCount } from './work-count.ts';

/** What all requests of one handler share. */
export interface Endpoint {
  readonly server: Engine;
  readonly store: Store;
  readonly guard: Guard;
  /** Who may call; undefined: whoever reaches the endpoint. */
  readonly auth: Authenticator | undefined;
  /** What is served to everybody, by path; undefined: nothing. */
  readonly documents: ReadonlyMap<string, AuthDocument> | undefined;
  /** What is served, by path. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Refuses a request to a path where nothing is. */
  readonly nowhere: (http: HttpRequest) => Refusal;
  /** Where the server says that it is well; undefined: nowhere. */
  readonly health: HealthPaths | undefined;
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly memory: Memory;
  /** Who calls, and what each of them holds. */
  readonly callers: Callers;
  /** What callers may have in all instances together; undefined where this one is alone. */
  readonly places: PlaceKeeper | undefined;
  /** Whose turn it is; undefined where requests have nothing to share. */
  readonly turns: FairTurns | undefined;
  /** Answers that wait until what must be done before them is done. */
  readonly held: HeldAnswers;
  readonly maxBody: number;
  readonly maxRunning: number;
  /** Requests whose answers are awaited. */
  readonly running: Set<RunningRequest>;
  /** What waits for clients to come back; each is ended by its function. */
  readonly lingering: Set<() => void>;
  /** All that must be done before the handler is closed. */
  readonly work: WorkCount;
  /** Until then a stream might miss a change elsewhere. Undefined: nothing has to be waited for. */
  starting: Promise<unknown> | undefined;
  /** Set when the handler begins to close: nothing is begun any more that would stand for ever. */
  closing: boolean;
  /** Set when it takes no more requests at all. */
  refusing: boolean;
}

/** How the methods of a path are served. */
export type Route = Partial<Record<HttpMethod, ServeVisit>>;

/** The HTTP methods that are served. */
export type HttpMethod = 'POST' | 'GET' | 'DELETE';

/** Serves one HTTP request that was let in. */
export type ServeVisit = (endpoint: Endpoint, visit: Visit) => Awaitable<void>;

/** One HTTP request that was let in, with what was established about it. */
export interface Visit {
  readonly http: HttpRequest;
  readonly responder: HttpResponder;
  readonly auth: Auth | undefined;
  /** What the caller holds. */
  readonly usage: HttpCaller;
  /** Headers that every answer to it carries. */
  readonly headers: HttpHeaders;
  readonly accepts: Acceptable;
  /** True where a stream was counted that is not there yet. */
  reserved?: boolean;
  /** The request that was posted, once it is read. */
  request: Request | undefined;
  /** The same of a batch. */
  batch?: readonly Request[];
}

/** A request that can be told that the server is going away. */
export interface RunningRequest {
  /** Ends what would go on for ever. */
  close(): void;
  /** Answers with an error what is still not done. */
  giveUp(): void;
}

/** Which way the message of a visit came. */
export function originOf({ http: { address } }: Visit, session?: string, transport = 'http'): Origin {
  const origin: { -readonly [Member in keyof Origin]: Origin[Member] } = { transport };
  if (session !== undefined) origin.session = session;
  if (address !== undefined) origin.address = address;
  return origin;
}
