import {
  createServer,
  ErrorCode,
  type LogLevel,
  type Prompt,
  prompt,
  ProtocolError,
  type Server,
  stderrLogger,
  type Template,
  template,
} from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { skills, type SkillFiles } from '@ccmcp/core/skills';
import { readScopes } from './access.ts';
import { noteNumber, NotesError } from './note.ts';
import { assertNotTruncated, openNotes, type StoreOptions } from './open.ts';
import type { NoteRepository } from './repository.ts';
import { parseQuery } from './search.ts';
import { Store } from './store.ts';
import { noteTools } from './tools.ts';

export { exportNotes, type NoteFiles } from './files.ts';
export { type Imported, importNotes } from './files.ts';
export { defaultNotesFile, openNotes, type StoreOptions } from './open.ts';
export { ownerOf } from './access.ts';
export { type Recovered, recoverNotes } from './open.ts';
export type { NoteRepository } from './repository.ts';

export interface NotesOptions extends StoreOptions {
  /** The minimum level of messages on stderr, and to clients without a chosen level. Default: `info`. */
  logLevel?: LogLevel;
  /** All callers share the same notes. Default: an authenticated caller has private notes. */
  shared?: boolean | undefined;
}

/**
 * Creates the notes server. The first request that needs the store opens it; a truncated SQLite file is rejected at once.
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
      'Persistent notes. Look with search_notes before you create one. ' +
      'Give expected_updated_at when you change a note that you read before.',
    tools: noteTools(store),
    templates: [noteTemplate(store)],
    prompts: notePrompts(store),
    extensions: [apps(), skills(meetingMinutes, { listed: 'none' })],
    logLevel,
    logger: stderrLogger(logLevel),
  });
  store.notifyClientsOf(server);
  return server;
}

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

/** The prompts of the notes server. */
export function notePrompts(store: Store): Prompt[] {
  const summarizeNote = prompt(
    'summarize_note',
    {
      description: 'Summarize a note',
      scopes: readScopes,
      arguments: {
        note_id: {
          description: 'The id of the note, such as note_1',
          required: true,
          complete: (value, { call }) => store.forClient(call, (notes) => completeIds(notes, value)),
        },
      },
    },
    ({ note_id }, caller) =>
      store.forClient(caller, async (notes) => {
        const { title, content } = await notes.get(note_id);
        return `Please summarize the following note.\n\nTitle: ${title}\n\n${content}`;
      }),
  );

  return [summarizeNote, brainstorm, meetingNotes];
}

const brainstorm = prompt(
  'brainstorm',
  {
    description: 'Collect ideas about a topic',
    arguments: {
      topic: { description: 'What the ideas are about', required: true },
      count: { description: 'How many ideas (default: 5)' },
    },
  },
  ({ topic, count = '5' }) => {
    if (!/^[1-9]\d{0,2}$/.test(count)) {
      throw new ProtocolError(ErrorCode.InvalidParams, '"count" must be a whole number from 1 to 999');
    }
    return `Generate ${count} ideas about: ${topic}`;
  },
);

const meetingNotes = prompt(
  'meeting_notes',
  {
    description: 'Write down a meeting as a note',
    arguments: { topic: { description: 'What the meeting is about' } },
  },
  ({ topic }) =>
    [
      `Help me to write notes of a meeting${topic === undefined ? '' : ` about ${topic}`}.`,
      'Ask me for what you need, then save a note with create_note, tagged "meeting", with these parts:',
      '',
      '- Date and participants',
      '- What was discussed',
      '- Decisions',
      '- Who does what until when',
    ].join('\n'),
);

/** How to take minutes with this server, for a model to read. */
const meetingMinutes: SkillFiles = {
  'meeting-minutes/SKILL.md': `---
name: meeting-minutes
description: Turn a meeting into notes that can be found again. Use when somebody shares a transcript, asks for minutes, or wants to know what was decided in earlier meetings.
metadata:
  version: "1.0"
---
# Meeting minutes

One note for each meeting, and one for each person's open tasks.

## Before you write

1. \`search_notes\` with the name of the meeting or its people. Read what was decided last time with \`get_note\`.
2. If there is a note of this meeting already, change it with \`update_note\` and give \`expected_updated_at\`: somebody may have
   changed it since you read it.

## The note of a meeting

\`create_note\` with

- title: \`YYYY-MM-DD Name of the meeting\`, so that notes sort by day
- tags: \`meeting\`, and one for the project
- content: as in [the template](references/TEMPLATE.md)

Write what was decided and why, not who said what when. Names and numbers exactly as they were said; what was unclear goes under
"Open". Leave out what is not there: no section stays empty.

## Tasks

Each task has one person, a verb and a day. Keep those of a person in one note, \`Tasks of NAME\`, tagged \`tasks\`: search for it first,
add what is new, and mark what is done instead of deleting it. Name the meeting that a task comes from.

## Afterwards

Say in one sentence what you wrote and where (\`note_7\`), and read back the decisions: it is the last chance to correct them.
`,
  'meeting-minutes/references/TEMPLATE.md': `# Template

\`\`\`
Who: Anna, Bob (left early)

Decided
- The release moves to 14 May, because the import is not ready.

Tasks
- Bob: finish the import, until 9 May

Open
- Who tells the customers?
\`\`\`
`,
};
