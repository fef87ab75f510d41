import type { Database, Statement } from './driver.ts';

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
