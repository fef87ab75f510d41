import { type JsonSchema, type Tool, text, tool, type ToolResult } from '@ccmcp/core';
import {
  maxContentBytes,
  maxKey,
  maxTag,
  maxTags,
  maxTitle,
  type Note,
  noteNumber,
  NotesError,
  validateDraft,
  validateKey,
} from './note.ts';
import { maxQuery, parseQuery, snippet } from './search.ts';
import { readScopes, writeScopes } from './access.ts';
import type { Store } from './store.ts';
import { type AppView, appView } from '@ccmcp/core/apps';

const id = { type: 'string', description: 'The id of a note, such as note_1' } as const;
const title = { type: 'string', minLength: 1, maxLength: maxTitle, description: 'Note title' } as const;
const content = { type: 'string', maxLength: maxContentBytes, description: 'Note content' } as const;
const tags = {
  type: 'array',
  items: { type: 'string', maxLength: maxTag },
  maxItems: maxTags,
  description: 'Words to find the note by',
} as const;
const idInput = { type: 'object', properties: { id }, required: ['id'], additionalProperties: false } as const;
const time = { type: 'string', format: 'date-time' } as const;

const facts = { id, title: { type: 'string' }, tags, created_at: time, updated_at: time } as const;
const factNames = ['id', 'title', 'tags', 'created_at', 'updated_at'] as const;
const factsSchema = { type: 'object', properties: facts, required: factNames } as const;
const noteSchema = {
  type: 'object',
  properties: { ...facts, content: { type: 'string' } },
  required: [...factNames, 'content'],
} as const;

/** The schema of a page of notes, with additional members. */
function pageSchema(more: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const note = {
    type: 'object',
    properties: { ...facts, ...more },
    required: [...factNames, ...Object.keys(more)],
  } as const;
  return {
    type: 'object',
    properties: { notes: { type: 'array', items: note }, next_cursor: { type: 'string' } },
    required: ['notes'],
  };
}

const reads = { readOnlyHint: true, openWorldHint: false } as const;
const writes = { readOnlyHint: false, openWorldHint: false } as const;

/** The tools of the notes server. */
export function noteTools(store: Store): Tool[] {
  const createNote = tool(
    'create_note',
    {
      description: 'Create a new note',
      input: {
        type: 'object',
        properties: {
          title,
          content,
          tags,
          idempotency_key: {
            type: 'string',
            maxLength: maxKey,
            description: 'Any text of your own for this note: a call that is repeated with it makes no second one',
          },
        },
        required: ['title', 'content'],
        additionalProperties: false,
      },
      output: factsSchema,
      scopes: writeScopes,
      annotations: { ...writes, destructiveHint: false, idempotentHint: false },
    },
    ({ idempotency_key: key, ...draft }, caller) =>
      store.forModel(caller, async (notes) => {
        const note = await notes.create(validateDraft({ tags: [], ...draft }), { key: validateKey(key) });
        return changeResult(`Created: ${note.id}`, note);
      }),
  );

  const getNote = tool(
    'get_note',
    {
      description: 'Read a whole note',
      input: idInput,
      output: noteSchema,
      scopes: readScopes,
      annotations: reads,
      ui: notesView,
    },
    (args, caller) =>
      store.forModel(caller, async (notes) => {
        const note = await notes.get(args.id);
        return { content: [text(`${formatHead(note)}\n\n${note.content}`)], structuredContent: { ...note } };
      }),
  );

  const updateNote = tool(
    'update_note',
    {
      description: 'Change a note: only what is given changes. Tags are replaced as a whole',
      input: {
        type: 'object',
        properties: {
          id,
          title,
          content,
          tags,
          expected_updated_at: {
            type: 'string',
            description: 'The updated_at that you know: if someone changed the note since, nothing is changed',
          },
        },
        required: ['id'],
        additionalProperties: false,
      },
      output: factsSchema,
      scopes: writeScopes,
      annotations: { ...writes, destructiveHint: true, idempotentHint: false },
    },
    ({ id: noteId, expected_updated_at: expected, ...changes }, caller) =>
      store.forModel(caller, async (notes) => {
        const note = await notes.update(noteId, validateDraft(changes), { expected: normalizeTime(expected) });
        return changeResult(`Updated: ${note.id} (updated_at ${note.updated_at})`, note);
      }),
  );

  const deleteNote = tool(
    'delete_note',
    {
      description: 'Put a note into the trash; restore_note brings it back',
      input: idInput,
      output: factsSchema,
      scopes: writeScopes,
      annotations: { ...writes, destructiveHint: true, idempotentHint: false },
    },
    (args, caller) =>
      store.forModel(caller, async (notes) => {
        const note = await notes.remove(args.id);
        return changeResult(`Deleted: ${note.id} (restore_note brings it back)`, note);
      }),
  );

  const restoreNote = tool(
    'restore_note',
    {
      description: 'Take a note out of the trash',
      input: idInput,
      output: factsSchema,
      scopes: writeScopes,
      annotations: { ...writes, destructiveHint: false, idempotentHint: true },
    },
    (args, caller) =>
      store.forModel(caller, async (notes) => {
        const note = await notes.restore(args.id);
        return changeResult(`Restored: ${note.id}`, note);
      }),
  );

  const searchNotes = tool(
    'search_notes',
    {
      description:
        'Find notes by words in their title, content or tags, best matches first. All words must be there; words may be ' +
        'cut short or have another ending; case and accents make no difference; "a phrase" in quotes is found as it is; ' +
        '-word leaves notes out; OR stands between alternatives. Notes that only contain the query, inside words too, follow',
      input: {
        type: 'object',
        properties: {
          query: { type: 'string', maxLength: maxQuery, description: 'What to look for' },
          limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
          cursor: { type: 'string', description: 'next_cursor of the page before' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      output: pageSchema({ snippet: { type: 'string', description: 'Where it was found, words in **' } }),
      scopes: readScopes,
      annotations: reads,
      ui: notesView,
    },
    ({ query, limit = 10, cursor }, caller) =>
      store.forModel(caller, async (repository) => {
        const search = parseQuery(query);
        const offset = parseOffset(cursor);
        const found = await repository.search(search, { limit: limit + 1, offset });
        const notes = found
          .slice(0, limit)
          .map((note) => ({ ...factsOf(note), snippet: snippet(note.content, search) }));
        const lines = notes.map((note) => `${note.id}: ${note.title}\n  ${note.snippet}`);
        const next = found.length > limit ? String(offset + limit) : undefined;
        return pageResult(lines, notes, next, 'No note was found');
      }),
  );

  const listNotes = tool(
    'list_notes',
    {
      description: 'List notes, the newest first',
      input: {
        type: 'object',
        properties: {
          tag: { type: 'string', maxLength: maxTag, description: 'Only notes with this tag' },
          limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
          cursor: { type: 'string', description: 'next_cursor of the page before' },
        },
        additionalProperties: false,
      },
      output: pageSchema({ preview: { type: 'string', description: 'The beginning of the content' } }),
      scopes: readScopes,
      annotations: reads,
      ui: notesView,
    },
    ({ tag, limit = 50, cursor }, caller) =>
      store.forModel(caller, async (repository) => {
        if (cursor !== undefined && noteNumber(cursor) === 0) throw invalidCursor();
        const found = await repository.list({ tag, order: 'newest first', from: cursor, limit: limit + 1 });
        const notes = found.slice(0, limit);
        const lines = notes.map((note) => `${note.id}: ${note.title}${note.tags.map((each) => ` #${each}`).join('')}`);
        return pageResult(lines, notes, found.length > limit ? notes.at(-1)?.id : undefined, 'No notes');
      }),
  );

  return [createNote, getNote, updateNote, deleteNote, restoreNote, searchNotes, listNotes];
}

function factsOf({ id, title, tags, created_at, updated_at }: Note): Omit<Note, 'content'> {
  return { id, title, tags, created_at, updated_at };
}

/** Omits the content, which the caller has. */
function changeResult(message: string, note: Note): ToolResult {
  return { content: [text(message)], structuredContent: { ...factsOf(note) } };
}

function pageResult(lines: string[], notes: object[], next: string | undefined, none: string): ToolResult {
  const more = next === undefined ? [] : [`More with cursor "${next}"`];
  const summary = lines.length === 0 ? none : [...lines, ...more].join('\n');
  return {
    content: [text(summary)],
    structuredContent: { notes, ...(next !== undefined && { next_cursor: next }) },
  };
}

function formatHead({ id, title, tags, created_at, updated_at }: Note): string {
  const tagged = tags.length === 0 ? '' : `\nTags: ${tags.join(', ')}`;
  return `${title}\nId: ${id}${tagged}\nCreated: ${created_at}\nUpdated: ${updated_at}`;
}

function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}

function invalidCursor(): NotesError {
  return new NotesError('invalid', 'The cursor is not one of ours: use next_cursor of the page before as it is');
}

/** Normalizes a time. */
function normalizeTime(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds))
    throw new NotesError('invalid', 'expected_updated_at is no time; use that of the note');
  return new Date(milliseconds).toISOString();
}

/** The view of the notes: list, search, edit. Loaded when a host shows it. */
const notesView: AppView = appView('ui://notes/view.html', {
  html: async () => (await import('../views/notes/view.html')).default,
  name: 'notes-view',
  title: 'Notes',
  listed: false,
  prefersBorder: true,
});
