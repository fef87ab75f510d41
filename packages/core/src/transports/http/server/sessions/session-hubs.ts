import { type Awaitable, isThenable } from '../../../../jsonrpc/awaitable.ts';
import { SharedInterval } from '../../../../runtime/timers.ts';
import { withTimeout } from '../../../../server/call/with-timeout.ts';
import type { Engine } from '../../../../server/engine.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Fields, Life, Store } from '../../../../stores/store.ts';
import { type CacheTimes, HubCache, type HubCacheOptions } from './hub-cache.ts';
import { type Freshness, LiveSession, markStale, type SessionEvent, type SessionHub } from './session-hub.ts';

/** Timeout of reading a session whose record is cached. */
const storeTimeoutMs = 250;

/** Options of the hubs of a store. */
export interface HubOptions extends HubCacheOptions {
  /** The life that reading a session sets. */
  life: Life;
  /** The life of an active session. Cached records are read with it, so it must span the time between reads. */
  busyLife: Life;
  /** How often an active session is extended. */
  extendMs: number;
}

/** Keeps the live part of a session until it is released. */
export interface LiveSessionLease {
  readonly live: LiveSession;
  release(): void;
}

/**
 * Reads sessions from the store and subscribes to their events: one hub per session that this instance uses. Records of
 * a shared store are cached, so that a call does not wait for it: a cached record was read while its topic was subscribed, and no change was published since. It is read again while
 * it is used: whatever was lost, nothing counts for longer than `trustMs`. Only if the store can't be reached, the last
 * known record counts as long as it would have lived.
 */
export class SessionHubs {
  readonly #server: Engine;
  readonly #store: Store;
  readonly #options: HubOptions;
  /** All hubs. */
  readonly cache: HubCache;
  readonly #heartbeat: SharedInterval;
  #liveCount = 0;

  constructor(server: Engine, store: Store, options: HubOptions) {
    this.#server = server;
    this.#store = store;
    this.#options = options;
    this.cache = new HubCache(options);
    this.#heartbeat = new SharedInterval({ everyMs: options.extendMs });
  }

  /** The number of active sessions. */
  get liveCount(): number {
    return this.#liveCount;
  }

  /** Reads the record of a session, from the cache while it counts. */
  read(id: string, hub: SessionHub | undefined = this.cache.hubs.get(id)): Awaitable<Fields | undefined> {
    const { cache, life } = this.#options;
    if (cache === undefined) return this.#store.read(hub?.key ?? this.#options.keyPrefix + id, life);
    if (hub?.fields === undefined || hub.freshness === undefined) return this.#readFirst(id);
    const { freshness, fields } = hub;
    const age = performance.now() - freshness.readAt;
    if (age > cache.trustMs || freshness.isStale || this.#store.status?.().ready === false) {
      return this.#readAgain(hub, freshness, cache);
    }
    if (age > cache.trustMs / 2 && freshness.reading === undefined) this.#refresh(hub, freshness).catch(() => {});
    return fields;
  }

  /** Subscribes to the events of a session, which does not expire meanwhile. */
  async acquire(id: string): Promise<LiveSessionLease> {
    const hub = this.cache.getOrCreate(id);
    if (hub.live === undefined) {
      hub.live = new LiveSession(this.#server);
      this.#liveCount += 1;
    }
    const { live } = hub;
    live.holders += 1;
    const release = this.#releaser(hub, live);
    live.opened ??= this.#open(hub);
    try {
      await live.opened;
    } catch (error) {
      release();
      throw error;
    }
    return { live, release };
  }

  async #open(hub: SessionHub): Promise<void> {
    const { cache, busyLife } = this.#options;
    await (cache === undefined ? this.#store.read(hub.key, busyLife) : this.read(hub.id, hub));
    await this.#subscribe(hub);
  }

  #releaser(hub: SessionHub, live: LiveSession): () => void {
    const leave = this.#heartbeat.join(hub.id, () => this.#extend(hub, live));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      leave();
      live.holders -= 1;
      if (live.holders > 0) return;
      hub.live = undefined;
      this.#liveCount -= 1;
      if (hub.freshness === undefined) hub.unsubscribe();
      this.cache.removeUnused(hub);
      if (this.#liveCount === 0) this.#heartbeat.stop();
    };
  }

  /** Extends the life of an active session; if the store lost it, it ends. */
  #extend(hub: SessionHub, live: LiveSession): void {
    runInBackground(this.#server, async () => {
      if ((await this.#store.read(hub.key, this.#options.busyLife)) !== undefined) return;
      this.cache.forget(hub);
      live.handle({ kind: 'ended', lost: true });
    });
  }

  #subscribe(hub: SessionHub): Promise<void> {
    return hub.subscribe(() =>
      this.#store.subscribe(
        hub.key,
        (message) => this.#handle(hub, JSON.parse(message) as SessionEvent),
        () => this.#handle(hub, { kind: 'missed' }),
      ),
    );
  }

  #handle(hub: SessionHub, event: SessionEvent): void {
    const { live, freshness } = hub;
    if (freshness !== undefined && (event.kind === 'missed' || event.kind === 'changed')) markStale(freshness);
    if (event.kind === 'ended') this.cache.forget(hub);
    live?.handle(event);
    if (event.kind === 'missed' && live !== undefined) this.#extend(hub, live);
  }

  #readFirst(id: string): Awaitable<Fields | undefined> {
    const read = this.#store.read(this.#options.keyPrefix + id, this.#options.busyLife);
    // A store that answers synchronously is as fast as this cache.
    if (!isThenable(read)) return read;
    return Promise.resolve(read).then((fields) => {
      if (fields !== undefined) this.cache.learn(id, fields);
      const hub = this.cache.hubs.get(id);
      if (hub?.freshness !== undefined && !hub.isSubscribing) this.#subscribe(hub).catch(() => {});
      return fields;
    });
  }

  #refresh(hub: SessionHub, freshness: Freshness): Promise<Fields | undefined> {
    const { changes } = freshness;
    const { isSubscribed } = hub;
    if (!hub.isSubscribing) this.#subscribe(hub).catch(() => {});
    const readAt = performance.now();
    const reading = Promise.resolve(this.#store.read(hub.key, this.#options.busyLife))
      .then((fields) => {
        const isCached = hub.freshness === freshness;
        if (fields === undefined && isCached) this.cache.forget(hub);
        else if (fields !== undefined && isSubscribed && isCached && changes === freshness.changes) {
          this.cache.refresh(hub, fields, readAt);
        }
        return fields;
      })
      .finally(() => {
        if (freshness.reading === reading) freshness.reading = undefined;
        if (freshness.late === reading) freshness.late = undefined;
      });
    freshness.reading = reading;
    return reading;
  }

  /** Reads a stale record. What was known last counts if the store does not answer. */
  async #readAgain(hub: SessionHub, freshness: Freshness, { lifeMs }: CacheTimes): Promise<Fields | undefined> {
    const isKnown = performance.now() - freshness.readAt <= lifeMs;
    if (isKnown && freshness.late !== undefined) return hub.fields;
    const reading = freshness.reading ?? this.#refresh(hub, freshness);
    if (!isKnown) return reading;
    const { fields } = hub;
    try {
      return await withTimeout(reading, storeTimeoutMs);
    } catch {
      if (freshness.reading === reading) freshness.late = reading;
      return hub.fields ?? fields;
    }
  }
}
