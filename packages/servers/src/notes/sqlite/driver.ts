import { NotesError } from '../note.ts';

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** The common interface of both SQLite bindings. */
export interface Statement {
  run(...values: Value[]): unknown;
  all(...values: Value[]): Row[];
}

export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** A SQLite binding. */
export type Sqlite = new (path: string) => Database;

/** Loads Node's SQLite, or `libsql` if Node has none. */
export async function loadSqlite(): Promise<Sqlite> {
  // By name, because bundlers and older versions of Node fail on the import.
  const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: Sqlite } | undefined;
  if (builtIn !== undefined) return withAnyRowid(builtIn.DatabaseSync);
  try {
    const libsql: { default: unknown } = await import('libsql');
    return libsql.default as Sqlite;
  } catch (error) {
    throw new NotesError(
      'unavailable',
      `Node ${process.versions.node} has no SQLite, and the package "libsql" can't be loaded: ` +
        'use Node 22.13 or later, or install libsql',
      { cause: error },
    );
  }
}

interface BuiltInStatement extends Statement {
  setReadBigInts(enabled: boolean): void;
}

/**
 * Node returns the last rowid of each statement, and throws if it is not a safe integer. After changes of the full-text
 * index it is an arbitrary internal one.
 */
function withAnyRowid(builtIn: Sqlite): Sqlite {
  return class extends builtIn {
    override prepare(sql: string): Statement {
      const statement = super.prepare(sql) as BuiltInStatement;
      if (/^\s*(?:insert|update|delete)\b/i.test(sql)) statement.setReadBigInts(true);
      return statement;
    }
  };
}

/** Result codes of SQLite. */
export const ResultCode = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** The SQLite result code of an error; undefined for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode;
  if (typeof code === 'number') return code & 0xff;
  // libsql has no code if a file can't be opened.
  return error.message.startsWith('ConnectionFailed') ? ResultCode.cannotOpen : undefined;
}

/** An open database with cached statements. */
export class Connection {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  /** Returns a cached statement. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/**
 * Runs statements in a transaction. Takes the lock first: libsql would leave a statement half open that failed on a
 * lock, and keep the file locked for everyone.
 */
export function transaction<T>({ database }: Connection, kind: 'read' | 'write', work: () => T): T {
  try {
    database.exec(kind === 'read' ? 'begin; select 1 from sqlite_master limit 1' : 'begin immediate');
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    try {
      database.exec('rollback');
    } catch {
      // It had not begun, or SQLite has rolled it back.
    }
    throw error;
  }
}
