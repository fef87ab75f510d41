import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { assertNotTruncated, openNotes, type StoreOptions } from './open.ts';
import { Store } from './store.ts';
import { apps } from '@ccmcp/core/apps';
import { skills } from '@ccmcp/core/skills';
import { notePrompts } from './prompts.ts';
import { noteTemplate } from './resources.ts';
import { meetingMinutes } from './skills/meeting-minutes.ts';
import { noteTools } from './tools.ts';

export { exportNotes, type NoteFiles } from './files.ts';
export { type Imported, importNotes } from './files.ts';
export { defaultNotesFile, openNotes, type StoreOptions } from './open.ts';
export { ownerOf } from './access.ts';
export { type Recovered, recoverNotes } from './open.ts';
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
  assertNotTruncated(options);
  return createNotesServer(new Store((listener) => openNotes(options, listener), { shared }), { logLevel });
}

/** Creates the MCP server of a note store. */
export function createNotesServer(store: Store, { logLevel }: { logLevel: LogLevel }): Server {
  const server = createServer({
    name: 'notes-server',
    version: '0.1.0',
    title: 'Notes',
    instructions:
      'Notes that are kept for good. Look with search_notes before you create one. ' +
      'Give expected_updated_at when you change a note that you read before.',
    tools: noteTools(store),
    templates: [noteTemplate(store)],
    prompts: notePrompts(store),
    extensions: [apps(), skills(meetingMinutes, { listed: 'none' })],
    logLevel,
    logger: stderrLogger(logLevel),
  });
  store.announceTo(server);
  return server;
}
