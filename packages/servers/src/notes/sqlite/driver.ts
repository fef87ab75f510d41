import { NotesError } from '../notes-error.ts';

/** One open file. */
export class Connection {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  /** A statement that is compiled once. */
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
 * Runs statements that see one state of the file, and count all or not at all. The lock is taken before any of them:
 * libsql would keep one that another process refused half open, and with it the file locked for everyone.
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
      // It had not begun, or SQLite has rolled back by itself.
    }
    throw error;
  }
}

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** What the two SQLite bindings have in common. */
export interface Statement {
  run(...values: Value[]): unknown;
  all(...values: Value[]): Row[];
}

export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** A SQLite binding: opens database files. */
export type Sqlite = new (path: string) => Database;

/** Loads the SQLite inside Node, or `libsql` where Node has none. */
export async function loadSqlite(): Promise<Sqlite> {
  // Asked for by name only, because a bundler or an older Node would trip over the import.
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
 * Node gives the last rowid for everything that is run, and throws where it is no safe integer. After a change of the index
 * of words it is one of the index itself, which may be any.
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

/** SQLite's own numbers for what went wrong. */
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

/** The number of SQLite that an error stands for; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode;
  if (typeof code === 'number') return code & 0xff;
  // libsql gives no number when a file can't be opened.
  return error.message.startsWith('ConnectionFailed') ? ResultCode.cannotOpen : undefined;
}
