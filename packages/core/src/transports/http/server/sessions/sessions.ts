import type { Engine } from '../../../../server/engine.ts';
import type { Session } from '../../../../server/session.ts';
import { sessionSubscriptionError, subscriptionBounds, type Subscriptions } from '../../../../server/subscriptions.ts';
import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { isWorkerd } from '../../../../runtime/kind.ts';
import { isMemoryStore } from '../../../../stores/memory.ts';
import type { Fields, Life, MemberBounds, Store } from '../../../../stores/store.ts';
import { type Awaitable, isThenable, mapAwaitable } from '../../../../jsonrpc/awaitable.ts';
import { shareOf } from '../../../../features/quotas/quota.ts';
import type { HubCache } from './hub-cache.ts';
import { RunningIds } from './running-ids.ts';
import type { LiveSession, SessionEvent } from './session-hub.ts';
import { type LiveSessionLease, SessionHubs } from './session-hubs.ts';
import { changesIn, fromFields, recordLength, toFields } from './session-record.ts';
import { limits } from '../../../../limits.ts';

/** How long a cached session counts without asking the store; at most half the life of a session. */
const cachedMs = 30 * 1000;

const keyPrefix = 'session/';
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Maximum size of a session that is cached decoded, in characters: clients choose what they say of themselves. */
const maxDecodedLength = 2048;

/** Limits on sessions. */
export interface SessionOptions {
  /** Session expiry: how long an unused session lives. Default: 30 minutes. */
  idleMs?: number;
  /** The maximum number of sessions; beyond it, some of the caller who has most end. Default: 10 000. */
  max?: number;
}

/** A session that may be changed, and its fields when it was read. */
export interface LoadedSession {
  readonly session: Session;
  readonly fields: Fields;
  readonly subscriptions: SubscriptionChanges;
}

/** The sessions of handshake clients, in the store, so that any instance can serve any of them. */
export class Sessions {
  readonly #store: Store;
  readonly #life: Life;
  readonly #ownerLimit: number;
  readonly #subscriptionBounds: MemberBounds;
  readonly #hubs: SessionHubs;
  readonly #cache: HubCache;
  /** Decoded sessions, as long as the store or the cache has the fields. */
  readonly #decoded = new WeakMap<Fields, Session>();
  readonly runningIds: RunningIds = new RunningIds();
  /** How many sessions began here, and how many their clients ended. */
  readonly counts = { begun: 0, ended: 0 };

  constructor(server: Engine, store: Store, options: SessionOptions & { callerShare?: number }) {
    const { idleMs = limits.http.sessionIdleMs.value, max = limits.http.sessions.value, callerShare = 100 } = options;
    this.#store = store;
    this.#ownerLimit = Math.min(max, shareOf(max, callerShare));
    const ownerLength = shareOf(limits.stores.maxMemberLength.value, callerShare);
    this.#subscriptionBounds = Number.isFinite(ownerLength)
      ? { ...subscriptionBounds, ownerLength }
      : subscriptionBounds;
    const life: Life = { ttlMs: idleMs, kind: 'sessions', limit: max };
    const isLocal = isMemoryStore(store) || isWorkerd;
    const trustMs = Math.min(cachedMs, idleMs / 2);
    // The store learns of use only every half of that time: no session may expire earlier because of that.
    this.#life = isLocal ? life : { ...life, ttlMs: idleMs + trustMs / 2 };
    const extendMs = Math.min(idleMs / 3, 30_000);
    this.#hubs = new SessionHubs(server, store, {
      life: this.#life,
      busyLife: { ...this.#life, busyMs: extendMs * 2 },
      extendMs,
      ...(!isLocal && { cache: { trustMs, lifeMs: idleMs } }),
      keyPrefix,
    });
    this.#cache = this.#hubs.cache;
  }

  /** Stores a new session and returns its id, which can't be guessed. Beyond a limit, the owner's own are evicted first. */
  async create(session: Session, principal: string | undefined, owner?: string): Promise<string> {
    const id = crypto.randomUUID();
    this.counts.begun += 1;
    const fields = { ...toFields(session), ...(principal !== undefined && { principal }) };
    const made = this.#store.create(
      sessionKey(id),
      fields,
      owner === undefined ? this.#life : { ...this.#life, owner, ownerLimit: this.#ownerLimit },
    );
    // A store that answers synchronously is as fast as the cache.
    if (!isThenable(made)) return id;
    await made;
    this.#cache.learn(id, fields);
    return id;
  }

  /** The session with an id, for the caller who began it; read-only, and without its subscriptions. */
  find(id: string, principal: string | undefined): Awaitable<Session | undefined> {
    const hub = this.#cache.hubs.get(id);
    if (hub === undefined && !idPattern.test(id)) return undefined;
    const read = this.#hubs.read(id, hub);
    if (isThenable(read)) return Promise.resolve(read).then((fields) => this.#decode(fields, id, principal));
    return this.#decode(read, id, principal);
  }

  /**
   * As `find`, but to be changed and saved; of its subscriptions, only changes are known. `send` delivers messages that
   * belong to no request.
   */
  async load(id: string, principal: string | undefined, send?: Session['notify']): Promise<LoadedSession | undefined> {
    const fields = await this.#read(id, principal);
    if (fields === undefined) return undefined;
    const session = fromFields(fields, send);
    const subscriptions = new SubscriptionChanges();
    session.subscriptions = subscriptions;
    return { session, fields, subscriptions };
  }

  /** The resources that a session subscribed to. */
  subscribedUris(id: string): Awaitable<ReadonlySet<string>> {
    return this.#store.members(sessionKey(id));
  }

  /** Stores the changes of a session since it was loaded. Returns an error for the client if there is no room. */
  async save(id: string, { session, fields, subscriptions }: LoadedSession): Promise<ProtocolError | undefined> {
    const key = sessionKey(id);
    const changes = changesIn(session, fields);
    const [add, remove] = [[...subscriptions.added], [...subscriptions.removed]];
    if (Object.keys(changes).length > 0 && (await this.#update(id, fields, changes))) {
      await this.publish(id, { kind: 'changed' });
    }
    if (add.length + remove.length === 0) return undefined;
    const altered = await this.#store.alter(key, { add, remove, max: this.#subscriptionBounds });
    if (altered === 'full') return sessionSubscriptionError();
    if (altered) await this.publish(id, { kind: 'watches', add, remove });
    return undefined;
  }

  /** Ends a session: its streams, its running requests, its record. */
  async end(id: string): Promise<void> {
    this.counts.ended += 1;
    this.#cache.forget(this.#cache.hubs.get(id));
    await this.#store.remove(sessionKey(id));
    this.#cache.forget(this.#cache.hubs.get(id));
    await this.publish(id, { kind: 'ended' });
  }

  /** Publishes an event to all instances on which a session is active. */
  async publish(id: string, event: SessionEvent): Promise<void> {
    await this.#store.publish(sessionKey(id), JSON.stringify(event));
  }

  /** Subscribes to the events of a session, which does not expire meanwhile. */
  acquire(id: string): Promise<LiveSessionLease> {
    return this.#hubs.acquire(id);
  }

  /** The live part of a session whose standalone stream this instance has. */
  withStandaloneStream(id: string): LiveSession | undefined {
    const live = this.#cache.hubs.get(id)?.live;
    return live?.standalone === undefined ? undefined : live;
  }

  /** The number of sessions that are active on this instance. */
  get liveCount(): number {
    return this.#hubs.liveCount;
  }

  /** Unsubscribes from cached sessions. */
  close(): void {
    this.#cache.close();
  }

  /** A read that runs meanwhile may return the former fields, and is repeated. */
  async #update(id: string, fields: Fields, changes: Record<string, string>): Promise<boolean> {
    this.#cache.change(id);
    const updated = this.#store.update(sessionKey(id), changes, this.#life);
    if (!isThenable(updated)) return updated;
    const isThere = await updated;
    if (isThere) this.#cache.change(id, { ...fields, ...changes });
    else this.#cache.forget(this.#cache.hubs.get(id));
    return isThere;
  }

  #read(id: string, principal: string | undefined): Awaitable<Fields | undefined> {
    if (!idPattern.test(id)) return undefined;
    return mapAwaitable(this.#store.read(sessionKey(id), this.#life), (fields) =>
      fields?.principal === principal ? fields : undefined,
    );
  }

  #decode(fields: Fields | undefined, id: string, principal: string | undefined): Session | undefined {
    if (fields === undefined) {
      this.#cache.forget(this.#cache.hubs.get(id));
      return undefined;
    }
    if (fields.principal !== principal) return undefined;
    let session = this.#decoded.get(fields);
    if (session === undefined) {
      session = fromFields(fields);
      if (recordLength(fields) <= maxDecodedLength) this.#decoded.set(fields, session);
    }
    return session;
  }
}

/** The key of a session's record, its log and its topic. */
export function sessionKey(id: string): string {
  // Joined, not concatenated: a concatenation keeps both of its parts.
  return [keyPrefix, id].join('');
}

/** Changes to the subscriptions of a session. The others are in the store, and need not be read. */
export class SubscriptionChanges implements Subscriptions {
  readonly added: Set<string> = new Set();
  readonly removed: Set<string> = new Set();
  /** The subscriptions before the changes, if they were read. */
  base: ReadonlySet<string> | undefined;

  has(uri: string): boolean {
    return this.added.has(uri) || (this.base?.has(uri) === true && !this.removed.has(uri));
  }

  add(uri: string): void {
    this.removed.delete(uri);
    this.added.add(uri);
  }

  delete(uri: string): void {
    this.added.delete(uri);
    if (this.base?.has(uri) ?? true) this.removed.add(uri);
  }

  *uris(): Iterable<string> {
    yield* this.added;
    for (const uri of this.base ?? []) if (!this.added.has(uri) && !this.removed.has(uri)) yield uri;
  }

  /** Applies changes of another instance. */
  change({ add, remove }: { add: readonly string[]; remove: readonly string[] }): void {
    for (const uri of remove) this.delete(uri);
    for (const uri of add) this.add(uri);
  }

  clear(): void {
    this.added.clear();
    this.removed.clear();
    this.base = undefined;
  }
}
