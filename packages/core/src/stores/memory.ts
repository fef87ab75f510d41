import { agreements } from './memory/agreements.ts';
import { Logs } from './memory/logs.ts';
import { Records } from './memory/records.ts';
import { shares } from './memory/shares.ts';
import { Topics } from './memory/topics.ts';
import type { Store } from './store.ts';
import { checkLimits, limits } from '../limits.ts';

/** How much a memory store may hold. */
export interface MemoryStoreOptions {
  /** How many characters all logs together may hold; of more, the logs go that were written longest ago. Default: 16 Mi. */
  maxLogLength?: number;
  /** How many characters all records together may hold; of more, those go that were used longest ago. Default: 8 Mi. */
  maxRecordLength?: number;
  /**
   * How many characters the members of all records together may hold, with 64 for each beside its own; more are refused.
   * Default: 8 Mi.
   */
  maxMemberLength?: number;
}

const made = new WeakSet<Store>();

/** True for what `memoryStore` made: what is in it is known to this process alone. */
export function isMemoryStore(store: Store): boolean {
  return made.has(store);
}

/** A store for one process. All of its answers come at once. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkLimits('memoryStore', options);
  const store = storeWith(options);
  made.add(store);
  return store;
}

function storeWith(options: MemoryStoreOptions): Store {
  const { maxLogLength = limits.stores.maxLogLength.value } = options;
  const { maxRecordLength: maxLength = limits.stores.maxRecordLength.value } = options;
  const { maxMemberLength = limits.stores.maxMemberLength.value } = options;
  const logs = new Logs(maxLogLength);
  const records = new Records({ maxLength, maxMemberLength }, (key) => logs.drop(key));
  const topics = new Topics();

  return {
    ...agreements(records),
    ...shares(records),

    create(key, fields, life) {
      return records.create(key, fields, life) ? undefined : 'full';
    },

    claim(key, life, fields = {}) {
      if (records.find(key) !== undefined) return false;
      return records.create(key, fields, life);
    },

    read(key, life) {
      // Asked once: each look at the clock costs as much as finding the record.
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
