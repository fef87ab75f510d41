type Awaitable<T> = T | Promise<T>;

/** Named texts that belong together. */
export type Fields = Readonly<Record<string, string>>;

/**
 * What instances of a server share: records (what is known of a session), each with members (what it subscribed to) and
 * a log (what was sent on its streams); and topics (what must be told at once). Each operation happens as a whole or not
 * at all, whoever else is at work. An answer may come at once or as a promise. One instance may use the memory store;
 * several need one they all reach.
 */
export interface Store {
  /**
   * Makes a record, in place of one with that key. Where its kind has too many, or its owner has of that kind, the least
   * recently used go: the owner's own, or those of the owner who has the most. `full`, and nothing done, where its life says
   * that none goes, and there is no room.
   */
  create(key: string, fields: Fields, life: Life): Awaitable<void | 'full'>;
  /**
   * Makes a record where there is none with that key, as `create` does, and says whether it did: of all who try, one
   * succeeds. A record that is there stays as it is, and this does not count as its use. Without fields it has none. Where
   * `create` would give `full`, nobody succeeds.
   */
  claim(key: string, life: Life, fields?: Fields): Awaitable<boolean>;
  /** A record's fields, or undefined where it is not there, or no more. Reading counts as use: it sets its life anew. */
  read(key: string, life: Life): Awaitable<Fields | undefined>;
  /** Sets fields of a record; undefined removes one, others stay as they are. False where there is no such record. */
  update(key: string, changes: Readonly<Record<string, string | undefined>>, life: Life): Awaitable<boolean>;
  /**
   * As `update`, where fields are as expected; undefined expects that one is not there. `changed`, and nothing done, where
   * they are not: that is no use of the record either.
   */
  updateIf(
    key: string,
    expected: Readonly<Record<string, string | undefined>>,
    changes: Readonly<Record<string, string | undefined>>,
    life: Life,
  ): Awaitable<boolean | 'changed'>;
  /** Removes a record, its members and its log; false where there was none. */
  remove(key: string): Awaitable<boolean>;
  /**
   * Makes a record with the field `holder` where there is none with that key, and prolongs it where that holder has it:
   * true. False where another one holds it, until it expires or is released.
   */
  lease(key: string, holder: string, life: Life): Awaitable<boolean>;
  /** Removes what a holder has leased; false where that one does not hold it. */
  release(key: string, holder: string): Awaitable<boolean>;
  /**
   * Counts, in the field `count` of a record that is made with the first: it stays for as long as its life says, however
   * often it is counted up. `more` is a whole number.
   */
  count(key: string, more: number, life: Life): Awaitable<Counted>;
  /**
   * Takes tokens out of a bucket: as many of those that are wanted as are there, whole ones. Fewer than none are put back.
   * The bucket is a record with the fields `tokens` and `at`, when they were counted; without it, it is full.
   */
  take(key: string, wanted: number, bucket: TokenBucket, life: Life): Awaitable<Taken>;
  /**
   * Says how many places a holder wants from now on, of all that there are, and gives how many it has: those that others
   * leave. It has them for as long as the life says, or until it says otherwise; a field of a record tells of each holder.
   */
  hold(key: string, holder: string, places: Places, life: Life): Awaitable<number>;
  /** The members of a record: none where there is no such record. */
  members(key: string): Awaitable<ReadonlySet<string>>;
  /**
   * Adds and removes members of a record, which are there as long as it is. False where there is no such record; `full`,
   * and nothing done, where there would be more than the changes allow, or than the store has room for.
   */
  alter(key: string, changes: MemberChanges): Awaitable<boolean | 'full'>;
  /**
   * Adds an entry to a record's log and gives its number: 1, 2, 3, … The oldest entries go when the log holds more than
   * it may, and the log goes with its record. Undefined where there is no such record.
   */
  append(key: string, entry: string, bounds: LogBounds): Awaitable<number | undefined>;
  /** The entries after a number, oldest first. Undefined where some of them are gone already, or there is no log. */
  after(key: string, position: number): Awaitable<readonly StoredEntry[] | undefined>;
  /** Tells all subscribers of a topic, on every instance, each once and in order, also where nobody awaits it. */
  publish(topic: string, message: string): Awaitable<void>;
  /**
   * Starts listening to a topic. Resolved once nothing published from now on is missed; gives the way to stop. A store that
   * can lose its connection calls `missed` when it listens again, before it tells anything new: messages may have been lost
   * meanwhile.
   */
  subscribe(topic: string, listener: (message: string) => void, missed?: () => void): Awaitable<() => void>;
  /** Frees what the store holds on this instance. What instances share stays. */
  close(): Awaitable<void>;
  /** How the store is, as far as is known without asking anybody. Absent where it can't be away. */
  readonly status?: () => StoreStatus;
}

/** Whether a store can be used now. */
export interface StoreStatus {
  ready: boolean;
  /** Why it can't be used, in words. */
  reason?: string;
  /** How long it took to answer last. */
  latencyMs?: number;
}

/** How long an unused record lives, and how many of its kind may. */
export interface Life {
  /** For so long from now the record is there, unless it is used again. */
  ttlMs: number;
  /** The name of those that are counted together. */
  kind: string;
  /** How many records of the kind there may be once one more is created. */
  limit: number;
  /** For so long from now the record counts as being in use: of too many, others go first. Default: 0. */
  busyMs?: number;
  /** Whose record it is, said when it is created. Default: nobody's; those go as if one owner had them. */
  owner?: string;
  /** How many records of the kind that owner may have once one more is created. Default: as many as there may be. */
  ownerLimit?: number;
  /**
   * What the records of the kind may hold, which are counted for themselves then: none goes before its time to make room for
   * another, and one more is refused where there is none. For `create` and `claim` alone. Default: they share the room of the
   * store.
   */
  room?: Room;
}

/** What records of a kind may hold once one more is created. What is changed later is not refused. */
export interface Room {
  /** The length of the fields of all of them. */
  length: number;
  /** The same for those of one owner; any, for records without an owner. */
  ownerLength: number;
  /** The owner's own least recently used go where that makes room for one more; nobody else's. Default: none goes. */
  evictOwn?: boolean;
}

/** How far something was counted, and for how much longer that counts. */
export interface Counted {
  count: number;
  leftMs: number;
}

/** A bucket that tokens come into at an even pace, until it is full. */
export interface TokenBucket {
  /** How many it holds. */
  size: number;
  /** How many come in a millisecond. */
  perMs: number;
}

/** What came out of a bucket, and what is left in it, parts of a token included. */
export interface Taken {
  taken: number;
  left: number;
}

/** How many places a holder wants, and how many there are for all. */
export interface Places {
  wanted: number;
  max: number;
}

/** What `alter` adds to the members of a record, and what it removes. */
export interface MemberChanges {
  add: readonly string[];
  remove: readonly string[];
  /** How many members there may be afterwards, and how long together, where some were added. Default: any number. */
  max?: MemberBounds;
}

/** What the members of a record may be. */
export interface MemberBounds {
  count: number;
  /** Their length together. */
  length: number;
  /**
   * The length of those of all records of the kind that have the same owner, with 64 for each beside its own. Default:
   * any, and so it is for records without an owner.
   */
  ownerLength?: number;
}

/** What a log may hold. Its newest entry always stays. */
export interface LogBounds {
  maxEntries: number;
  /** The length of all entries together. */
  maxLength: number;
}

/** An entry of a record's log, and its number there. */
export interface StoredEntry {
  position: number;
  entry: string;
}
