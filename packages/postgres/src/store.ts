import { limits } from '@ccmcp/core';
import { createStore, type Store, type StoreDriver, StoreHeartbeat } from '@ccmcp/core/http';
import pg from 'pg';
import { tableOperations, type Query, type Row } from './driver.ts';
import { explainError, type PostgresStoreError } from './explain-error.ts';
import { tableLimits } from './limits.ts';
import { Topics } from './topics.ts';

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The URL: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  url: string;
  /** The prefix of all keys and topics. Stores with different prefixes are independent. Default: `ccmcp`. */
  prefix?: string;
  /** The timeout of a connection and of a statement. Default: 5 s. */
  timeoutMs?: number;
  /** Rejects if PostgreSQL is unreachable now. Default: retries until it is available. */
  mustConnect?: boolean;
  /** The maximum number of connections, one more for messages. Default: 10. */
  maxConnections?: number;
}

/** Time between two sweeps of what has expired. */
const sweepMs = 60_000;

/**
 * Opens a shared store in PostgreSQL 12 or later, and creates its tables. Rejects with an explanation if the database
 * can't be used. If it is unreachable, retries until it is available; until then operations reject.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { driver, heartbeat, topics } = openDriver(options);
  await heartbeat.check();
  const { fault } = heartbeat;
  if (fault !== undefined && (options.mustConnect || fault.kind !== 'unavailable')) {
    await driver.close();
    throw fault;
  }
  await topics.open();
  return createStore(driver);
}

/** The driver of a store in PostgreSQL. */
export function openDriver(options: PostgresStoreOptions): {
  driver: StoreDriver;
  heartbeat: StoreHeartbeat<PostgresStoreError>;
  topics: Topics;
} {
  const {
    url,
    prefix = 'ccmcp',
    timeoutMs = limits.stores.postgresMs.value,
    maxConnections = limits.stores.postgresConnections.value,
  } = options;
  checkNumbers({ timeoutMs, maxConnections });
  const where = addressOf(url);
  const connection = {
    connectionString: url,
    application_name: 'ccmcp',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...connection, max: maxConnections, idleTimeoutMillis: 60_000 }).on('error', ignore);
  const send = async (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, [...values])).rows as Row[];
  let hasTables = false;
  const ping = async (): Promise<void> => {
    if (hasTables) await send('select 1');
    else await runScript(pool, createTables);
    hasTables = true;
    if (topics.isListening) await topics.ping();
  };
  const heartbeat = new StoreHeartbeat({ ping, explain: (error) => explainError(error, where) });
  const topics = new Topics({
    connect: () => connectClient(connection),
    prefix,
    onLost: () => void heartbeat.check(),
  });
  const query: Query = (text, values) => heartbeat.run(() => send(text, values));
  const sweeper = setInterval(() => void runScript(pool, sweep).catch(ignore), sweepMs);
  sweeper.unref();

  const driver: StoreDriver = {
    ...tableOperations(query, prefix),
    limits: tableLimits(query, prefix),
    publish: (topic, message) => heartbeat.run(() => topics.publish(topic, message)),
    subscribe: (topic, listener, missed) =>
      heartbeat.run(() => topics.subscribe(topic, { onMessage: (message) => listener(message), onMissed: missed })),
    status: () =>
      heartbeat.fault === undefined && !topics.isListening
        ? { ready: false, reason: `The connection for messages to PostgreSQL at ${where} was lost: reconnecting` }
        : heartbeat.status,
    async close() {
      heartbeat.stop();
      clearInterval(sweeper);
      await topics.close();
      await pool.end();
    },
  };
  return { driver, heartbeat, topics };
}

/** Runs statements in a transaction of their own. */
async function runScript(pool: pg.Pool, script: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(script);
    client.release();
  } catch (error) {
    // A transaction that failed halfway ends with its connection.
    client.release(true);
    throw error;
  }
}

async function connectClient(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', ignore);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(ignore);
    throw error;
  }
  return client;
}

/** The host and port of a URL, without the password. */
function addressOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('The URL of a store in PostgreSQL is postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  }
  const { hostname, port } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}`;
}

function checkNumbers(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31) continue;
    throw new TypeError(`${name} of postgresStore must be a whole number from 1 to ${2 ** 31 - 1}`);
  }
}

/** The pool replaces broken connections; statements on them fail. */
function ignore(): void {}

/** The lock of those who create tables, and of the one who sweeps. */
const lockIds = { create: 7_331_001, sweep: 7_331_002 } as const;

/**
 * Creates the tables. No index contains `expires`, so that extending a life rewrites no index. Sweeping removes expired
 * values, logs without a value, and messages that every instance has read.
 */
const createTables = `
begin;
select pg_advisory_xact_lock(${lockIds.create});
create sequence if not exists ccmcp_versions;
create table if not exists ccmcp_values (
  key text primary key,
  value text not null,
  version bigint not null,
  log bigint not null,
  last_entry bigint not null default 0,
  expires timestamptz not null,
  kind text,
  owner text,
  length bigint not null default 0,
  member_length bigint not null default 0,
  busy_until timestamptz
) with (fillfactor = 80);
create index if not exists ccmcp_values_kind on ccmcp_values (kind, owner);
create table if not exists ccmcp_entries (
  log bigint not null,
  position bigint not null,
  entry text not null,
  length bigint not null,
  primary key (log, position)
);
create table if not exists ccmcp_messages (
  id bigint generated always as identity primary key,
  message text not null,
  sent timestamptz not null default clock_timestamp()
);
commit`;

/** Removes what has expired; one instance at a time. */
const sweep = `
begin;
select pg_advisory_xact_lock(${lockIds.sweep});
delete from ccmcp_values where expires <= clock_timestamp();
delete from ccmcp_entries e where not exists (select from ccmcp_values v where v.log = e.log);
delete from ccmcp_messages where sent < clock_timestamp() - interval '1 minute';
commit`;
