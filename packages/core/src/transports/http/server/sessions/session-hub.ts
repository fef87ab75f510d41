import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { ErrorCode, NotAsked } from '../../../../jsonrpc/errors.ts';
import type { Notification, Request, RequestId, Response } from '../../../../jsonrpc/message.ts';
import { Pending } from '../../../../jsonrpc/pending.ts';
import type { Peer } from '../../../../server/peer.ts';
import type { Fields } from '../../../../stores/store.ts';
import { endRequests, type ErrorResponder } from '../answer/end-requests.ts';

/** The messages that instances publish about a session. */
export type SessionEvent =
  | { kind: 'changed' }
  | { kind: 'watches'; add: readonly string[]; remove: readonly string[] }
  /** By its client. `lost` is never published: the store lost it, and its client may not know. */
  | { kind: 'ended'; lost?: true }
  | { kind: 'answer'; response: Response }
  | { kind: 'cancel'; id: RequestId; reason?: string }
  /** For the standalone stream, whichever instance has it. */
  | { kind: 'notify'; notification: Notification }
  /** Another connection serves a stream now: the former one closes. */
  | { kind: 'taken-up'; stream: string; by: string }
  /** The former one has logged all events until then. */
  | { kind: 'handed-over'; to: string }
  /** Never published: other events may have been lost. */
  | { kind: 'missed' };

type Send = (message: Notification | Request) => void;

/**
 * All that an instance knows of one session: its record, the subscription to its topic, and its activity. Each
 * part exists only while it is needed.
 */
export class SessionHub {
  readonly id: string;
  /** The key of its record and its topic. */
  readonly key: string;
  /** The record as it was read last. */
  fields: Fields | undefined;
  /** How far the record counts without asking the store; undefined if it is asked each time. */
  freshness: Freshness | undefined;
  live: LiveSession | undefined;
  #subscription: Subscription | undefined;

  constructor(id: string, key: string) {
    this.id = id;
    this.key = key;
  }

  /** True if no event can be missed. */
  get isSubscribed(): boolean {
    return this.#subscription?.stop !== undefined;
  }

  /** True if it is subscribed, or about to be. */
  get isSubscribing(): boolean {
    return this.#subscription !== undefined;
  }

  /** Subscribes, once for all who need it. */
  subscribe(start: () => Awaitable<() => void>): Promise<void> {
    this.#subscription ??= this.#start(start);
    return this.#subscription.ready;
  }

  unsubscribe(): void {
    const subscription = this.#subscription;
    if (subscription === undefined) return;
    this.#subscription = undefined;
    subscription.isOver = true;
    subscription.stop?.();
  }

  #start(start: () => Awaitable<() => void>): Subscription {
    const subscription: Subscription = { ready: Promise.resolve(), stop: undefined, isOver: false };
    const run = async (): Promise<void> => {
      try {
        subscription.stop = await start();
      } catch (error) {
        if (this.#subscription === subscription) this.#subscription = undefined;
        throw error;
      }
      if (subscription.isOver) subscription.stop();
    };
    subscription.ready = run();
    return subscription;
  }
}

/** How fresh a cached record is. */
export interface Freshness {
  /** When it was requested. */
  readAt: number;
  /** True if a change may have been missed since. */
  isStale: boolean;
  /** Counts changes, and those that may have been missed: what was requested before is not cached. */
  changes: number;
  reading: Promise<Fields | undefined> | undefined;
  /** A read that timed out: later readers don't wait for it. */
  late: Promise<Fields | undefined> | undefined;
}

/** Marks a record as stale after a change; a read that already runs may return the former fields. */
export function markStale(freshness: Freshness): void {
  freshness.isStale = true;
  freshness.changes += 1;
  freshness.reading = undefined;
}

interface Subscription {
  ready: Promise<void>;
  /** Undefined until it is subscribed. */
  stop: (() => void) | undefined;
  isOver: boolean;
}

/** The activity of a session on this instance: requests, questions, streams. */
export class LiveSession {
  readonly #peers = new Set<Peer>();
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #server: ErrorResponder;
  #pending: Pending | undefined;
  #standalone: Send | undefined;
  /** How many hold it. */
  holders = 0;
  /** Resolves when no event can be missed. */
  opened: Promise<void> | undefined;

  constructor(server: ErrorResponder) {
    this.#server = server;
  }

  /** Questions that this instance asks the client. Their ids differ from those of other instances. */
  get pending(): Pending {
    this.#pending ??= new Pending({ prefix: `${crypto.randomUUID()}-` });
    return this.#pending;
  }

  handle(event: SessionEvent): void {
    switch (event.kind) {
      case 'answer':
        this.#pending?.settle(event.response);
        break;
      case 'cancel':
        for (const { running } of this.#peers) running.get(event.id)?.cancel(event.reason);
        break;
      case 'ended':
        this.#end(event);
    }
    for (const listener of this.#listeners) listener(event);
  }

  /** Adds a listener; returns a function that removes it. `standalone` sends on the client's standalone stream. */
  onEvent(listener: (event: SessionEvent) => void, standalone?: Send): () => void {
    this.#listeners.add(listener);
    if (standalone !== undefined) this.#standalone = standalone;
    return () => {
      this.#listeners.delete(listener);
      if (this.#standalone === standalone) this.#standalone = undefined;
    };
  }

  /** Sends on the client's standalone stream; undefined if this instance does not have it. */
  get standalone(): Send | undefined {
    return this.#standalone;
  }

  /** Makes the requests of a peer cancellable, until the returned function is called. */
  follow(peer: Peer): () => void {
    this.#peers.add(peer);
    return () => this.#peers.delete(peer);
  }

  /** A client whose session was lost still waits for responses: only requests that would wait forever end. */
  #end({ lost = false }: { lost?: boolean }): void {
    const message = 'The session was ended before the request was done: begin a new one with "initialize"';
    const reason = new NotAsked(ErrorCode.InternalError, message);
    for (const { running } of this.#peers) {
      endRequests(
        this.#server,
        Array.from(running).filter(([, { waits }]) => !lost || waits),
        reason,
      );
    }
    this.#pending?.end(reason);
  }
}
