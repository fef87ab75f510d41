type Awaitable<T> = T | Promise<T>;

/** Named texts that belong together. */
export type Fields = Readonly<Record<string, string>>;

/**
 * What instances of a server share: records (what is known of a session), each with members (what it subscribed to) and
 * a log (what was sent on its streams); and topics (what must be told at once). An answer may come at once or as a
 * promise. One instance may use the memory store; several need one they all reach.
 */
export interface Store {
  /** Makes a record. Where its kind has more than it may, those go that were least recently used. */
  create(key: string, fields: Fields, life: Life): Awaitable<void>;
  /** A record's fields, or undefined where it is not there, or no more. Reading counts as use: it prolongs its life. */
  read(key: string, life: Life): Awaitable<Fields | undefined>;
  /** Sets fields of a record; undefined removes one, others stay as they are. False where there is no such record. */
  update(key: string, changes: Readonly<Record<string, string | undefined>>, life: Life): Awaitable<boolean>;
  /** Removes a record, its members and its log; false where there was none. */
  remove(key: string): Awaitable<boolean>;
  /** The members of a record: none where there is no such record. */
  members(key: string): Awaitable<ReadonlySet<string>>;
  /** Adds and removes members of a record, which are there as long as it is. False where there is no such record. */
  alter(key: string, changes: MemberChanges): Awaitable<boolean>;
  /**
   * Adds an entry to a record's log and gives its number: 1, 2, 3, … The oldest entries go when the log holds more than
   * it may, and the log goes with its record. Undefined where there is no such record.
   */
  append(key: string, entry: string, bounds: LogBounds): Awaitable<number | undefined>;
  /** The entries after a number, oldest first. Undefined where some of them are gone already, or there is no log. */
  after(key: string, position: number): Awaitable<readonly LogEntry[] | undefined>;
  /** Tells all subscribers of a topic, on every instance, each once and in order. */
  publish(topic: string, message: string): Awaitable<void>;
  /** Starts listening to a topic. Resolved once nothing published from now on is missed; gives the way to stop. */
  subscribe(topic: string, listener: (message: string) => void): Awaitable<() => void>;
  /** Frees what the store holds on this instance. */
  close(): Awaitable<void>;
}

/** How long an unused record lives, and how many of its kind may. */
export interface Life {
  ttlMs: number;
  kind: string;
  limit: number;
  /** For so long from now the record counts as being in use: of too many, others go first. Default: 0. */
  busyMs?: number;
}

export interface MemberChanges {
  add: readonly string[];
  remove: readonly string[];
}

/** What a log may hold. Its newest entry always stays. */
export interface LogBounds {
  maxEntries: number;
  /** The length of all entries together. */
  maxLength: number;
}

/** A numbered entry of a log. */
export interface LogEntry {
  position: number;
  entry: string;
}
