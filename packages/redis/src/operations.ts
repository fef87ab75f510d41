import type { Fields, Life, Store } from '@ccmcp/core/http';
import { type Script, scripts } from './scripts/scripts.ts';

type Arguments = (string | number)[];

/** Runs a script with the arguments after its key. */
export type Run = (script: Script, ...args: Arguments) => Promise<unknown>;

/** Redis has no infinite TTL. */
const maxTtlMs = 10 * 365 * 24 * 3_600_000;

type OfRecords =
  | 'create'
  | 'claim'
  | 'read'
  | 'update'
  | 'updateIf'
  | 'remove'
  | 'lease'
  | 'release'
  | 'count'
  | 'take'
  | 'leaseQuota';

/** Operations on records. `max` is the total size of all records in bytes. */
export function recordOperations(run: Run, max: number): Pick<Store, OfRecords> {
  const runBoolean = async (script: Script, ...args: Arguments): Promise<boolean> => (await run(script, ...args)) === 1;
  const lifeArguments = (life: Life): Arguments => [
    ...baseLifeArguments(life),
    max,
    life.room?.length ?? '',
    life.room?.ownerLength ?? '',
    life.room?.evictOwn === true ? 1 : '',
  ];

  return {
    async create(key, fields, life) {
      return (await run(scripts.create, key, ...lifeArguments(life), ...toPairs(fields))) === 2 ? 'full' : undefined;
    },
    claim: (key, life, fields = {}) => runBoolean(scripts.claim, key, ...lifeArguments(life), ...toPairs(fields)),

    async read(key, life) {
      const found = (await run(scripts.read, key, ttlOf(life), busyOf(life))) as string[] | null;
      return found === null ? undefined : toFields(found);
    },

    update: (key, changes, life) =>
      runBoolean(scripts.update, key, ttlOf(life), busyOf(life), 0, ...conditionTriples(changes)),

    async updateIf(key, expected, changes, life) {
      const conditions = conditionTriples(expected);
      const all = [conditions.length / 3, ...conditions, ...conditionTriples(changes)];
      const answer = await run(scripts.update, key, ttlOf(life), busyOf(life), ...all);
      return answer === 2 ? 'changed' : answer === 1;
    },

    remove: (key) => runBoolean(scripts.remove, key),
    lease: (key, holder, life) => runBoolean(scripts.lease, key, ...lifeArguments(life), holder),
    release: (key, holder) => runBoolean(scripts.remove, key, holder),

    async count(key, more, life) {
      const [count, leftMs] = (await run(scripts.count, key, ...lifeArguments(life), Math.round(more))) as [
        string,
        number,
      ];
      return { count: Number(count), leftMs };
    },

    async take(key, wanted, { size, perMs }, life) {
      const [taken, left] = (await run(scripts.take, key, ...lifeArguments(life), wanted, size, perMs)) as [
        string,
        string,
      ];
      return { taken: Number(taken), left: Number(left) };
    },

    async leaseQuota(key, holder, { wanted, max }, life) {
      return (await run(scripts.leaseQuota, key, ...lifeArguments(life), holder, wanted, max)) as number;
    },
  };
}

/** Operations on the members and logs of records. */
export function partOperations(
  run: Run,
  { maxMemberLength, maxLogLength }: { maxMemberLength: number; maxLogLength: number },
): Pick<Store, 'alter' | 'append' | 'after'> {
  return {
    async alter(key, { add, remove, max }) {
      const bounds = [max?.count ?? '', max?.length ?? '', max?.ownerLength ?? '', maxMemberLength];
      const answer = await run(scripts.alter, key, ...bounds, add.length, ...withLengths(add), ...withLengths(remove));
      return answer === 2 ? 'full' : answer === 1;
    },

    async append(key, entry, { maxEntries, maxLength }) {
      const number = await run(scripts.append, key, entry, entry.length, maxEntries, maxLength, maxLogLength);
      return (number as number | null) ?? undefined;
    },

    async after(key, position) {
      const found = (await run(scripts.after, key, position)) as [number, string[]] | null;
      return found?.[1].map((text, index) => ({
        position: found[0] + index,
        entry: text.slice(text.indexOf(':') + 1),
      }));
    },
  };
}

function baseLifeArguments(life: Life): (string | number)[] {
  const { kind, owner = '', limit, ownerLimit = limit } = life;
  return [kind, owner, ttlOf(life), busyOf(life), limit, ownerLimit];
}

/** Redis takes whole milliseconds. */
function ttlOf({ ttlMs }: Life): number {
  return Math.min(Math.max(Math.ceil(ttlMs), 0), maxTtlMs);
}

function busyOf({ busyMs = 0 }: Life): number {
  return Math.min(Math.ceil(busyMs), maxTtlMs);
}

function toPairs(fields: Fields): string[] {
  return Object.entries(fields).flat();
}

/** Each field as name, "=" or "-", and value. */
function conditionTriples(fields: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [name, value === undefined ? '-' : '=', value ?? '']);
}

/** Each member with its length in UTF-16 units, which Lua can't count. */
function withLengths(members: readonly string[]): (string | number)[] {
  return members.flatMap((member) => [member, member.length]);
}

function toFields(flat: readonly string[]): Fields {
  const fields: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) fields[flat[index] as string] = flat[index + 1] as string;
  return fields;
}
