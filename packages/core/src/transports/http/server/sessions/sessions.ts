import type { Engine } from '../../../../server/engine.ts';
import type { Session } from '../../../../server/session.ts';
import { noRoomInSession, watchBounds } from '../../../../server/subscriptions.ts';
import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { inWorkers } from '../../../../runtime/kind.ts';
import { isMemoryStore } from '../../../../stores/memory.ts';
import type { Fields, Life, MemberBounds, Store } from '../../../../stores/store.ts';
import { type Awaitable, isThenable, whenThere } from '../../../../jsonrpc/awaitable.ts';
import { Beat } from '../../../../runtime/timers.ts';
import { shareOf } from '../../../../server/quotas/quota.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import { LiveSession, type SessionNews } from './live-session.ts';
import { RunningIds } from './running-ids.ts';
import { followTopic, SessionCache } from './session-cache.ts';
import { changesIn, fromFields, toFields } from './session-record.ts';
import { SubscriptionChanges } from './subscription-changes.ts';
import { limits } from '../../../../limits.ts';

/** How many sessions there may be, and how long. */
export interface SessionOptions {
  /** How long a session that is not used stays. Default: 30 minutes. */
  idleMs?: number;
  /** How many sessions there may be; of more, some of who has the most end. Default: 10 000. */
  max?: number;
}

/** A session that may be changed, and how it was kept when it was read. */
export interface LoadedSession {
  readonly session: Session;
  readonly fields: Fields;
  readonly watched: SubscriptionChanges;
}

/** Keeps the live part of a session on this instance until it is released. */
export interface Hold {
  readonly live: LiveSession;
  release(): void;
}

interface Held {
  readonly live: LiveSession;
  readonly listening: Promise<() => void>;
  holders: number;
}

/** A session that is kept ready to use, with the fields that it was made of. */
interface Known {
  readonly key: string;
  readonly fields: Fields;
  readonly session: Session;
  readonly length: number;
}

/** So much of sessions is kept ready to use, in characters of their fields. */
const maxKnownLength = 2 * 1024 * 1024;
/** What one of them takes beside its fields. */
const knownWeight = 256;

/** The sessions of handshake clients: kept in the store, so that any instance can serve any of them. */
export class Sessions {
  readonly #server: Engine;
  readonly #store: Store;
  readonly #life: Life;
  readonly #ownerLimit: number;
  readonly #watchBounds: MemberBounds;
  readonly #held = new Map<string, Held>();
  /** Sessions in use, by id. One that was made of the same fields is the same as long as nobody changes it. */
  readonly #known = new Map<string, Known>();
  #knownLength = 0;
  /** What is known of sessions here; undefined where asking the store costs no more. */
  readonly #cache: SessionCache | undefined;
  readonly #prolongMs: number;
  readonly #beat: Beat;
  readonly runningIds: RunningIds = new RunningIds();
  /** How many sessions were begun here, and how many were ended by their clients. */
  readonly counts = { begun: 0, ended: 0 };

  constructor(server: Engine, store: Store, options: SessionOptions & { callerShare?: number }) {
    const { idleMs = limits.http.sessionIdleMs.value, max = limits.http.sessions.value, callerShare = 100 } = options;
    this.#server = server;
    this.#store = store;
    this.#ownerLimit = Math.min(max, shareOf(max, callerShare));
    const ownerLength = shareOf(limits.stores.maxMemberLength.value, callerShare);
    this.#watchBounds = Number.isFinite(ownerLength) ? { ...watchBounds, ownerLength } : watchBounds;
    this.#prolongMs = Math.min(idleMs / 3, 30_000);
    this.#beat = new Beat({ everyMs: this.#prolongMs });
    const life: Life = { ttlMs: idleMs, kind: 'sessions', limit: max };
    const isNear = isMemoryStore(store) || inWorkers;
    const trustMs = Math.min(limits.http.cachedMs.value, idleMs / 2);
    // The store hears of use every half of that time only: a session must not expire the earlier for it.
    this.#life = isNear ? life : { ...life, ttlMs: idleMs + trustMs / 2 };
    this.#cache = isNear ? undefined : new SessionCache(store, this.#busyLife, { trustMs, lifeMs: idleMs });
  }

  /** Keeps a new session and gives its id, which can't be guessed. Of too many, those of the same owner go first. */
  async create(session: Session, principal: string | undefined, owner?: string): Promise<string> {
    const id = crypto.randomUUID();
    this.counts.begun += 1;
    const fields = { ...toFields(session), ...(principal !== undefined && { principal }) };
    const made = this.#store.create(
      sessionKey(id),
      fields,
      owner === undefined ? this.#life : { ...this.#life, owner, ownerLimit: this.#ownerLimit },
    );
    // A store that answers at once is as good as what is known here.
    if (!isThenable(made)) return id;
    await made;
    this.#cache?.learn(sessionKey(id), fields);
    return id;
  }

  /** The session behind an id, for the caller who began it and only to look at; its subscriptions are not there. */
  find(id: string, principal: string | undefined): Awaitable<Session | undefined> {
    const known = this.#known.get(id);
    if (known === undefined && !isSessionId(id)) return undefined;
    // The key that is known has its hash, which a new one would have to be given.
    const key = known?.key ?? sessionKey(id);
    const read = this.#cache === undefined ? this.#store.read(key, this.#life) : this.#cache.read(key);
    if (isThenable(read)) return Promise.resolve(read).then((fields) => this.#sessionIn(fields, id, principal));
    if (read !== undefined && read === known?.fields) return read.principal === principal ? known.session : undefined;
    return this.#sessionIn(read, id, principal);
  }

  /**
   * As `find`, but to be changed and saved; of what it watches, it knows what is changed. `send` delivers what belongs to
   * no request.
   */
  async load(id: string, principal: string | undefined, send?: Session['notify']): Promise<LoadedSession | undefined> {
    const fields = await this.#read(id, principal);
    if (fields === undefined) return undefined;
    const session = fromFields(fields, send);
    const watched = new SubscriptionChanges();
    session.subscriptions = watched;
    return { session, fields, watched };
  }

  /** What a session watches. */
  watchedBy(id: string): Awaitable<ReadonlySet<string>> {
    return this.#store.members(sessionKey(id));
  }

  /** Keeps what was changed in a session since it was loaded. Gives an error for the client where there is no room. */
  async save(id: string, { session, fields, watched }: LoadedSession): Promise<ProtocolError | undefined> {
    const key = sessionKey(id);
    const changes = changesIn(session, fields);
    const [add, remove] = [[...watched.added], [...watched.removed]];
    if (Object.keys(changes).length > 0 && (await this.#update(key, fields, changes))) {
      await this.tell(id, { kind: 'changed' });
    }
    if (add.length + remove.length === 0) return undefined;
    const altered = await this.#store.alter(key, { add, remove, max: this.#watchBounds });
    if (altered === 'full') return noRoomInSession();
    if (altered) await this.tell(id, { kind: 'watches', add, remove });
    return undefined;
  }

  /** Ends a session: its streams, its running requests, what was kept of it. */
  async end(id: string): Promise<void> {
    this.counts.ended += 1;
    this.#forget(id);
    await this.#store.remove(sessionKey(id));
    this.#forget(id);
    await this.tell(id, { kind: 'ended' });
  }

  /** Tells whichever instances have something going on in a session. */
  async tell(id: string, news: SessionNews): Promise<void> {
    await this.#store.publish(sessionKey(id), JSON.stringify(news));
  }

  /** Takes part in what goes on in a session, which stays meanwhile even if its client is silent. */
  async hold(id: string): Promise<Hold> {
    let held = this.#held.get(id);
    if (held === undefined) {
      const live = new LiveSession(this.#server);
      const listening = this.#listen(id, live);
      held = { live, listening, holders: 0 };
      this.#held.set(id, held);
    }
    held.holders += 1;
    const { live, listening } = held;
    const release = this.#releaser(id, held);
    try {
      await listening;
    } catch (error) {
      release();
      throw error;
    }
    return { live, release };
  }

  /** The live part of a session whose standing stream this instance has. */
  standing(id: string): LiveSession | undefined {
    const live = this.#held.get(id)?.live;
    return live?.standing === undefined ? undefined : live;
  }

  /** How many sessions have something going on here. */
  get liveCount(): number {
    return this.#held.size;
  }

  /** Lets go of what is listened to. */
  close(): void {
    this.#cache?.close();
  }

  /** What is read meanwhile may be from before, and is read again. */
  async #update(key: string, fields: Fields, changes: Record<string, string>): Promise<boolean> {
    this.#cache?.change(key);
    const updated = this.#store.update(key, changes, this.#life);
    if (!isThenable(updated)) return updated;
    const isThere = await updated;
    if (isThere) this.#cache?.change(key, { ...fields, ...changes });
    else this.#cache?.drop(key);
    return isThere;
  }

  #read(id: string, principal: string | undefined): Awaitable<Fields | undefined> {
    if (!isSessionId(id)) return undefined;
    return whenThere(this.#store.read(sessionKey(id), this.#life), (fields) =>
      fields?.principal === principal ? fields : undefined,
    );
  }

  #sessionIn(fields: Fields | undefined, id: string, principal: string | undefined): Session | undefined {
    if (fields === undefined) this.#forget(id);
    if (fields === undefined || fields.principal !== principal) return undefined;
    const known = this.#known.get(id);
    if (known?.fields === fields) return known.session;
    const session = fromFields(fields);
    this.#remember(id, fields, session);
    return session;
  }

  #remember(id: string, fields: Fields, session: Session): void {
    let length = knownWeight;
    for (const name in fields) length += (fields[name] as string).length;
    this.#forgetKnown(id);
    if (this.#knownLength + length > maxKnownLength) {
      this.#known.clear();
      this.#knownLength = 0;
    }
    this.#knownLength += length;
    this.#known.set(id, { key: sessionKey(id), fields, session, length });
  }

  #forget(id: string): void {
    this.#forgetKnown(id);
    this.#cache?.drop(sessionKey(id));
  }

  #forgetKnown(id: string): void {
    this.#knownLength -= this.#known.get(id)?.length ?? 0;
    this.#known.delete(id);
  }

  async #listen(id: string, live: LiveSession): Promise<() => void> {
    const key = sessionKey(id);
    const hear = (news: SessionNews): void => {
      live.hear(news);
      if (news.kind === 'missed') this.#prolong(id, live);
    };
    await (this.#cache === undefined ? this.#store.read(key, this.#busyLife) : this.#cache.read(key));
    return this.#cache === undefined ? followTopic(this.#store, key, hear) : this.#cache.follow(key, hear);
  }

  #releaser(id: string, held: Held): () => void {
    const leave = this.#beat.join(id, () => this.#prolong(id, held.live));
    let released = false;
    return () => {
      if (released) return;
      released = true;
      leave();
      held.holders -= 1;
      if (held.holders > 0) return;
      this.#held.delete(id);
      held.listening.then(
        (stop) => stop(),
        () => {},
      );
      if (this.#held.size === 0) this.#beat.stop();
    };
  }

  get #busyLife(): Life {
    return { ...this.#life, busyMs: this.#prolongMs * 2 };
  }

  /** A session in which something goes on does not expire; where it is gone all the same, whoever takes part hears of it. */
  #prolong(id: string, live: LiveSession): void {
    runInBackground(this.#server, async () => {
      const fields = await this.#store.read(sessionKey(id), this.#busyLife);
      if (fields !== undefined) return;
      this.#forget(id);
      live.hear({ kind: 'ended', lost: true });
    });
  }
}

/** The key of a session's record, its log and its topic. */
export function sessionKey(id: string): string {
  return `session/${id}`;
}

function isSessionId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}
