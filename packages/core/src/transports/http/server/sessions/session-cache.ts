import { type Awaitable, isThenable } from '../../../../jsonrpc/awaitable.ts';
import { limits } from '../../../../limits.ts';
import { withTimeout } from '../../../../server/call/with-timeout.ts';
import { Beat } from '../../../../runtime/timers.ts';
import type { Fields, Life, Store } from '../../../../stores/store.ts';
import type { SessionNews } from './live-session.ts';

/** How many sessions are kept at most, and how long what was read of one counts. */
export interface CacheBounds {
  /** Beyond it, what was read counts only where the store can't be asked. */
  trustMs: number;
  /** How long a record lives that nobody reads. */
  lifeMs: number;
  max?: number;
  maxLength?: number;
}

type Hear = (news: SessionNews) => void;

/** A session's record as it is known here, while its topic is listened to. */
interface Entry {
  readonly key: string;
  /** As they were known last. */
  fields: Fields;
  length: number;
  /** When they were asked for. */
  readAt: number;
  /** True where a change may have been missed since. */
  isDoubtful: boolean;
  /** Goes up with each change, and each that may have been missed: what was asked for before is not kept. */
  changes: number;
  asking: Promise<Fields | undefined> | undefined;
  /** The question that was not answered in time: nobody else waits for it. */
  late: Promise<Fields | undefined> | undefined;
  /** True where its topic is listened to, or about to be. */
  listens: boolean;
  /** Ends the subscription; undefined until there is one. */
  stop: (() => void) | undefined;
  isDropped: boolean;
  readonly listeners: Set<Hear>;
}

/** Hears what is told of a session, or that some of it may have been lost. */
export function followTopic(store: Store, key: string, hear: Hear): Awaitable<() => void> {
  const missed = (): void => hear({ kind: 'missed' });
  return store.subscribe(key, (message) => hear(JSON.parse(message) as SessionNews), missed);
}

/** A store that takes longer is not waited for where a record is known. */
const knownMs = limits.http.knownMs.value;

/** What an entry takes beside its fields. */
const weight = 512;

/**
 * Records of sessions, kept where they are used, so that a call does not wait for a store that other instances share. What is
 * kept was asked for while its topic was listened to, and no change was heard since. It is asked for again while it is used:
 * whatever was lost, nothing counts for longer than `trustMs`. Only where the store can't be asked, what was known last
 * counts as long as the record would have lived.
 */
export class SessionCache {
  readonly #store: Store;
  readonly #life: Life;
  readonly #bounds: Required<CacheBounds>;
  /** The one that was read longest ago comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #beat: Beat;
  #length = 0;
  #isClosed = false;

  /** `life` is what reading a record gives it: what is kept is read rarely, so it must span that. */
  constructor(store: Store, life: Life, bounds: CacheBounds) {
    this.#store = store;
    this.#life = life;
    this.#bounds = { max: limits.http.cachedSessions.value, maxLength: limits.http.cachedLength.value, ...bounds };
    this.#beat = new Beat({ everyMs: bounds.trustMs });
  }

  /** How many records are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** Reads a record, from here where what is known of it counts. */
  read(key: string): Awaitable<Fields | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#readFirst(key);
    const { fields } = entry;
    const age = performance.now() - entry.readAt;
    const { trustMs } = this.#bounds;
    if (age > trustMs || entry.isDoubtful || this.#store.status?.().ready === false) return this.#askAgain(entry);
    if (age > trustMs / 2 && entry.asking === undefined) this.#ask(entry).catch(() => {});
    return fields;
  }

  /** Hears what is told of a session, until the function given back is called. Costs nothing where it is kept here. */
  follow(key: string, hear: Hear): Awaitable<() => void> {
    const entry = this.#entries.get(key);
    if (entry?.stop === undefined) return followTopic(this.#store, key, hear);
    entry.listeners.add(hear);
    return () => {
      entry.listeners.delete(hear);
      if (entry.isDropped && entry.listeners.size === 0) entry.stop?.();
    };
  }

  /** Something was changed here: it is read again. Where that is not possible, it counts as it is known here. */
  change(key: string, fields?: Fields): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      if (fields !== undefined) this.learn(key, fields);
      return;
    }
    this.#doubt(entry);
    if (fields !== undefined) this.#put(entry, fields);
  }

  /** Takes in a record that was made or read here. */
  learn(key: string, fields: Fields): void {
    if (!this.#isClosed && !this.#entries.has(key)) this.#add(key, fields);
  }

  /** Forgets a record. */
  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(entry);
  }

  /** Forgets everything, and hears nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const entry of this.#entries.values()) this.#drop(entry);
  }

  #readFirst(key: string): Awaitable<Fields | undefined> {
    const read = this.#store.read(key, this.#life);
    // A store that answers at once is as good as this.
    if (!isThenable(read)) return read;
    return Promise.resolve(read).then((fields) => {
      if (fields !== undefined) this.learn(key, fields);
      const entry = this.#entries.get(key);
      if (entry?.listens === false) this.#listen(entry);
      return fields;
    });
  }

  /** Nobody listened yet when it was read, so it counts only where the store can't be asked. */
  #add(key: string, fields: Fields): void {
    if (this.#entries.size >= this.#bounds.max) this.#makeRoom();
    const entry: Entry = {
      key,
      fields,
      length: lengthOf(fields),
      readAt: performance.now(),
      isDoubtful: true,
      changes: 0,
      asking: undefined,
      late: undefined,
      listens: false,
      stop: undefined,
      isDropped: false,
      listeners: new Set(),
    };
    if (this.#entries.size === 0) this.#beat.join(this, () => this.#sweep());
    this.#entries.set(key, entry);
    this.#length += entry.length;
    this.#keepWithin();
  }

  #listen(entry: Entry): void {
    entry.listens = true;
    this.#subscribe(entry).catch(() => {
      entry.listens = false;
    });
  }

  async #subscribe(entry: Entry): Promise<void> {
    const stop = await followTopic(this.#store, entry.key, (news) => this.#hear(entry, news));
    entry.stop = stop;
    if (entry.isDropped) stop();
  }

  #hear(entry: Entry, news: SessionNews): void {
    if (news.kind === 'missed' || news.kind === 'changed') this.#doubt(entry);
    if (news.kind === 'ended') this.#drop(entry);
    for (const hear of entry.listeners) hear(news);
  }

  #doubt(entry: Entry): void {
    entry.isDoubtful = true;
    entry.changes += 1;
    entry.asking = undefined;
  }

  #ask(entry: Entry): Promise<Fields | undefined> {
    const { changes } = entry;
    const isHeard = entry.stop !== undefined;
    if (!entry.listens) this.#listen(entry);
    const askedAt = performance.now();
    const asking = Promise.resolve(this.#store.read(entry.key, this.#life))
      .then((fields) => {
        if (fields === undefined) this.#drop(entry);
        else if (isHeard && changes === entry.changes && !entry.isDropped) this.#keep(entry, fields, askedAt);
        return fields;
      })
      .finally(() => {
        if (entry.asking === asking) entry.asking = undefined;
        if (entry.late === asking) entry.late = undefined;
      });
    entry.asking = asking;
    return asking;
  }

  /** What was known last counts where nothing else can be known. */
  async #askAgain(entry: Entry): Promise<Fields | undefined> {
    const isKnown = performance.now() - entry.readAt <= this.#bounds.lifeMs;
    if (isKnown && entry.late !== undefined) return entry.fields;
    const asking = entry.asking ?? this.#ask(entry);
    if (!isKnown) return asking;
    try {
      return await withTimeout(asking, knownMs);
    } catch {
      if (entry.asking === asking) entry.late = asking;
      return entry.fields;
    }
  }

  #put(entry: Entry, fields: Fields): void {
    const length = lengthOf(fields);
    this.#length += length - entry.length;
    Object.assign(entry, { fields, length });
  }

  #keep(entry: Entry, fields: Fields, askedAt: number): void {
    this.#put(entry, fields);
    Object.assign(entry, { readAt: askedAt, isDoubtful: false });
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    this.#keepWithin();
  }

  #keepWithin(): void {
    while (this.#length > this.#bounds.maxLength && this.#entries.size > 1) this.#makeRoom();
  }

  /** Those that were read longest ago are used least. */
  #makeRoom(): void {
    const [first] = this.#entries.values();
    if (first !== undefined) this.#drop(first);
  }

  #drop(entry: Entry): void {
    if (entry.isDropped) return;
    entry.isDropped = true;
    this.#length -= entry.length;
    this.#entries.delete(entry.key);
    if (entry.listeners.size === 0) entry.stop?.();
    if (this.#entries.size === 0) this.#beat.stop();
  }

  /** What is used no more is no longer listened to: it counts only where the store can't be asked, as long as it lives. */
  #sweep(): void {
    const { trustMs, lifeMs } = this.#bounds;
    const now = performance.now();
    for (const entry of this.#entries.values()) {
      const age = now - entry.readAt;
      if (age <= 2 * trustMs) return;
      if (age > lifeMs) this.#drop(entry);
      else if (entry.stop !== undefined && entry.listeners.size === 0) leave(entry);
    }
  }
}

/** What an entry takes with these fields. */
function lengthOf(fields: Fields): number {
  let length = weight;
  for (const name in fields) length += (fields[name] as string).length;
  return length;
}

function leave(entry: Entry): void {
  entry.stop?.();
  Object.assign(entry, { isDoubtful: true, listens: false, stop: undefined });
}
