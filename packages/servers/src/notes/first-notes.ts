import type { Draft } from './note.ts';

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
      'A search finds notes that have all the words, in the title or the content. Words may be cut short: "meet" finds ' +
      'meetings. Case and accents make no difference. Put a phrase in quotes to find exactly that.',
    tags: ['welcome', 'help'],
  },
];
