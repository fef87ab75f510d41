import { Chain, Link } from './chain.ts';
import type { Fields, Life, LogEntry, Store } from './store.ts';

class StoredRecord extends Link {
  expires = 0;
  busyUntil: number | undefined;
  members: Set<string> | undefined;
  /** The number of the last entry in its log; stays when the entries go. */
  lastEntry = 0;

  constructor(
    readonly key: string,
    readonly kind: Chain<StoredRecord>,
    public fields: Fields,
  ) {
    super();
  }
}

interface Log {
  entries: LogEntry[];
  length: number;
}

export interface MemoryStoreOptions {
  /** How many characters all logs together may hold; of more, the logs go that were written longest ago. Default: 32 Mi. */
  maxLogLength?: number;
}

/** How often what has expired is looked for. */
const sweepMs = 30_000;

/** How many texts, and of which length, are kept once where several records have them. */
const maxShared = 1000;
const maxSharedLength = 1000;

/** A store for one process. All of its answers come at once. */
export function memoryStore({ maxLogLength = 32 * 1024 * 1024 }: MemoryStoreOptions = {}): Store {
  const records = new Map<string, StoredRecord>();
  /** The records of each kind, in the order of last use. */
  const kinds = new Map<string, Chain<StoredRecord>>();
  /** Most clients say the same of themselves as others do. */
  const shared = new Map<string, string>();
  /** In the order of last writing. */
  const logs = new Map<string, Log>();
  let logLength = 0;
  const topics = new Map<string, Set<(message: string) => void>>();
  const undelivered: { topic: string; message: string }[] = [];
  let delivering = false;
  let sweeper: NodeJS.Timeout | undefined;

  function find(key: string): StoredRecord | undefined {
    const record = records.get(key);
    if (record === undefined || record.expires > Date.now()) return record;
    drop(key);
    return undefined;
  }

  function drop(key: string): boolean {
    const record = records.get(key);
    if (record === undefined) return false;
    records.delete(key);
    dropLog(key);
    record.kind.remove(record);
    return true;
  }

  function dropLog(key: string): void {
    logLength -= logs.get(key)?.length ?? 0;
    logs.delete(key);
  }

  function kindOf(name: string): Chain<StoredRecord> {
    let kind = kinds.get(name);
    if (kind === undefined) {
      kind = new Chain();
      kinds.set(name, kind);
    }
    return kind;
  }

  function kept(fields: Readonly<Record<string, string | undefined>>): Fields {
    const copy: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) copy[name] = keptOnce(value);
    return copy;
  }

  function keptOnce(text: string): string {
    const known = shared.get(text);
    if (known !== undefined || text.length > maxSharedLength) return known ?? text;
    if (shared.size === maxShared) shared.clear();
    shared.set(text, text);
    return text;
  }

  /** Puts the record last in the order of use. */
  function use(record: StoredRecord, { ttlMs, busyMs }: Life): void {
    const now = Date.now();
    record.expires = now + ttlMs;
    if (busyMs !== undefined) record.busyUntil = Math.max(record.busyUntil ?? 0, now + busyMs);
    record.kind.moveLast(record);
  }

  /** Makes room. Records in use are passed over once; where all are, the least recently used goes all the same. */
  function evict(kind: Chain<StoredRecord>, limit: number): void {
    const now = Date.now();
    let mayPass = kind.size;
    while (kind.size > limit) {
      const record = kind.first as StoredRecord;
      if (mayPass-- > 0 && (record.busyUntil ?? 0) > now) kind.moveLast(record);
      else drop(record.key);
    }
  }

  function sweep(): void {
    const now = Date.now();
    for (const [key, { expires }] of records) if (expires <= now) drop(key);
    if (records.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function deliver({ topic, message }: { topic: string; message: string }): void {
    for (const listener of topics.get(topic) ?? []) listener(message);
  }

  return {
    create(key, fields, life) {
      drop(key);
      const kind = kindOf(life.kind);
      const record = new StoredRecord(key, kind, kept(fields));
      records.set(key, record);
      kind.add(record);
      use(record, life);
      evict(kind, life.limit);
      sweeper ??= setInterval(sweep, sweepMs).unref();
    },

    read(key, life) {
      const record = find(key);
      if (record !== undefined) use(record, life);
      return record?.fields;
    },

    update(key, changes, life) {
      const record = find(key);
      if (record === undefined) return false;
      record.fields = kept({ ...record.fields, ...changes });
      use(record, life);
      return true;
    },

    remove(key) {
      return drop(key);
    },

    members(key) {
      return new Set(find(key)?.members);
    },

    alter(key, { add, remove }) {
      const record = find(key);
      if (record === undefined) return false;
      record.members ??= new Set();
      for (const member of remove) record.members.delete(member);
      for (const member of add) record.members.add(member);
      return true;
    },

    append(key, entry, { maxEntries, maxLength }) {
      const record = find(key);
      if (record === undefined) return undefined;
      record.lastEntry += 1;
      const log = logs.get(key) ?? { entries: [], length: 0 };
      logs.delete(key);
      logs.set(key, log);
      log.entries.push({ position: record.lastEntry, entry });
      let grown = entry.length;
      while (log.entries.length > 1 && (log.entries.length > maxEntries || log.length + grown > maxLength)) {
        grown -= (log.entries.shift() as LogEntry).entry.length;
      }
      log.length += grown;
      logLength += grown;
      for (const oldest of logs.keys()) {
        if (logLength <= maxLogLength || oldest === key) break;
        dropLog(oldest);
      }
      return record.lastEntry;
    },

    after(key, position) {
      const record = find(key);
      const log = logs.get(key);
      const first = log?.entries[0];
      if (record === undefined || log === undefined || first === undefined) return undefined;
      if (position < first.position - 1 || position > record.lastEntry) return undefined;
      return log.entries.slice(position - first.position + 1);
    },

    publish(topic, message) {
      undelivered.push({ topic, message });
      // Who publishes while being told something must not overtake what others have not been told yet.
      if (delivering) return;
      delivering = true;
      try {
        for (let next = undelivered.shift(); next !== undefined; next = undelivered.shift()) deliver(next);
      } finally {
        delivering = false;
      }
    },

    subscribe(topic, listener) {
      let listeners = topics.get(topic);
      if (listeners === undefined) {
        listeners = new Set();
        topics.set(topic, listeners);
      }
      const own = (message: string): void => listener(message);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },

    close() {
      clearInterval(sweeper);
      sweeper = undefined;
      records.clear();
      kinds.clear();
      shared.clear();
      logs.clear();
      logLength = 0;
      topics.clear();
    },
  };
}
