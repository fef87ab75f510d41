import type { StoreDriver } from '../driver.ts';
import type { Fields, Life, MemberChanges, Store, Counted, TokenBucketResult } from '../store.ts';
import { indexLimits } from './index-limits.ts';
import { type FoundRecord, labelsOf, lengthOf } from './record.ts';
import { type Change, RecordTable } from './record-table.ts';
import { takeTokens } from '../take-tokens.ts';

/**
 * Creates a store of a driver: leases, counters, token buckets, quota leases, members and limits are written here once,
 * on compare-and-set.
 *
 * @example const store = createStore(myDriver);
 */
export function createStore(driver: StoreDriver): Store {
  const limits = driver.limits ?? indexLimits(driver);
  const records = new RecordTable(driver, limits);

  return {
    ...leaseOperations(records),
    ...quotaOperations(records),

    create: (key, fields, life) =>
      records.change<void | 'full'>(key, () => ({ result: undefined, create: fields, life, whenFull: 'full' })),

    claim: (key, life, fields = {}) =>
      records.change<boolean>(key, (found) =>
        found === undefined ? { result: true, create: fields, life, whenFull: false } : { result: false },
      ),

    async read(key, life) {
      const found = await records.find(key, life.ttlMs);
      if (found === undefined) return undefined;
      if (busyUntil(found, life) > found.busyUntil) await update(key, {}, {}, life);
      return found.fields;
    },

    update: async (key, changes, life) => (await update(key, {}, changes, life)) === true,
    updateIf: (key, expected, changes, life) => update(key, expected, changes, life),
    remove: async (key) => driver.delete(key),

    members: async (key) => new Set((await records.find(key))?.members),

    alter: (key, changes) =>
      records.change<boolean | 'full'>(key, async (found) => {
        if (found === undefined) return { result: false };
        const members = applyChanges(found.members, changes);
        if (members === undefined) return { result: 'full' };
        const write = { ...found, members };
        const { max, add } = changes;
        if (found.owner !== '' && max?.ownerLength !== undefined && add.length > 0) {
          if (!(await limits.reserveMembers(key, labelsOf(write), max.ownerLength))) return { result: 'full' };
        }
        return { result: true, write, ttlMs: found.leftMs };
      }),

    append: (key, entry, bounds) => driver.append(key, entry, bounds),
    after: (key, position) => driver.readLog(key, position),
    publish: (topic, message) => driver.publish(topic, message),
    subscribe: (topic, listener, missed) => driver.subscribe(topic, listener, missed),
    close: () => driver.close(),
    ...(driver.status === undefined ? {} : { status: driver.status }),
  };

  function update(
    key: string,
    expected: Readonly<Record<string, string | undefined>>,
    changes: Readonly<Record<string, string | undefined>>,
    life: Life,
  ): Promise<boolean | 'changed'> {
    return records.change<boolean | 'changed'>(key, (found): Change<boolean | 'changed'> => {
      if (found === undefined) return { result: false };
      for (const name in expected) if (found.fields[name] !== expected[name]) return { result: 'changed' };
      const write = { ...found, fields: withChanges(found.fields, changes), busyUntil: busyUntil(found, life) };
      return { result: true, write, ttlMs: life.ttlMs };
    });
  }
}

/** The later of the stored time and the one that this use sets. */
function busyUntil(found: FoundRecord, { busyMs = 0 }: Life): number {
  return busyMs > 0 ? Math.max(found.busyUntil, Date.now() + busyMs) : found.busyUntil;
}

function withChanges(fields: Fields, changes: Readonly<Record<string, string | undefined>>): Fields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The members after a change; undefined if the additions exceed a limit. */
function applyChanges(before: readonly string[], { add, remove, max }: MemberChanges): string[] | undefined {
  const members = new Set(before);
  for (const member of remove) members.delete(member);
  for (const member of add) members.add(member);
  const after = [...members];
  const known = new Set(before);
  const isAdded = add.some((member) => !known.has(member));
  if (isAdded && max !== undefined && (after.length > max.count || lengthOf(after) > max.length)) return undefined;
  return after;
}

/** Leases and counters. */
function leaseOperations(records: RecordTable): Pick<Store, 'lease' | 'release' | 'count'> {
  return {
    lease: (key, holder, life) =>
      records.change<boolean>(key, (found) => {
        if (found === undefined) return { result: true, create: { holder }, life, whenFull: false };
        if (found.fields.holder !== holder) return { result: false };
        return { result: true, write: found, ttlMs: life.ttlMs };
      }),

    release: (key, holder) =>
      records.change<boolean>(key, (found) =>
        found?.fields.holder === holder ? { result: true, remove: true } : { result: false },
      ),

    count: (key, more, life) =>
      records.change<Counted>(key, (found) => {
        const count = Number(found?.fields.count ?? 0) + Math.round(more);
        const leftMs = found?.leftMs ?? life.ttlMs;
        return replaceFields(
          { found, fields: { count: String(count) }, life: { ...life, ttlMs: leftMs } },
          { count, leftMs },
        );
      }),
  };
}

/** Token buckets and quota leases. Time passes by the clock of the database. */
function quotaOperations(records: RecordTable): Pick<Store, 'take' | 'leaseQuota'> {
  return {
    take: (key, wanted, bucket, life) =>
      records.change<TokenBucketResult>(key, (found) => {
        const result = takeTokens(bucket, Number(found?.fields.tokens ?? bucket.size), elapsedMs(found), wanted);
        return replaceFields({ found, fields: { tokens: String(result.left) }, life }, result);
      }),

    leaseQuota: (key, holder, { wanted, max }, life) =>
      records.change<number>(key, (found) => {
        const fields: Record<string, string> = {};
        let others = 0;
        for (const [name, text] of Object.entries(found?.fields ?? {})) {
          const [count, before] = text.split(' ').map(Number) as [number, number];
          const leftMs = before - elapsedMs(found);
          if (name === holder || leftMs <= 0) continue;
          fields[name] = `${count} ${leftMs}`;
          others += count;
        }
        const held = Math.max(0, Math.min(wanted, max - others));
        if (held > 0) fields[holder] = `${held} ${life.ttlMs}`;
        if (Object.keys(fields).length > 0) return replaceFields({ found, fields, life }, held);
        return found === undefined ? { result: held } : { result: held, remove: true };
      }),
  };
}

/** The time since the last write. */
function elapsedMs(found: FoundRecord | undefined): number {
  return found === undefined ? 0 : Math.max(0, found.ttlMs - found.leftMs);
}

function replaceFields<T>(
  { found, fields, life }: { found: FoundRecord | undefined; fields: Fields; life: Life },
  result: T,
): Change<T> {
  if (found === undefined) return { result, create: fields, life, whenFull: result };
  return { result, write: { ...found, fields }, ttlMs: life.ttlMs };
}
