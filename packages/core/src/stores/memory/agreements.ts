import type { Store } from '../store.ts';
import type { Records } from './records.ts';

/** What several agree on by records: who was first, who holds something, and how many there were. */
export function agreements(records: Records): Pick<Store, 'updateIf' | 'lease' | 'release' | 'count'> {
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
