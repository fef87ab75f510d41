/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The fields of a record. */
export type Fields = Readonly<Record<string, string>>;

/**
 * The state that instances of a server share: records (such as sessions), each with members (such as subscriptions) and
 * a log (such as the events of its streams), and topics for messages between instances. Each operation is atomic, and
 * may return its result directly or as a promise. A single instance can use the memory store; several need a shared
 * one.
 */
export interface Store {
  /**
   * Creates a record, or replaces the one with that key. If its kind, or its owner within the kind, has too many,
   * evicts the least recently used: the owner's own, or those of the owner who has most. Returns `full` without a
   * change if its life forbids evictions and there is no room.
   */
  create(key: string, fields: Fields, life: Life): Awaitable<void | 'full'>;
  /**
   * Creates a record as `create` does, unless there is one with that key, and returns whether it did: one of several
   * concurrent callers succeeds. An existing record does not change and does not count as used. Returns false where
   * `create` would return `full`.
   */
  claim(key: string, life: Life, fields?: Fields): Awaitable<boolean>;
  /** The fields of a record; undefined if there is none. Reading counts as use and extends its life. */
  read(key: string, life: Life): Awaitable<Fields | undefined>;
  /** Sets fields of a record; undefined removes one. Returns false if there is no such record. */
  update(key: string, changes: Readonly<Record<string, string | undefined>>, life: Life): Awaitable<boolean>;
  /**
   * Compare-and-set: as `update` if the fields have the expected values; undefined expects an absent field. Otherwise
   * returns `changed`, without a change and without counting as use.
   */
  updateIf(
    key: string,
    expected: Readonly<Record<string, string | undefined>>,
    changes: Readonly<Record<string, string | undefined>>,
    life: Life,
  ): Awaitable<boolean | 'changed'>;
  /** Removes a record, its members and its log; returns false if there was none. */
  remove(key: string): Awaitable<boolean>;
  /**
   * Acquires or extends a lease: a record with the field `holder`. Returns false if another holder has it, until it
   * expires or is released.
   */
  lease(key: string, holder: string, life: Life): Awaitable<boolean>;
  /** Releases a lease; returns false if this holder does not have it. */
  release(key: string, holder: string): Awaitable<boolean>;
  /**
   * Adds an integer to a counter: the field `count` of a record. Its life starts with the first call, and later calls
   * do not extend it.
   */
  count(key: string, more: number, life: Life): Awaitable<Counted>;
  /**
   * Takes whole tokens from a bucket, at most as many as it holds; a negative number returns tokens. The bucket is a
   * record with the fields `tokens` and `at`, the time of the last update; without a record it is full.
   */
  take(key: string, wanted: number, bucket: TokenBucket, life: Life): Awaitable<TokenBucketResult>;
  /**
   * Leases quota: sets how many of `max` units a holder wants and returns how many it gets, which is what others
   * leave. The lease lasts as long as the life says, or until the next call; each holder has a field of the record.
   */
  leaseQuota(key: string, holder: string, quota: QuotaRequest, life: Life): Awaitable<number>;
  /** The members of a record; empty if there is no such record. */
  members(key: string): Awaitable<ReadonlySet<string>>;
  /**
   * Adds and removes members of a record. Returns false if there is no such record, and `full` without a change if a
   * limit of the changes or of the store would be exceeded.
   */
  alter(key: string, changes: MemberChanges): Awaitable<boolean | 'full'>;
  /**
   * Appends an entry to a record's log and returns its number: 1, 2, 3, … Evicts the oldest entries beyond the bounds;
   * the log is removed with its record. Returns undefined if there is no such record.
   */
  append(key: string, entry: string, bounds: LogBounds): Awaitable<number | undefined>;
  /** The entries after a number, oldest first; undefined if some of them were evicted, or there is no log. */
  after(key: string, position: number): Awaitable<readonly StoredEntry[] | undefined>;
  /**
   * Publishes a message to all subscribers on every instance, once each and in order, even if the call is not awaited.
   */
  publish(topic: string, message: string): Awaitable<void>;
  /**
   * Subscribes to a topic. Resolves to an unsubscribe function once no further message can be missed. After a lost
   * connection, a store calls `missed` before it delivers new messages, since some may have been lost.
   */
  subscribe(topic: string, listener: (message: string) => void, missed?: () => void): Awaitable<() => void>;
  /** Releases the resources of this instance. Shared state stays. */
  close(): Awaitable<void>;
  /** The last known status, without I/O. Absent if the store is always available. */
  readonly status?: () => StoreStatus;
}

/** Whether a store can be used now. */
export interface StoreStatus {
  ready: boolean;
  /** Why it can't be used. */
  reason?: string;
  /** The latency of the last heartbeat. */
  latencyMs?: number;
}

/** The lifetime of a record and the limits of its kind. */
export interface Life {
  /** The time until the record expires, unless it is used again. */
  ttlMs: number;
  /** The group of records that share the limits. */
  kind: string;
  /** The maximum number of records of the kind. */
  limit: number;
  /** How long the record counts as in use: others are evicted first. Default: 0. */
  busyMs?: number;
  /** The owner, set on creation. Default: none; records without an owner are evicted as if one owner had them. */
  owner?: string;
  /** The maximum number of records of the kind per owner. Default: `limit`. */
  ownerLimit?: number;
  /**
   * A separate budget for the kind: no record is evicted early, and one that does not fit is rejected. Only for
   * `create` and `claim`. Default: the kind shares the budget of the store.
   */
  room?: Room;
}

/** The budget of a kind, checked on creation. Later changes are not rejected. */
export interface Room {
  /** The total length of all fields. */
  length: number;
  /** The total length per owner; unlimited for records without an owner. */
  ownerLength: number;
  /** Evicts the owner's least recently used records if that makes a new one fit; never those of others. Default: false. */
  evictOwn?: boolean;
}

/** The value of a counter and its remaining time. */
export interface Counted {
  count: number;
  leftMs: number;
}

/** A token bucket that refills at a constant rate. */
export interface TokenBucket {
  /** Its capacity. */
  size: number;
  /** Tokens added per millisecond. */
  perMs: number;
}

/** The tokens taken, and the rest in the bucket, fractions included. */
export interface TokenBucketResult {
  taken: number;
  left: number;
}

/** How much quota a holder wants, and the total for all holders. */
export interface QuotaRequest {
  wanted: number;
  max: number;
}

/** The members that `alter` adds and removes. */
export interface MemberChanges {
  add: readonly string[];
  remove: readonly string[];
  /** Limits after additions. Default: none. */
  max?: MemberBounds;
}

/** Limits on the members of a record. */
export interface MemberBounds {
  count: number;
  /** Their total length. */
  length: number;
  /**
   * The total length of the members of all records of the kind with the same owner, plus 64 per member. Default:
   * unlimited, as for records without an owner.
   */
  ownerLength?: number;
}

/** Limits on a log. Its newest entry always stays. */
export interface LogBounds {
  maxEntries: number;
  /** The total length of all entries. */
  maxLength: number;
}

/** An entry of a record's log, and its number there. */
export interface StoredEntry {
  position: number;
  entry: string;
}
