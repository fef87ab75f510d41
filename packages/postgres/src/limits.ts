import type { Life, RecordLabels, RecordLimits, Room } from '@ccmcp/core/http';
import { encodeText, type Query, type Row } from './driver.ts';

const others = `from ccmcp_values where kind = $1 and key <> $2 and expires > clock_timestamp()`;

const usageSql = `select count(*) as count, coalesce(sum(length), 0) as length,
    count(*) filter (where owner = $3) as own_count,
    coalesce(sum(length) filter (where owner = $3), 0) as own_length,
    coalesce(sum(member_length) filter (where owner = $3), 0) as own_member_length
  ${others}`;

/** Evicts one record of an owner: the least recently used, one in use only if all are. */
const evictOwnSql = `delete from ccmcp_values where key = (
    select key ${others} and owner = $3 order by coalesce(busy_until > clock_timestamp(), false), expires limit 1)`;

/** Evicts one record of the kind: of the owner who has most; of those, of the one used least recently. */
const evictSql = `delete from ccmcp_values where key = (
    select key from (
      select key, expires, coalesce(busy_until > clock_timestamp(), false) as is_busy,
        count(*) over (partition by owner) as owned, max(expires) over (partition by owner) as last_use
      ${others}
    ) as candidates
    order by is_busy, owned desc, last_use, expires limit 1)`;

/** The usage of the other live records of a kind. */
interface Usage {
  count: number;
  length: number;
  ownCount: number;
  ownLength: number;
  ownMemberLength: number;
}

/** Limits by the columns of the table, so that no index value is rewritten. */
export function tableLimits(query: Query, prefix: string): RecordLimits {
  const parameters = (key: string, { kind, owner }: RecordLabels): string[] => [
    encodeText(`${prefix}/${kind}`),
    encodeText(`${prefix}/${key}`),
    encodeText(owner),
  ];

  async function usage(values: readonly string[]): Promise<Usage> {
    const [row] = (await query(usageSql, values)) as [Row];
    return {
      count: Number(row.count),
      length: Number(row.length),
      ownCount: Number(row.own_count),
      ownLength: Number(row.own_length),
      ownMemberLength: Number(row.own_member_length),
    };
  }

  /** Evicts one record at a time, because each eviction may change who has most. */
  async function evict(values: readonly string[], { limit, ownerLimit = limit }: Life): Promise<void> {
    for (let { count, ownCount } = await usage(values); count > 0; ) {
      if (ownCount >= ownerLimit && ownCount > 0) await query(evictOwnSql, values);
      else if (count >= limit) await query(evictSql, values.slice(0, 2));
      else return;
      ({ count, ownCount } = await usage(values));
    }
  }

  async function makeRoom(values: readonly string[], labels: RecordLabels, life: Life, room: Room): Promise<boolean> {
    const { owner, length } = labels;
    const fits = ({ count, length: used, ownLength }: Usage): boolean =>
      count < life.limit && used + length <= room.length && (owner === '' || ownLength + length <= room.ownerLength);
    let used = await usage(values);
    const { count, length: total, ownCount, ownLength } = used;
    const without = { ...used, count: count - ownCount, length: total - ownLength, ownLength: 0 };
    if (fits(used)) return true;
    if (room.evictOwn !== true || !fits(without)) return false;
    while (!fits(used) && used.ownCount > 0) {
      await query(evictOwnSql, values);
      used = await usage(values);
    }
    return fits(used);
  }

  return {
    async reserve(key, labels, life) {
      const values = parameters(key, labels);
      if (life.room !== undefined) return makeRoom(values, labels, life, life.room);
      await evict(values, life);
      return true;
    },

    async reserveMembers(key, labels, ownerLength) {
      const { ownMemberLength } = await usage(parameters(key, labels));
      return ownMemberLength + labels.memberLength <= ownerLength;
    },
  };
}
