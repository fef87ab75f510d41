import type { Pool, PoolClient } from 'pg';
import { migrate, type Query } from './schema.ts';
import { limits } from '../../limits.ts';
import { NotesError } from '../notes-error.ts';

/** Transient error codes of the driver, the network and the server. */
const passing: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

const lasting: ReadonlyMap<unknown, string> = new Map([
  ['25006', 'The notes can only be read: the database is read-only'],
  ['28000', 'The database refuses the user of DATABASE_URL'],
  ['28P01', 'The database refuses the password of DATABASE_URL'],
  ['3D000', 'The database of DATABASE_URL does not exist'],
  ['42501', 'The user of DATABASE_URL may not do this in the database'],
  ['53100', 'There is no space left for the database. Nothing was changed'],
]);

/** Converts a database error. Only after a failed commit is the outcome unknown. */
function explainError(error: unknown, outcome: 'not done' | 'perhaps done'): unknown {
  if (!(error instanceof Error) || error instanceof NotesError) return error;
  const { code } = error as { code?: unknown };
  const known = lasting.get(code);
  if (known !== undefined) return new NotesError('unavailable', known, { cause: error });
  return passing.has(code) || silence.test(error.message) ? outOfReach(outcome, error) : error;
}

/** Connection errors of the driver without a code. */
const silence =
  /timeout|connection terminated|not queryable|connection error|socket hang up|use a pool after calling end/i;

function outOfReach(outcome: 'not done' | 'perhaps done', cause: unknown): NotesError {
  const doubt = outcome === 'perhaps done' ? '. Look whether the change was made before you repeat it' : '';
  return new NotesError('unavailable', `The database with the notes can't be reached; try again soon${doubt}`, {
    cause,
  });
}

/** Timeouts of a statement, on the server and on the client. */
const statementMs = limits.notes.statementMs.value;
const answerMs = limits.notes.answerMs.value;

/** The options of each connection. */
export function clientOptions(url: string): Record<string, string | number | boolean> {
  return {
    connectionString: url,
    application_name: 'ccmcp notes',
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    keepAlive: true,
  };
}

/** A PostgreSQL connection pool, opened on demand. */
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
      throw explainError(error, 'not done');
    }
  }

  /** Runs statements in a transaction; resolves after the commit. */
  async write<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(await this.#connected(), work);
    } catch (error) {
      throw explainError(error, 'not done');
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
      ...clientOptions(this.#url),
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

/** Forces synchronous commits, even if the database is configured otherwise: acknowledged changes must be durable. */
const begin = `begin; select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`;

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between statements emits an error; the next statement fails anyway.
  client.on('error', ignore);
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows;
  try {
    await query(begin);
    const result = await work(query);
    await query('commit').catch((error: unknown) => {
      throw explainError(error, 'perhaps done');
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

/** The pool replaces broken idle connections. */
function ignore(): void {}
