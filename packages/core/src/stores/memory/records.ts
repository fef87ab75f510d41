import type { Fields, Life, MemberChanges } from '../store.ts';
import { ListNode } from './linked-list.ts';
import { Members } from './members.ts';
import { type Owner, OwnerIndex } from './owners.ts';
import { unref } from '../../runtime/timers.ts';

/** The interval of the expiry sweep. */
const sweepMs = 30_000;

/** A record: a node in the list of its owner. */
export class StoredRecord extends ListNode {
  expires = 0;
  busyUntil: number | undefined;
  members: Members | undefined;
  /** The number of the last log entry; kept when entries are evicted. */
  lastEntry = 0;
  /** The length of its fields. */
  length = 0;

  constructor(
    readonly key: string,
    readonly owner: Owner<StoredRecord>,
    public fields: Fields,
  ) {
    super();
  }
}

/** Records by key, with expiry and a limit per kind. */
export class Records {
  readonly #byKey = new Map<string, StoredRecord>();
  /** Owners of records, by kind. */
  readonly #kinds = new Map<string, OwnerIndex<StoredRecord>>();
  readonly #texts = new StringPool();
  readonly #maxLength: number;
  readonly #maxMemberLength: number;
  readonly #onDropped: (key: string) => void;
  #length = 0;
  #memberLength = 0;
  #sweeper: NodeJS.Timeout | undefined;

  /** The bounds limit the fields and the members of all records; `onDropped` gets the key of each removed record. */
  constructor(bounds: { maxLength: number; maxMemberLength: number }, onDropped: (key: string) => void) {
    this.#maxLength = bounds.maxLength;
    this.#maxMemberLength = bounds.maxMemberLength;
    this.#onDropped = onDropped;
  }

  /** The number of records, including expired ones that are not swept yet. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Returns false without a change if its life forbids evictions and there is no room. */
  create(key: string, fields: Fields, life: Life): boolean {
    const { kind: name, owner = '', limit, ownerLimit = limit, room } = life;
    const kind = this.#kind(name);
    if (room !== undefined) {
      kind.isCountedSeparately = true;
      const taken = lengthOf(fields);
      if (!hasRoom(kind, life, taken)) this.#sweep();
      if (room.evictOwn === true) this.#evictOwn(kind, life, taken);
      if (!hasRoom(kind, life, taken)) return false;
    }
    this.drop(key);
    const record = new StoredRecord(key, kind.owner(owner), {});
    this.change(record, fields);
    this.#byKey.set(key, record);
    record.owner.add(record);
    this.use(record, life);
    while (record.owner.size > ownerLimit) this.drop(pickEviction([record.owner], record).key);
    while (kind.size > limit || (!kind.isCountedSeparately && this.#length > this.#maxLength && kind.size > 1)) {
      this.drop(pickEviction(kind.largestFirst(), record).key);
    }
    this.#sweeper ??= unref(setInterval(() => this.#sweep(), sweepMs));
    return true;
  }

  /** The record with this key, unless it has expired. */
  find(key: string, now: number = performance.now()): StoredRecord | undefined {
    const record = this.#byKey.get(key);
    if (record === undefined || record.expires > now) return record;
    this.drop(key);
    return undefined;
  }

  /** Extends the record's life and marks it as most recently used. */
  use(record: StoredRecord, { ttlMs, busyMs }: Life, now: number = performance.now()): void {
    // Integers, because V8 boxes other numbers.
    record.expires = Math.ceil(now + ttlMs);
    if (busyMs !== undefined) record.busyUntil = Math.max(record.busyUntil ?? 0, Math.ceil(now + busyMs));
    record.owner.use(record);
  }

  /** Sets fields of a record; undefined removes one. Earlier copies of the fields do not change. */
  change(record: StoredRecord, changes: Readonly<Record<string, string | undefined>>): void {
    record.fields = this.#copyFields({ ...record.fields, ...changes });
    const before = record.length;
    record.length = lengthOf(record.fields);
    this.#count(record, record.length - before);
  }

  /** Changes the members of a record; returns false without a change if there would be too many. */
  alter(record: StoredRecord, changes: MemberChanges): boolean {
    record.members ??= new Members();
    const { weight } = record.members;
    const { name, memberLength } = record.owner;
    const ofOwner = name === '' ? undefined : changes.max?.ownerLength;
    const room = Math.min(
      this.#maxMemberLength - this.#memberLength,
      (ofOwner ?? Number.POSITIVE_INFINITY) - memberLength,
    );
    if (!record.members.alter(changes, room)) return false;
    this.#countMembers(record, record.members.weight - weight);
    return true;
  }

  /** Returns false if there was none. */
  drop(key: string): boolean {
    const record = this.#byKey.get(key);
    if (record === undefined) return false;
    this.#byKey.delete(key);
    record.owner.remove(record);
    this.#count(record, -record.length);
    this.#countMembers(record, -(record.members?.weight ?? 0));
    this.#onDropped(key);
    return true;
  }

  clear(): void {
    this.#stopSweeping();
    this.#byKey.clear();
    this.#kinds.clear();
    this.#texts.clear();
    this.#length = 0;
    this.#memberLength = 0;
  }

  /** Evicts the owner's least recently used records until one more fits; none if it would not fit without all of them. */
  #evictOwn(kind: OwnerIndex<StoredRecord>, life: Life, more: number): void {
    const own = kind.owner(life.owner ?? '');
    if (!hasRoom(kind, life, more, own)) return;
    while (!hasRoom(kind, life, more)) this.drop((own.first as StoredRecord).key);
  }

  #count({ owner }: StoredRecord, more: number): void {
    const { index } = owner;
    owner.length += more;
    index.length += more;
    if (!index.isCountedSeparately) this.#length += more;
  }

  #countMembers({ owner }: StoredRecord, more: number): void {
    this.#memberLength += more;
    owner.memberLength += more;
  }

  #kind(name: string): OwnerIndex<StoredRecord> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = new OwnerIndex();
      this.#kinds.set(name, kind);
    }
    return kind;
  }

  #copyFields(fields: Readonly<Record<string, string | undefined>>): Fields {
    const copy: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) copy[name] = this.#texts.intern(value);
    }
    return copy;
  }

  #sweep(): void {
    const now = performance.now();
    for (const [key, { expires }] of this.#byKey) if (expires <= now) this.drop(key);
    if (this.#byKey.size === 0) this.#stopSweeping();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

function lengthOf(fields: Fields): number {
  let length = 0;
  for (const name in fields) length += name.length + (fields[name] as string).length;
  return length;
}

/** True if a record fits without an eviction, or would fit without the records of `without`. */
function hasRoom(
  kind: OwnerIndex<StoredRecord>,
  { owner = '', limit, room }: Life,
  more: number,
  without?: Owner<StoredRecord>,
): boolean {
  if (room === undefined) return true;
  const { size, length } = without ?? { size: 0, length: 0 };
  if (kind.size - size >= limit || kind.length - length + more > room.length) return false;
  return owner === '' || kind.owner(owner).length - length + more <= room.ownerLength;
}

/** Picks the record to evict: one in use only if all are in use. */
function pickEviction(owners: Iterable<Owner<StoredRecord>>, newest: StoredRecord): StoredRecord {
  const now = performance.now();
  let busiest: StoredRecord | undefined;
  for (const owner of owners) {
    for (let left = owner.size; left > 0; left--) {
      const record = owner.first as StoredRecord;
      if (record !== newest) {
        if ((record.busyUntil ?? 0) <= now) return record;
        busiest ??= record;
      }
      owner.skip(record);
    }
  }
  return busiest ?? newest;
}

/** The maximum number of pooled strings. */
const maxTexts = 1000;

/** The maximum length of a pooled string. */
const maxLength = 1000;

/** Interns equal strings: most clients send the same values about themselves. */
export class StringPool {
  readonly #texts = new Map<string, string>();

  /** The number of pooled strings. */
  get size(): number {
    return this.#texts.size;
  }

  /** Returns the pooled string that equals this one. */
  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (text.length > maxLength) return text;
    if (this.#texts.size === maxTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  clear(): void {
    this.#texts.clear();
  }
}
