import type { Store } from '../store.ts';
import type { Records } from './records.ts';

/** Sums of fractions are off by less than that. */
const tiny = 1e-6;

/** What several have their shares of: tokens that come back by themselves, and places that are given back. */
export function shares(records: Records): Pick<Store, 'take' | 'hold'> {
  return {
    take(key, wanted, { size, perMs }, life) {
      const now = performance.now();
      const record = records.find(key, now);
      const { tokens = size, at = now } = (record?.fields ?? {}) as { tokens?: string; at?: string };
      const there = Math.min(size, Number(tokens) + Math.max(0, now - Number(at)) * perMs);
      const taken = wanted < 0 ? wanted : Math.min(wanted, Math.floor(there + tiny));
      const left = Math.min(size, there - taken);
      const fields = { tokens: String(left), at: String(now) };
      if (record === undefined) {
        records.create(key, fields, life);
      } else {
        records.change(record, fields);
        records.use(record, life, now);
      }
      return { taken, left };
    },

    hold(key, holder, { wanted, max }, life) {
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
