import type { Fields, Life } from '../store.ts';
import { LinkedList, ListNode } from './linked-list.ts';
import { SharedTexts } from './shared-texts.ts';

/** How often the records are searched for expired ones. */
const sweepMs = 30_000;

/** What is known of a record. A node in the list of its kind. */
export class StoredRecord extends ListNode {
  expires = 0;
  busyUntil: number | undefined;
  members: Set<string> | undefined;
  /** The number of the last entry in its log; stays when the entries go. */
  lastEntry = 0;

  constructor(
    readonly key: string,
    readonly kind: LinkedList<StoredRecord>,
    public fields: Fields,
  ) {
    super();
  }
}

/** Records by key. Each lives for a time, and among a limited number of its kind. */
export class Records {
  readonly #byKey = new Map<string, StoredRecord>();
  /** The records of each kind, in the order of last use. */
  readonly #kinds = new Map<string, LinkedList<StoredRecord>>();
  readonly #texts = new SharedTexts();
  readonly #dropped: (key: string) => void;
  #sweeper: NodeJS.Timeout | undefined;

  /** `dropped` is told the key of each record that goes, for whatever reason. */
  constructor(dropped: (key: string) => void) {
    this.#dropped = dropped;
  }

  /** How many records are held, expired ones that nobody came upon included. */
  get size(): number {
    return this.#byKey.size;
  }

  create(key: string, fields: Fields, life: Life): void {
    this.drop(key);
    const kind = this.#kind(life.kind);
    const record = new StoredRecord(key, kind, this.#kept(fields));
    this.#byKey.set(key, record);
    kind.add(record);
    this.use(record, life);
    this.#evict(kind, life.limit);
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  /** The record of a key, where it is there and has not expired. */
  find(key: string): StoredRecord | undefined {
    const record = this.#byKey.get(key);
    if (record === undefined || record.expires > Date.now()) return record;
    this.drop(key);
    return undefined;
  }

  /** Prolongs a record's life and puts it last in the order of use. */
  use(record: StoredRecord, { ttlMs, busyMs }: Life): void {
    const now = Date.now();
    record.expires = now + ttlMs;
    if (busyMs !== undefined) record.busyUntil = Math.max(record.busyUntil ?? 0, now + busyMs);
    record.kind.moveLast(record);
  }

  /** Sets fields of a record; undefined removes one. Whoever has the old fields keeps them as they were. */
  change(record: StoredRecord, changes: Readonly<Record<string, string | undefined>>): void {
    record.fields = this.#kept({ ...record.fields, ...changes });
  }

  /** False where there was none. */
  drop(key: string): boolean {
    const record = this.#byKey.get(key);
    if (record === undefined) return false;
    this.#byKey.delete(key);
    record.kind.remove(record);
    this.#dropped(key);
    return true;
  }

  clear(): void {
    this.#stopSweeping();
    this.#byKey.clear();
    this.#kinds.clear();
    this.#texts.clear();
  }

  #kind(name: string): LinkedList<StoredRecord> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = new LinkedList();
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

  /** Makes room. Records in use are passed over once; where all are, the least recently used goes all the same. */
  #evict(kind: LinkedList<StoredRecord>, limit: number): void {
    const now = Date.now();
    let mayPass = kind.size;
    while (kind.size > limit) {
      const record = kind.first as StoredRecord;
      if (mayPass-- > 0 && (record.busyUntil ?? 0) > now) kind.moveLast(record);
      else this.drop(record.key);
    }
  }

  #sweep(): void {
    const now = Date.now();
    for (const [key, { expires }] of this.#byKey) if (expires <= now) this.drop(key);
    if (this.#byKey.size === 0) this.#stopSweeping();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
