import { ErrorCode, ProtocolError, type Template, template } from '@ccmcp/core';
import { noteNumber } from './note.ts';
import { NotesError } from './notes-error.ts';
import { parseQuery } from './search.ts';
import type { NoteRepository } from './repository.ts';
import { readScopes } from './access.ts';
import type { Store } from './store.ts';

const pageSize = 500;
const maxCompletions = 100;

/** The resource template of notes. */
export function noteTemplate(store: Store): Template {
  return template(
    'notes://{id}',
    {
      name: 'Note',
      description: 'The content of a note',
      mimeType: 'text/plain',
      scopes: readScopes,
      complete: { id: (value, { call }) => store.forClient(call, (notes) => completeIds(notes, value)) },
      list: (from, caller) =>
        store.forClient(caller, async (notes) => {
          if (from !== undefined && noteNumber(from) === 0) throw invalidCursor();
          const found = await notes.list({ order: 'oldest first', from, limit: pageSize + 1 });
          const shown = found.slice(0, pageSize);
          return {
            resources: shown.map(({ id, title, preview, updated_at }) => ({
              uri: `notes://${id}`,
              name: title,
              description: `${preview}...`,
              mimeType: 'text/plain',
              annotations: { lastModified: updated_at },
            })),
            next: found.length > pageSize ? shown.at(-1)?.id : undefined,
          };
        }),
    },
    ({ id }, caller) =>
      store.forClient(caller, async (notes) => {
        try {
          return (await notes.get(String(id))).content;
        } catch (error) {
          if (error instanceof NotesError && error.problem === 'missing') return undefined;
          throw error;
        }
      }),
  );
}

/** Completes ids by prefix, or else by a search. */
export async function completeIds(notes: NoteRepository, typed: string): Promise<{ values: string[]; total: number }> {
  const { ids, total } = await notes.idsLike(typed, maxCompletions);
  if (ids.length > 0) return { values: ids, total };
  const found = await notes.search(parseQuery(typed), { limit: 20, offset: 0 });
  return { values: found.map(({ id }) => id), total: found.length };
}

function invalidCursor(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, 'Invalid cursor: start with the first page');
}
