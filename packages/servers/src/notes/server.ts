import type { LogLevel, Server } from '@ccmcp/core';
import { assemble } from './assemble.ts';
import { assertWholeStore, openNotes, type StoreOptions } from './open.ts';
import { Store } from './store.ts';

export { exportNotes, type NoteFiles } from './export.ts';
export { type Imported, importNotes } from './import.ts';
export { defaultNotesFile, openNotes, type StoreOptions } from './open.ts';
export { ownerOf } from './owner.ts';
export { type Recovered, recoverNotes } from './recover.ts';
export type { NoteRepository } from './repository.ts';

export interface NotesOptions extends StoreOptions {
  /** The least severe message that goes to stderr, and to clients that chose no level. Default: `info`. */
  logLevel?: LogLevel;
  /** All callers have the same notes, whoever they are. Default: a caller who is known has notes of their own. */
  shared?: boolean | undefined;
}

/**
 * The server that keeps notes. Its store is opened by the first request that needs it; a SQLite file whose end is missing is refused
 * at once.
 */
export function notesServer({ logLevel = 'info', shared, ...options }: NotesOptions = {}): Server {
  assertWholeStore(options);
  return assemble(new Store((listener) => openNotes(options, listener), { shared }), { logLevel });
}
