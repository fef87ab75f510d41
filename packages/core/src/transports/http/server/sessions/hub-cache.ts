import { SharedInterval } from '../../../../runtime/timers.ts';
import type { Fields } from '../../../../stores/store.ts';
import { markStale, SessionHub } from './session-hub.ts';
import { recordLength } from './session-record.ts';

/** The total length of cached records, in characters. */
const maxTotalLength = 8 * 1024 * 1024;
/** The number of cached records. */
const maxCached = 10_000;
/** The overhead of a cached record. */
const overhead = 512;

/** Options of the cache. */
export interface HubCacheOptions {
  /** Caches records, because other instances share the store. Default: reads the store each time. */
  cache?: CacheTimes;
  max?: number;
  maxLength?: number;
  /** The prefix of an id in the key of its record and topic. */
  keyPrefix: string;
}

/** How long cached records count. */
export interface CacheTimes {
  /** Beyond it, a record counts only if the store can't be reached. */
  trustMs: number;
  /** TTL of a record that is not read. */
  lifeMs: number;
}

/** The hubs of this instance by session. The records in them are limited in number, length and age. */
export class HubCache {
  readonly #times: CacheTimes | undefined;
  readonly #max: number;
  readonly #maxLength: number;
  readonly #keyPrefix: string;
  /** The least recently read first. */
  readonly #hubs = new Map<string, SessionHub>();
  /** The known hubs by session. */
  readonly hubs: ReadonlyMap<string, SessionHub> = this.#hubs;
  readonly #sweeper: SharedInterval | undefined;
  #stopSweeping: (() => void) | undefined;
  #count = 0;
  #length = 0;
  #isClosed = false;

  constructor({ cache, max = maxCached, maxLength = maxTotalLength, keyPrefix }: HubCacheOptions) {
    this.#times = cache;
    this.#max = max;
    this.#maxLength = maxLength;
    this.#keyPrefix = keyPrefix;
    this.#sweeper = cache && new SharedInterval({ everyMs: cache.trustMs });
  }

  /** The number of cached records. */
  get size(): number {
    return this.#count;
  }
  getOrCreate(id: string): SessionHub {
    const known = this.#hubs.get(id);
    if (known !== undefined) return known;
    const hub = new SessionHub(id, this.#keyPrefix + id);
    this.#hubs.set(id, hub);
    return hub;
  }

  /** Caches a record that was created or read here. Unsubscribed when it was read, it is stale. */
  learn(id: string, fields: Fields): void {
    if (this.#isClosed || this.#times === undefined || this.#hubs.get(id)?.freshness !== undefined) return;
    const hub = this.getOrCreate(id);
    this.#stopSweeping ??= this.#sweeper?.join(this, () => this.#sweep());
    hub.freshness = { readAt: performance.now(), isStale: true, changes: 0, reading: undefined, late: undefined };
    this.#setLatest(hub, fields);
  }

  /** Caches a record that was read again while its topic was subscribed. */
  refresh(hub: SessionHub, fields: Fields, readAt: number): void {
    if (hub.freshness === undefined) return;
    Object.assign(hub.freshness, { readAt, isStale: false });
    this.#setLatest(hub, fields);
  }

  /** Marks a record that changes here as stale, and caches its new fields in case the store can't be reached. */
  change(id: string, fields?: Fields): void {
    const hub = this.#hubs.get(id);
    if (hub?.freshness === undefined) {
      if (fields !== undefined) this.learn(id, fields);
      return;
    }
    markStale(hub.freshness);
    if (fields !== undefined) this.#setFields(hub, fields);
  }

  /** Forgets the record of a session. */
  forget(hub: SessionHub | undefined): void {
    if (hub?.fields === undefined) return;
    this.#count -= 1;
    this.#length -= lengthOf(hub.fields);
    hub.fields = undefined;
    hub.freshness = undefined;
    if (this.#count === 0) {
      this.#stopSweeping?.();
      this.#stopSweeping = undefined;
      this.#sweeper?.stop();
    }
    this.removeUnused(hub);
  }

  /** Removes a hub without a record whose session is inactive. */
  removeUnused(hub: SessionHub): void {
    if (hub.fields !== undefined || hub.live !== undefined) return;
    hub.unsubscribe();
    if (this.#hubs.get(hub.id) === hub) this.#hubs.delete(hub.id);
  }

  /** Forgets all records. */
  close(): void {
    this.#isClosed = true;
    for (const hub of this.#hubs.values()) this.forget(hub);
  }

  #setFields(hub: SessionHub, fields: Fields): void {
    if (hub.fields === undefined) this.#count += 1;
    this.#length += lengthOf(fields) - lengthOf(hub.fields);
    hub.fields = fields;
  }

  /** Stores a record as the most recently read. */
  #setLatest(hub: SessionHub, fields: Fields): void {
    this.#setFields(hub, fields);
    this.#hubs.delete(hub.id);
    this.#hubs.set(hub.id, hub);
    this.#evict();
  }

  #evict(): void {
    while (this.#count > this.#max || (this.#length > this.#maxLength && this.#count > 1)) {
      for (const hub of this.#hubs.values()) {
        if (hub.fields === undefined) continue;
        this.forget(hub);
        break;
      }
    }
  }

  /** Unsubscribes from sessions that are no longer used: they count only if the store can't be reached. */
  #sweep(): void {
    if (this.#times === undefined) return;
    const { trustMs, lifeMs } = this.#times;
    const now = performance.now();
    for (const hub of this.#hubs.values()) {
      const { freshness } = hub;
      if (freshness === undefined) continue;
      const age = now - freshness.readAt;
      if (age <= 2 * trustMs) return;
      if (age > lifeMs) {
        this.forget(hub);
      } else if (hub.isSubscribed && hub.live === undefined) {
        hub.unsubscribe();
        freshness.isStale = true;
      }
    }
  }
}

/** The size of a cached record. */
function lengthOf(fields: Fields | undefined): number {
  return fields === undefined ? 0 : overhead + recordLength(fields);
}
