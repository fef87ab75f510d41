import type { RecordLabels, RecordLimits, StoreDriver } from '../driver.ts';
import type { Life, Room } from '../store.ts';
import { KeyLock, conflict, retryConflicts } from './record-table.ts';
import { decodeRecord, labelsOf } from './record.ts';

/** The number of records that are looked at in one step. */
const sampleSize = 100;

/** The lifetime of an index after its last change. */
const indexMs = 365 * 24 * 3_600_000;

/** The entry of a record in the index of its kind. It may be stale: records expire and are used without it. */
interface Entry extends Omit<RecordLabels, 'kind'> {
  key: string;
  /** When it expires; as records of a kind live equally long, also the order of last use. */
  expiresAt: number;
}

/**
 * Limits over an index of each kind, kept in one value. Where a limit is reached, records are looked up, a sample at a
 * time: those that are gone leave the index, the least recently used of the sample is evicted.
 */
export function indexLimits(driver: StoreDriver): RecordLimits {
  const lock = new KeyLock();

  /** Changes the index of a kind; `change` returns undefined to leave it. */
  function update<T>(
    kind: string,
    change: (index: KindIndex) => Promise<{ result: T; isChanged: boolean }>,
  ): Promise<T> {
    const key = `ccmcp/index/${kind}`;
    return lock.run(key, () =>
      retryConflicts(async () => {
        const found = await driver.get(key);
        const index = new KindIndex(driver, found?.value);
        const { result, isChanged } = await change(index);
        if (!isChanged) return result;
        const version = await driver.compareAndSet(key, found?.version, index.encode(), { ttlMs: indexMs });
        if (version === undefined) return conflict;
        await Promise.all(index.evicted.map(async (each) => driver.delete(each)));
        return result;
      }),
    );
  }

  return {
    reserve: (key, labels, life) =>
      update(labels.kind, async (index) => {
        index.remove(key);
        const hasRoom = life.room === undefined || (await index.makeRoom(labels, { ...life, room: life.room }));
        if (!hasRoom) return { result: false, isChanged: false };
        if (life.room === undefined) await index.evict(labels, life);
        index.add({ ...labels, key, expiresAt: Date.now() + life.ttlMs });
        return { result: true, isChanged: true };
      }),

    reserveMembers: (key, labels, ownerLength) =>
      update(labels.kind, async (index) => {
        const others = (): Entry[] => index.ofOwner(labels.owner).filter((entry) => entry.key !== key);
        const isTooLong = (): boolean => sum(others(), 'memberLength') + labels.memberLength > ownerLength;
        await index.refreshWhile(isTooLong, others);
        if (isTooLong()) return { result: false, isChanged: false };
        index.change(key, labels);
        return { result: true, isChanged: true };
      }),

    resize: (key, labels) =>
      update(labels.kind, async (index) => ({ result: undefined, isChanged: index.change(key, labels) })),
  };
}

/** The records of a kind, as far as they are known. */
class KindIndex {
  readonly #driver: StoreDriver;
  readonly #entries = new Map<string, Entry>();
  readonly #fresh = new Set<string>();
  /** The keys of records to delete. */
  readonly evicted: string[] = [];

  constructor(driver: StoreDriver, text: string | undefined) {
    this.#driver = driver;
    for (const entry of JSON.parse(text ?? '[]') as Entry[]) this.#entries.set(entry.key, entry);
  }

  encode(): string {
    return JSON.stringify([...this.#entries.values()]);
  }

  add({ key, owner, length, memberLength, expiresAt, busyUntil }: Entry): void {
    this.#entries.set(key, { key, owner, length, memberLength, expiresAt, busyUntil });
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  /** Returns false if nothing changed. */
  change(key: string, { length, memberLength }: RecordLabels): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || (entry.length === length && entry.memberLength === memberLength)) return false;
    this.#entries.set(key, { ...entry, length, memberLength });
    return true;
  }

  /** The entries of an owner, the least recently used first. */
  ofOwner(owner: string): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.owner === owner).sort(compareUse);
  }

  /** Evicts records until one more is within the limits of the kind and its owner. */
  async evict({ owner }: RecordLabels, { limit, ownerLimit = limit }: Life): Promise<void> {
    const own = (): Entry[] => this.ofOwner(owner);
    await this.#evictWhile(() => own().length >= ownerLimit, own);
    await this.#evictWhile(
      () => this.#entries.size >= limit,
      () => this.#largestFirst(),
    );
  }

  /** True if one more record fits into the budget of its kind, without evicting those of others. */
  async makeRoom({ owner, length }: RecordLabels, life: Life & { room: Room }): Promise<boolean> {
    const { limit, room } = life;
    const fits = (without: ReadonlySet<Entry> = new Set()): boolean => {
      const all = [...this.#entries.values()].filter((entry) => !without.has(entry));
      if (all.length >= limit || sum(all, 'length') + length > room.length) return false;
      const own = all.filter((entry) => entry.owner === owner);
      return owner === '' || sum(own, 'length') + length <= room.ownerLength;
    };
    await this.refreshWhile(
      () => !fits(),
      () => [...this.#entries.values()].sort(compareUse),
    );
    if (fits()) return true;
    if (room.evictOwn !== true || !fits(new Set(this.ofOwner(owner)))) return false;
    await this.#evictWhile(
      () => !fits(),
      () => this.ofOwner(owner),
    );
    return fits();
  }

  /** Looks up candidates while a limit is exceeded and some of those looked up are gone. */
  async refreshWhile(isExceeded: () => boolean, candidates: () => readonly Entry[]): Promise<void> {
    while (isExceeded()) {
      const sample = candidates()
        .filter(({ key }) => !this.#fresh.has(key))
        .slice(0, sampleSize);
      const before = this.#entries.size;
      await Promise.all(sample.map((entry) => this.#refresh(entry)));
      if (this.#entries.size === before) return;
    }
  }

  async #evictWhile(isExceeded: () => boolean, candidates: () => readonly Entry[]): Promise<void> {
    await this.refreshWhile(isExceeded, candidates);
    const now = Date.now();
    while (isExceeded()) {
      const known = candidates().filter(({ key }) => this.#fresh.has(key));
      const evicted = known.find(({ busyUntil }) => busyUntil <= now) ?? known[0];
      if (evicted === undefined) return;
      this.#entries.delete(evicted.key);
      this.evicted.push(evicted.key);
    }
  }

  async #refresh({ key }: Entry): Promise<void> {
    const found = await this.#driver.get(key);
    this.#fresh.add(key);
    if (found === undefined) this.#entries.delete(key);
    else this.add({ ...labelsOf(decodeRecord(found)), key, expiresAt: found.expiresAt });
  }

  /** The entries of the owner who has most first; of owners who have as many, of the one used least recently. */
  #largestFirst(): Entry[] {
    const owners = new Map<string, { count: number; lastUse: number }>();
    for (const { owner, expiresAt } of this.#entries.values()) {
      const { count, lastUse } = owners.get(owner) ?? { count: 0, lastUse: 0 };
      owners.set(owner, { count: count + 1, lastUse: Math.max(lastUse, expiresAt) });
    }
    const of = (entry: Entry) => owners.get(entry.owner) as { count: number; lastUse: number };
    return [...this.#entries.values()].sort(
      (a, b) => of(b).count - of(a).count || of(a).lastUse - of(b).lastUse || compareUse(a, b),
    );
  }
}

function compareUse(a: Entry, b: Entry): number {
  return a.expiresAt - b.expiresAt;
}

function sum(entries: readonly Entry[], name: 'length' | 'memberLength'): number {
  return entries.reduce((total, entry) => total + entry[name], 0);
}
