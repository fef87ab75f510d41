import { ErrorCode, type Prompt, ProtocolError, prompt } from '@ccmcp/core';
import { completeIds } from './resources.ts';
import { readScopes } from './access.ts';
import type { Store } from './store.ts';

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
