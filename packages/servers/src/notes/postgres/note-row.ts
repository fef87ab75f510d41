import type { QueryResultRow as Row } from 'pg';
import { type Note, type NoteSummary, noteId } from '../note.ts';

/** What a note is selected by. */
export const columns = 'n, title, content, tags, created_at, updated_at, deleted_at';

/** The note in a row. */
export function toNote({ n, title, content, tags, created_at, updated_at }: Row): Note {
  return {
    id: noteId(Number(n)),
    title: title as string,
    content: content as string,
    tags: tags as string[],
    created_at: (created_at as Date).toISOString(),
    updated_at: (updated_at as Date).toISOString(),
  };
}

/** The summary in a row that was selected with the beginning of its content. */
export function toSummary({ n, title, preview, tags, created_at, updated_at }: Row): NoteSummary {
  return {
    id: noteId(Number(n)),
    title: title as string,
    tags: tags as string[],
    created_at: (created_at as Date).toISOString(),
    updated_at: (updated_at as Date).toISOString(),
    preview: preview as string,
  };
}
