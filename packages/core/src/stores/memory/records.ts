import type { Fields, Life, MemberChanges } from '../store.ts';
import { ListNode } from './linked-list.ts';
import { Members } from './members.ts';
import { type Owner, Owners } from './owners.ts';
import { SharedTexts } from './shared-texts.ts';
import { letEnd } from '../../runtime/timers.ts';

/** How often the records are searched for expired ones. */
const sweepMs = 30_000;

/** What is known of a record. A node in the list of its owner. */
export class StoredRecord extends ListNode {
  expires = 0;
  busyUntil: number | undefined;
  members: Members | undefined;
  /** The number of the last entry in its log; stays when the entries go. */
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

/** Records by key. Each lives for a time, and among a limited number of its kind. */
export class Records {
  readonly #byKey = new Map<string, StoredRecord>();
  /** Who has records of each kind. */
  readonly #kinds = new Map<string, Owners<StoredRecord>>();
  readonly #texts = new SharedTexts();
  readonly #maxLength: number;
  readonly #maxMemberLength: number;
  readonly #dropped: (key: string) => void;
  #length = 0;
  #memberLength = 0;
  #sweeper: NodeJS.Timeout | undefined;

  /**
   * The bounds are what the fields of all records together may hold, and their members; `dropped` is told the key of each
   * record that goes, for whatever reason.
   */
  constructor(bounds: { maxLength: number; maxMemberLength: number }, dropped: (key: string) => void) {
    this.#maxLength = bounds.maxLength;
    this.#maxMemberLength = bounds.maxMemberLength;
    this.#dropped = dropped;
  }

  /** How many records are held, expired ones that nobody came upon included. */
  get size(): number {
    return this.#byKey.size;
  }

  /** False, and nothing done, where its life says that none goes to make room, and there is none. */
  create(key: string, fields: Fields, life: Life): boolean {
    const { kind: name, owner = '', limit, ownerLimit = limit, room } = life;
    const kind = this.#kind(name);
    if (room !== undefined) {
      kind.isApart = true;
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
    while (record.owner.size > ownerLimit) this.drop(nextToGo([record.owner], record).key);
    while (kind.size > limit || (!kind.isApart && this.#length > this.#maxLength && kind.size > 1)) {
      this.drop(nextToGo(kind.greediestFirst(), record).key);
    }
    this.#sweeper ??= letEnd(setInterval(() => this.#sweep(), sweepMs));
    return true;
  }

  /** The record of a key, where it is there and has not expired. */
  find(key: string, now: number = performance.now()): StoredRecord | undefined {
    const record = this.#byKey.get(key);
    if (record === undefined || record.expires > now) return record;
    this.drop(key);
    return undefined;
  }

  /** Prolongs a record's life and puts it last in the order of use. */
  use(record: StoredRecord, { ttlMs, busyMs }: Life, now: number = performance.now()): void {
    // Whole numbers: others take more memory than the place that they are kept in.
    record.expires = Math.ceil(now + ttlMs);
    if (busyMs !== undefined) record.busyUntil = Math.max(record.busyUntil ?? 0, Math.ceil(now + busyMs));
    record.owner.use(record);
  }

  /** Sets fields of a record; undefined removes one. Whoever has the old fields keeps them as they were. */
  change(record: StoredRecord, changes: Readonly<Record<string, string | undefined>>): void {
    record.fields = this.#kept({ ...record.fields, ...changes });
    const before = record.length;
    record.length = lengthOf(record.fields);
    this.#count(record, record.length - before);
  }

  /** Changes the members of a record; false, and nothing done, where there would be too many. */
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

  /** False where there was none. */
  drop(key: string): boolean {
    const record = this.#byKey.get(key);
    if (record === undefined) return false;
    this.#byKey.delete(key);
    record.owner.remove(record);
    this.#count(record, -record.length);
    this.#countMembers(record, -(record.members?.weight ?? 0));
    this.#dropped(key);
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

  /** Drops an owner's least recently used records until one more fits; none where it would not fit without all of them. */
  #evictOwn(kind: Owners<StoredRecord>, life: Life, more: number): void {
    const own = kind.owner(life.owner ?? '');
    if (!hasRoom(kind, life, more, own)) return;
    while (!hasRoom(kind, life, more)) this.drop((own.first as StoredRecord).key);
  }

  #count({ owner }: StoredRecord, more: number): void {
    const { among } = owner;
    owner.length += more;
    among.length += more;
    if (!among.isApart) this.#length += more;
  }

  #countMembers({ owner }: StoredRecord, more: number): void {
    this.#memberLength += more;
    owner.memberLength += more;
  }

  #kind(name: string): Owners<StoredRecord> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = new Owners();
      this.#kinds.set(name, kind);
    }
    return kind;
  }

  #kept(fields: Readonly<Record<string, string | undefined>>): Fields {
    const copy: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) copy[name] = this.#texts.share(value);
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

/** True where one more record fits that makes no other go, or would if those of `without` went. */
function hasRoom(
  kind: Owners<StoredRecord>,
  { owner = '', limit, room }: Life,
  more: number,
  without?: Owner<StoredRecord>,
): boolean {
  if (room === undefined) return true;
  const { size, length } = without ?? { size: 0, length: 0 };
  if (kind.size - size >= limit || kind.length - length + more > room.length) return false;
  return owner === '' || kind.owner(owner).length - length + more <= room.ownerLength;
}

/** Which record makes room for a new one: records in use are passed over; where all are, one of them goes all the same. */
function nextToGo(owners: Iterable<Owner<StoredRecord>>, newest: StoredRecord): StoredRecord {
  const now = performance.now();
  let inUse: StoredRecord | undefined;
  for (const owner of owners) {
    for (let left = owner.size; left > 0; left--) {
      const record = owner.first as StoredRecord;
      if (record !== newest) {
        if ((record.busyUntil ?? 0) <= now) return record;
        inUse ??= record;
      }
      owner.pass(record);
    }
  }
  return inUse ?? newest;
}
