import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ChangeListener, NoteRepository } from './repository.ts';
import { assertFileNotTruncated } from './sqlite/damage.ts';
import type { Recovered } from './sqlite/recover.ts';

export interface StoreOptions {
  /** The SQLite file. Default, without `databaseUrl`: `ccmcp/notes.db` in the user's data folder. */
  db?: string | undefined;
  /** A PostgreSQL database, `postgres://user@host/name`; used if there is no `db`. */
  databaseUrl?: string | undefined;
}

/** Opens the note store. Loads its driver now, and connects on first use. */
export async function openNotes(options: StoreOptions, listener: ChangeListener = () => {}): Promise<NoteRepository> {
  const { db, databaseUrl } = options;
  if (db === undefined && databaseUrl !== undefined && databaseUrl !== '') {
    const { postgresNotes } = await import('./postgres/repository.ts');
    return postgresNotes(databaseUrl, listener);
  }
  const { sqliteNotes } = await import('./sqlite/repository.ts');
  return sqliteNotes(resolve(db ?? defaultNotesFile()), listener);
}

/** Throws if the SQLite file is truncated, a fast check at start-up. */
export function assertNotTruncated({ db, databaseUrl }: StoreOptions): void {
  if (db === undefined && databaseUrl !== undefined && databaseUrl !== '') return;
  assertFileNotTruncated(resolve(db ?? defaultNotesFile()));
}

/** The default file for the user of this process. */
export function defaultNotesFile(): string {
  return defaultFile(process.platform, process.env);
}

/** The default file in the data folder of each system. */
export function defaultFile(platform: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(dataFolder(platform, env), 'ccmcp', 'notes.db');
}

function dataFolder(platform: string, env: Readonly<Record<string, string | undefined>>): string {
  if (platform === 'win32') return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}

export type { Recovered } from './sqlite/recover.ts';

/**
 * Recovers the readable notes of a damaged SQLite file into a new one, with the same ids. Does not change the old file.
 */
export async function recoverNotes(from: string, to: string): Promise<Recovered> {
  const { recoverFile } = await import('./sqlite/recover.ts');
  return recoverFile(from, to);
}
