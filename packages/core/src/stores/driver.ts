import type { Awaitable, Life, LogBounds, Store, StoredEntry } from './store.ts';

/**
 * The nine operations of a database from which `createStore` derives a `Store`. Values are text of any
 * characters. Each operation is atomic, and may return its result directly or as a promise.
 */
export interface StoreDriver extends Pick<Store, 'publish' | 'subscribe' | 'close' | 'status'> {
  /** The value of a key; undefined if there is none or it has expired. With `ttlMs`, sets its remaining time. */
  get(key: string, ttlMs?: number): Awaitable<StoredValue | undefined>;
  /**
   * Sets the value of a key that still has the expected version, and returns the new version, which the key never had
   * before; undefined expects an absent key. Returns undefined without a change if another version is there.
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    options: ValueOptions,
  ): Awaitable<string | undefined>;
  /** Deletes a key and its log, if it still has the expected version; returns whether it did. Default: any version. */
  delete(key: string, expected?: string): Awaitable<boolean>;
  /**
   * Appends an entry to the log of a key and returns its number: 1, 2, 3, … Evicts the oldest entries beyond the bounds.
   * Returns undefined if there is no such key; a key that is set again has an empty log.
   */
  append(key: string, entry: string, bounds: LogBounds): Awaitable<number | undefined>;
  /** The entries after a number, oldest first; undefined if some of them were evicted, or there is no log. */
  readLog(key: string, after: number): Awaitable<readonly StoredEntry[] | undefined>;
  /** A faster form of the limits. Default: one index value per kind, rewritten for each new record. */
  readonly limits?: RecordLimits;
}

/** A value and its version. */
export interface StoredValue {
  value: string;
  version: string;
  /** The time until it expires. */
  leftMs: number;
  /** When it expires, in milliseconds by the clock of the database: tells which of two values was used last. */
  expiresAt: number;
}

/** The lifetime of a value, and what `limits` may need to know of it. */
export interface ValueOptions {
  ttlMs: number;
  labels?: RecordLabels;
}

/** The properties that limits of records depend on; a driver without `limits` may ignore them. */
export interface RecordLabels {
  kind: string;
  /** Empty without an owner. */
  owner: string;
  /** The total length of the fields. */
  length: number;
  /** The total length of the members, plus 64 per member. */
  memberLength: number;
  /** The time of day until which the record is in use. */
  busyUntil: number;
}

/** Enforces the limits per kind and owner. */
export interface RecordLimits {
  /** Makes room for a record before it is created, by evicting others; returns false if there is none. */
  reserve(key: string, labels: RecordLabels, life: Life): Awaitable<boolean>;
  /** True if the members of all records of the kind and owner, this one included, stay within a length. */
  reserveMembers(key: string, labels: RecordLabels, ownerLength: number): Awaitable<boolean>;
  /** Records the new length of a record of a kind with a `Room`. Not needed if `compareAndSet` keeps the labels. */
  resize?(key: string, labels: RecordLabels): Awaitable<void>;
}
