import type { Authenticator } from '../../../../auth/server/authenticator.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { Store } from '../../../../stores/store.ts';
import type { PendingResponses } from '../bindings/pending-responses.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Streams } from '../streams/streams.ts';
import type { Callers } from './callers.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import type { InFlight } from './in-flight.ts';
import type { MemoryPressure } from './memory-pressure.ts';
import type { SharedQuotas } from '../../../../features/quotas/shared-quotas.ts';

/** State that all requests of one handler share. */
export interface Endpoint {
  readonly server: Engine;
  readonly store: Store;
  /** Undefined: everyone who reaches the endpoint may call. */
  readonly auth: Authenticator | undefined;
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly memory: MemoryPressure;
  readonly callers: Callers;
  /** Quotas that hold over all instances; undefined for a single instance. */
  readonly sharedQuotas: SharedQuotas | undefined;
  /** Undefined if requests share no event loop. */
  readonly scheduler: FairScheduler | undefined;
  readonly pendingResponses: PendingResponses;
  readonly maxBody: number;
  readonly maxRunning: number;
  /** Requests whose responses are awaited. */
  readonly running: Set<RunningRequest>;
  /** Streams retained for clients that may reconnect; each function ends one. */
  readonly resumable: Set<() => void>;
  /** Requests that must finish before the handler is closed. */
  readonly inFlight: InFlight;
  /** Pending while a stream could miss a change on another instance. */
  starting: Promise<unknown> | undefined;
  /** Set when shutdown begins: no new long-lived requests. */
  closing: boolean;
  /** Set when the handler accepts no more requests. */
  closed: boolean;
}

/** A request that graceful shutdown can end. */
export interface RunningRequest {
  /** Ends a long-lived request. */
  close(): void;
  /** Answers a request that is still running with an error. */
  abort(): void;
}
