import type { Pool, PoolClient } from 'pg';
import { explain } from './explain.ts';
import type { Query } from './query.ts';
import { migrate } from './schema.ts';
import { limits } from '../../limits.ts';

/** How long the server may take for a statement, and how long we wait for its answer. */
const statementMs = limits.notes.statementMs.value;
const answerMs = limits.notes.answerMs.value;

/** How each connection is made. */
export function connectionOptions(url: string): Record<string, string | number | boolean> {
  return {
    connectionString: url,
    application_name: 'ccmcp notes',
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    keepAlive: true,
  };
}

/** A PostgreSQL database, connected when needed. */
export class PostgresDatabase {
  readonly #url: string;
  #pool: Pool | undefined;
  #ready: Promise<Pool> | undefined;
  #ended: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      const pool = await this.#connected();
      return await work(async (text, values = []) => (await pool.query(text, [...values])).rows);
    } catch (error) {
      throw explain(error, 'not done');
    }
  }

  /** Runs statements as one transaction; when the promise is kept, it is committed. */
  async write<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(await this.#connected(), work);
    } catch (error) {
      throw explain(error, 'not done');
    }
  }

  async close(): Promise<void> {
    this.#ended ??= this.#pool?.end();
    await this.#ended;
  }

  #connected(): Promise<Pool> {
    this.#ready ??= this.#connect().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #connect(): Promise<Pool> {
    const { default: pg } = await import('pg');
    this.#pool ??= new pg.Pool({
      ...connectionOptions(this.#url),
      max: limits.notes.connections.value,
      idleTimeoutMillis: 60_000,
    }).on('error', ignore);
    const pool = this.#pool;
    await migrate({
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
      transaction: (work) => inTransaction(pool, work),
    });
    return pool;
  }
}

/** A database may be set to acknowledge before it has written; what is acknowledged here must be kept. */
const begin = `begin; select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`;

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so here; the next statement fails, which is enough.
  client.on('error', ignore);
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows;
  try {
    await query(begin);
    const result = await work(query);
    await query('commit').catch((error: unknown) => {
      throw explain(error, 'perhaps done');
    });
    giveBack(client);
    return result;
  } catch (error) {
    await query('rollback').then(
      () => giveBack(client),
      (broken: Error) => giveBack(client, broken),
    );
    throw error;
  }
}

function giveBack(client: PoolClient, broken?: Error): void {
  client.off('error', ignore);
  client.release(broken);
}

/** Broken idle connections are replaced when the next statement needs one. */
function ignore(): void {}
