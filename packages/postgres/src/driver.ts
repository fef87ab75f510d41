import type { RecordLabels, StoreDriver } from '@ccmcp/core/http';

/** A row of a result. */
export type Row = Record<string, unknown>;

/** Runs a statement and returns its rows. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Encodes text for a column: PostgreSQL has no zero character and no lone surrogates. */
export function encodeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function decodeText(text: unknown): string {
  return JSON.parse(`"${String(text)}"`) as string;
}

const times = `extract(epoch from expires - clock_timestamp())::float8 * 1000 as left_ms,
  extract(epoch from expires)::float8 * 1000 as expires_at`;

function expiresIn(parameter: string): string {
  return `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
}

const getSql = `select value, version, ${times} from ccmcp_values where key = $1 and expires > clock_timestamp()`;

const touchSql = `update ccmcp_values set expires = ${expiresIn('$2')}
  where key = $1 and expires > clock_timestamp() returning value, version, ${times}`;

const insertSql = `insert into ccmcp_values as existing
    (key, value, expires, kind, owner, length, member_length, busy_until, version, log)
  values ($1, $2, ${expiresIn('$3')}, $4, $5, $6, $7, to_timestamp($8::float8 / 1000),
    nextval('ccmcp_versions'), nextval('ccmcp_versions'))
  on conflict (key) do update set value = excluded.value, expires = excluded.expires, kind = excluded.kind,
    owner = excluded.owner, length = excluded.length, member_length = excluded.member_length,
    busy_until = excluded.busy_until, version = excluded.version, log = excluded.log, last_entry = 0
  where existing.expires <= clock_timestamp()
  returning version`;

const updateSql = `update ccmcp_values set value = $2, expires = ${expiresIn('$3')}, kind = $4, owner = $5, length = $6,
    member_length = $7, busy_until = to_timestamp($8::float8 / 1000), version = nextval('ccmcp_versions')
  where key = $1 and version = $9 and expires > clock_timestamp()
  returning version`;

const deleteSql = `with gone as (
    delete from ccmcp_values where key = $1 and ($2::bigint is null or version = $2)
    returning log, expires > clock_timestamp() as is_live
  ), entries as (delete from ccmcp_entries e using gone where e.log = gone.log)
  select from gone where is_live`;

const appendSql = `with target as (
    update ccmcp_values set last_entry = last_entry + 1
    where key = $1 and expires > clock_timestamp() returning log, last_entry
  ), added as (
    insert into ccmcp_entries (log, position, entry, length) select log, last_entry, $2, $3 from target
  ), known as (
    select e.log, e.position, $3::bigint + sum(e.length) over (order by e.position desc) as total
    from ccmcp_entries e join target using (log)
  ), evicted as (
    delete from ccmcp_entries e using known k, target t
    where e.log = k.log and e.position = k.position
      and (k.total > $5::bigint or k.position <= t.last_entry - greatest($4::bigint, 1))
  )
  select last_entry from target`;

const readLogSql = `select v.last_entry, e.position, e.entry from ccmcp_values v
  left join ccmcp_entries e on e.log = v.log and e.position > $2
  where v.key = $1 and v.expires > clock_timestamp() order by e.position`;

/** The largest bigint that JavaScript writes without an exponent. */
const largest = Number.MAX_SAFE_INTEGER;

/** Values and logs in tables. Each operation is one statement. */
export function tableOperations(
  query: Query,
  prefix: string,
): Pick<StoreDriver, 'get' | 'compareAndSet' | 'delete' | 'append' | 'readLog'> {
  const keyOf = (key: string): string => encodeText(`${prefix}/${key}`);

  return {
    async get(key, ttlMs) {
      const [row] =
        ttlMs === undefined ? await query(getSql, [keyOf(key)]) : await query(touchSql, [keyOf(key), ttlMs]);
      if (row === undefined) return undefined;
      return {
        value: String(row.value),
        version: String(row.version),
        leftMs: Number(row.left_ms),
        expiresAt: Number(row.expires_at),
      };
    },

    async compareAndSet(key, expected, value, { ttlMs, labels }) {
      // Values are JSON, which has none of the characters that PostgreSQL lacks.
      const values = [keyOf(key), value, ttlMs, ...labelColumns(prefix, labels)];
      const [row] =
        expected === undefined ? await query(insertSql, values) : await query(updateSql, [...values, expected]);
      return row && String(row.version);
    },

    delete: async (key, expected) => (await query(deleteSql, [keyOf(key), expected])).length > 0,

    async append(key, entry, { maxEntries, maxLength }) {
      const bounds = [Math.min(maxEntries, largest), Math.min(maxLength, largest)];
      const [row] = await query(appendSql, [keyOf(key), encodeText(entry), entry.length, ...bounds]);
      return row && Number(row.last_entry);
    },

    async readLog(key, after) {
      const rows = await query(readLogSql, [keyOf(key), after]);
      const last = Number(rows[0]?.last_entry ?? 0);
      if (last === 0 || after > last) return undefined;
      if (after === last) return [];
      const entries = rows.map(({ position, entry }) => ({ position: Number(position), entry: decodeText(entry) }));
      return entries[0]?.position === after + 1 ? entries : undefined;
    },
  };
}

function labelColumns(prefix: string, labels: RecordLabels | undefined): unknown[] {
  if (labels === undefined) return [null, null, 0, 0, null];
  const { kind, owner, length, memberLength, busyUntil } = labels;
  return [encodeText(`${prefix}/${kind}`), encodeText(owner), length, memberLength, busyUntil];
}
