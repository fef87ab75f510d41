import type { Life, LogEntry, Store } from './store.ts';

interface StoredRecord {
  readonly kind: string;
  fields: Readonly<Record<string, string>>;
  expires: number;
  busyUntil: number;
  members: Set<string> | undefined;
  /** The number of the last entry in its log; stays when the entries go. */
  lastEntry: number;
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

/** A store for one process. All of its answers come at once. */
export function memoryStore({ maxLogLength = 32 * 1024 * 1024 }: MemoryStoreOptions = {}): Store {
  const records = new Map<string, StoredRecord>();
  /** The keys of each kind, in the order of last use. */
  const kinds = new Map<string, Set<string>>();
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
    const keys = kinds.get(record.kind);
    keys?.delete(key);
    if (keys?.size === 0) kinds.delete(record.kind);
    return true;
  }

  function dropLog(key: string): void {
    logLength -= logs.get(key)?.length ?? 0;
    logs.delete(key);
  }

  function keysOf(kind: string): Set<string> {
    let keys = kinds.get(kind);
    if (keys === undefined) {
      keys = new Set();
      kinds.set(kind, keys);
    }
    return keys;
  }

  /** Puts the record last in the order of use. */
  function use(key: string, record: StoredRecord, { ttlMs, busyMs = 0 }: Life): void {
    const now = Date.now();
    record.expires = now + ttlMs;
    record.busyUntil = Math.max(record.busyUntil, now + busyMs);
    const keys = keysOf(record.kind);
    keys.delete(key);
    keys.add(key);
  }

  /** Makes room. Records in use are passed over once; where all are, the least recently used goes all the same. */
  function evict(kind: string, limit: number): void {
    const keys = keysOf(kind);
    const now = Date.now();
    let mayPass = keys.size;
    for (const key of keys) {
      if (keys.size <= limit) return;
      if (mayPass-- > 0 && (records.get(key) as StoredRecord).busyUntil > now) {
        keys.delete(key);
        keys.add(key);
      } else {
        drop(key);
      }
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
      const { kind, limit } = life;
      const record = { kind, fields: { ...fields }, expires: 0, busyUntil: 0, members: undefined, lastEntry: 0 };
      records.set(key, record);
      use(key, record, life);
      evict(kind, limit);
      sweeper ??= setInterval(sweep, sweepMs).unref();
    },

    read(key, life) {
      const record = find(key);
      if (record !== undefined) use(key, record, life);
      return record?.fields;
    },

    update(key, changes, life) {
      const record = find(key);
      if (record === undefined) return false;
      const fields: Record<string, string> = { ...record.fields };
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) delete fields[name];
        else fields[name] = value;
      }
      record.fields = fields;
      use(key, record, life);
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
      logs.clear();
      logLength = 0;
      topics.clear();
    },
  };
}
