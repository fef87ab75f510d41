import type { Draft, Note } from './note.ts';

/** What a fresh store holds. */
export const firstNotes: readonly Draft[] = [
  {
    title: 'Welcome',
    content:
      'Welcome to your notes. Ask for a new note, look for words in all of them, or change and delete this one: ' +
      'deleted notes go to the trash, and can be restored.',
    tags: ['welcome'],
  },
  {
    title: 'Searching',
    content:
      'A search finds notes that have all the words, in the title, the content or the tags. Words may be cut short or end ' +
      'otherwise: "meet" finds meetings. Case and accents make no difference. Put a phrase in quotes to find exactly ' +
      'that; -word leaves notes out, OR joins alternatives.',
    tags: ['welcome', 'help'],
  },
];

/** True for a note as a fresh store had it, also that of an earlier version, if nobody has changed it since. */
export function isFirstNote({ title, tags, created_at, updated_at }: Omit<Note, 'id'>): boolean {
  if (created_at !== updated_at) return false;
  return firstNotes.some((first) => first.title === title && first.tags.join('\n') === tags.join('\n'));
}
