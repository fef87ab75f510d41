import type { Engine } from '../../../../server/engine.ts';
import type { Session } from '../../../../server/session.ts';
import type { Fields, Life, Store } from '../../../../stores/store.ts';
import { type Awaitable, whenThere } from '../../../../jsonrpc/awaitable.ts';
import { inBackground } from '../../../../server/in-background.ts';
import { LiveSession, type SessionNews } from './live-session.ts';
import { changesIn, fromFields, toFields, without } from './session-record.ts';
import { limits } from '../../../../limits.ts';

/** How many sessions there may be, and how long. */
export interface SessionOptions {
  /** How long a session that is not used stays. Default: 30 minutes. */
  idleMs?: number;
  /** How many sessions there may be; of more, the least recently used end. Default: 10 000. */
  max?: number;
}

/** A session that may be changed, and how it was kept when it was read. */
export interface LoadedSession {
  readonly session: Session;
  readonly fields: Fields;
  readonly members: ReadonlySet<string>;
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

/** The sessions of handshake clients: kept in the store, so that any instance can serve any of them. */
export class Sessions {
  readonly #server: Engine;
  readonly #store: Store;
  readonly #life: Life;
  readonly #held = new Map<string, Held>();
  /** Sessions that were read from the same fields are the same as long as nobody changes them. */
  readonly #known = new WeakMap<Fields, Session>();
  readonly #prolongMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Engine, store: Store, options: SessionOptions) {
    const { idleMs = limits.http.sessionIdleMs.value, max = limits.http.sessions.value } = options;
    this.#server = server;
    this.#store = store;
    this.#life = { ttlMs: idleMs, kind: 'sessions', limit: max };
    this.#prolongMs = Math.min(idleMs / 3, 30_000);
  }

  /** Keeps a new session and gives its id, which can't be guessed. */
  async create(session: Session, principal: string | undefined): Promise<string> {
    const id = crypto.randomUUID();
    const fields = { ...toFields(session), ...(principal !== undefined && { principal }) };
    await this.#store.create(sessionKey(id), fields, this.#life);
    return id;
  }

  /** The session behind an id, for the caller who began it and only to look at; its subscriptions are not there. */
  find(id: string, principal: string | undefined): Awaitable<Session | undefined> {
    return whenThere(this.#read(id, principal), (fields) => fields && this.#sessionIn(fields));
  }

  /** As `find`, but whole, and to be changed and saved. `send` delivers what belongs to no request. */
  async load(id: string, principal: string | undefined, send?: Session['notify']): Promise<LoadedSession | undefined> {
    const fields = await this.#read(id, principal);
    if (fields === undefined) return undefined;
    const session = fromFields(fields, send);
    const members = await this.#store.members(sessionKey(id));
    for (const uri of members) session.subscriptions.add(uri);
    return { session, fields, members };
  }

  /** Keeps what was changed in a session since it was loaded. */
  async save(id: string, { session, fields, members }: LoadedSession): Promise<void> {
    const key = sessionKey(id);
    const changes = changesIn(session, fields);
    const add = without(session.subscriptions, members);
    const remove = without(members, session.subscriptions);
    const changed = Object.keys(changes).length > 0 && (await this.#store.update(key, changes, this.#life));
    const altered = add.length + remove.length > 0 && (await this.#store.alter(key, { add, remove }));
    if (changed || altered) await this.tell(id, { kind: 'changed' });
  }

  /** Ends a session: its streams, its running requests, what was kept of it. */
  async end(id: string): Promise<void> {
    await this.#store.remove(sessionKey(id));
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
      const live = new LiveSession();
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

  /** How many sessions have something going on here. */
  get liveCount(): number {
    return this.#held.size;
  }

  #read(id: string, principal: string | undefined): Awaitable<Fields | undefined> {
    if (!isSessionId(id)) return undefined;
    return whenThere(this.#store.read(sessionKey(id), this.#life), (fields) =>
      fields?.principal === principal ? fields : undefined,
    );
  }

  #sessionIn(fields: Fields): Session {
    let session = this.#known.get(fields);
    if (session === undefined) {
      session = fromFields(fields);
      this.#known.set(fields, session);
    }
    return session;
  }

  async #listen(id: string, live: LiveSession): Promise<() => void> {
    this.#timer ??= setInterval(() => this.#prolong(), this.#prolongMs).unref();
    await this.#store.read(sessionKey(id), this.#busyLife);
    return this.#store.subscribe(sessionKey(id), (message) => live.hear(JSON.parse(message) as SessionNews));
  }

  #releaser(id: string, held: Held): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      held.holders -= 1;
      if (held.holders > 0) return;
      this.#held.delete(id);
      held.listening.then(
        (stop) => stop(),
        () => {},
      );
      if (this.#held.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  get #busyLife(): Life {
    return { ...this.#life, busyMs: this.#prolongMs * 2 };
  }

  /** Sessions in which something goes on don't expire; where one is gone all the same, what goes on in it ends. */
  #prolong(): void {
    for (const [id, { live }] of this.#held) {
      inBackground(this.#server, async () => {
        const fields = await this.#store.read(sessionKey(id), this.#busyLife);
        if (fields === undefined) live.hear({ kind: 'ended' });
      });
    }
  }
}

/** The key of a session's record, its log and its topic. */
export function sessionKey(id: string): string {
  return `session/${id}`;
}

function isSessionId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}
