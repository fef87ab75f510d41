import { Logs } from './memory/logs.ts';
import { Records } from './memory/records.ts';
import { Topics } from './memory/topics.ts';
import type { Store } from './store.ts';
import { takeTokens } from './take-tokens.ts';
import { checkLimits, limits } from '../limits.ts';

/** Token buckets and quota leases. */
function quotaOperations(records: Records): Pick<Store, 'take' | 'leaseQuota'> {
  return {
    take(key, wanted, bucket, life) {
      const now = performance.now();
      const record = records.find(key, now);
      const { tokens = bucket.size, at = now } = (record?.fields ?? {}) as { tokens?: string; at?: string };
      const result = takeTokens(bucket, Number(tokens), Math.max(0, now - Number(at)), wanted);
      const fields = { tokens: String(result.left), at: String(now) };
      if (record === undefined) {
        records.create(key, fields, life);
      } else {
        records.change(record, fields);
        records.use(record, life, now);
      }
      return result;
    },

    leaseQuota(key, holder, { wanted, max }, life) {
      const now = performance.now();
      const record = records.find(key, now);
      const changes: Record<string, string | undefined> = {};
      let others = 0;
      for (const [name, text] of Object.entries(record?.fields ?? {})) {
        const [count, until] = text.split(' ').map(Number) as [number, number];
        if (until <= now) changes[name] = undefined;
        else if (name !== holder) others += count;
      }
      const held = Math.max(0, Math.min(wanted, max - others));
      changes[holder] = held === 0 ? undefined : `${held} ${now + life.ttlMs}`;
      if (record === undefined) {
        if (held > 0) records.create(key, { [holder]: changes[holder] as string }, life);
        return held;
      }
      records.change(record, changes);
      if (Object.keys(record.fields).length === 0) records.drop(key);
      else records.use(record, life, now);
      return held;
    },
  };
}

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /** Total size of all logs in characters; beyond it, the least recently written logs are evicted. Default: 16 Mi. */
  maxLogLength?: number;
  /** Total size of all records in characters; beyond it, the least recently used are evicted. Default: 8 Mi. */
  maxRecordLength?: number;
  /** Total size of the members of all records in characters, plus 64 per member; more are rejected. Default: 8 Mi. */
  maxMemberLength?: number;
}

const memoryStores = new WeakSet<Store>();

/** True for a store of `memoryStore`, whose contents are local to this process. */
export function isMemoryStore(store: Store): boolean {
  return memoryStores.has(store);
}

/** A store for one process. All of its operations are synchronous. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkLimits('memoryStore', options);
  const store = createStore(options);
  memoryStores.add(store);
  return store;
}

function createStore(options: MemoryStoreOptions): Store {
  const { maxLogLength = limits.stores.maxLogLength.value } = options;
  const { maxRecordLength: maxLength = limits.stores.maxRecordLength.value } = options;
  const { maxMemberLength = limits.stores.maxMemberLength.value } = options;
  const logs = new Logs(maxLogLength);
  const records = new Records({ maxLength, maxMemberLength }, (key) => logs.drop(key));
  const topics = new Topics();

  return {
    ...coordinationOperations(records),
    ...quotaOperations(records),

    create(key, fields, life) {
      return records.create(key, fields, life) ? undefined : 'full';
    },

    claim(key, life, fields = {}) {
      if (records.find(key) !== undefined) return false;
      return records.create(key, fields, life);
    },

    read(key, life) {
      // One clock reading for both: each costs as much as the lookup.
      const now = performance.now();
      const record = records.find(key, now);
      if (record === undefined) return undefined;
      records.use(record, life, now);
      return record.fields;
    },

    update(key, changes, life) {
      const record = records.find(key);
      if (record === undefined) return false;
      records.change(record, changes);
      records.use(record, life);
      return true;
    },

    remove(key) {
      return records.find(key) !== undefined && records.drop(key);
    },

    members(key) {
      return records.find(key)?.members?.copy() ?? new Set();
    },

    alter(key, changes) {
      const record = records.find(key);
      if (record === undefined) return false;
      return records.alter(record, changes) || 'full';
    },

    append(key, entry, bounds) {
      const record = records.find(key);
      if (record === undefined) return undefined;
      record.lastEntry += 1;
      logs.append(key, { position: record.lastEntry, entry }, bounds);
      return record.lastEntry;
    },

    after(key, position) {
      const record = records.find(key);
      if (record === undefined || position > record.lastEntry) return undefined;
      return logs.after(key, position);
    },

    publish: (topic, message) => topics.publish(topic, message),

    subscribe: (topic, listener) => topics.subscribe(topic, listener),

    close() {
      records.clear();
      logs.clear();
      topics.clear();
    },
  };
}

/** Compare-and-set, leases and counters. */
function coordinationOperations(records: Records): Pick<Store, 'updateIf' | 'lease' | 'release' | 'count'> {
  return {
    updateIf(key, expected, changes, life) {
      const record = records.find(key);
      if (record === undefined) return false;
      for (const name in expected) if (record.fields[name] !== expected[name]) return 'changed';
      records.change(record, changes);
      records.use(record, life);
      return true;
    },

    lease(key, holder, life) {
      const record = records.find(key);
      if (record === undefined) records.create(key, { holder }, life);
      else if (record.fields.holder === holder) records.use(record, life);
      else return false;
      return true;
    },

    release(key, holder) {
      return records.find(key)?.fields.holder === holder && records.drop(key);
    },

    count(key, more, life) {
      const record = records.find(key);
      if (record === undefined) {
        records.create(key, { count: String(more) }, life);
        return { count: more, leftMs: life.ttlMs };
      }
      const count = Number(record.fields.count ?? 0) + more;
      const leftMs = record.expires - performance.now();
      records.change(record, { count: String(count) });
      records.use(record, { ...life, ttlMs: leftMs });
      return { count, leftMs };
    },
  };
}
