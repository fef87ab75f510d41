import { Logs } from './memory/logs.ts';
import { Records } from './memory/records.ts';
import { Topics } from './memory/topics.ts';
import type { Store } from './store.ts';
import { limits } from '../limits.ts';

/** How much a memory store may hold. */
export interface MemoryStoreOptions {
  /** How many characters all logs together may hold; of more, the logs go that were written longest ago. Default: 32 Mi. */
  maxLogLength?: number;
}

/** A store for one process. All of its answers come at once. */
export function memoryStore({ maxLogLength = limits.stores.maxLogLength.value }: MemoryStoreOptions = {}): Store {
  const logs = new Logs(maxLogLength);
  const records = new Records((key) => logs.drop(key));
  const topics = new Topics();

  return {
    create(key, fields, life) {
      records.create(key, fields, life);
    },

    read(key, life) {
      const record = records.find(key);
      if (record === undefined) return undefined;
      records.use(record, life);
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
      return new Set(records.find(key)?.members);
    },

    alter(key, { add, remove }) {
      const record = records.find(key);
      if (record === undefined) return false;
      record.members ??= new Set();
      for (const member of remove) record.members.delete(member);
      for (const member of add) record.members.add(member);
      return true;
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

    publish(topic, message) {
      topics.publish(topic, message);
    },

    subscribe(topic, listener) {
      return topics.subscribe(topic, listener);
    },

    close() {
      records.clear();
      logs.clear();
      topics.clear();
    },
  };
}
