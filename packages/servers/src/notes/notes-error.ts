/** Why something could not be done with the notes; `unavailable` may work when tried again. */
export type Problem = 'missing' | 'conflict' | 'invalid' | 'unavailable';

/** Something could not be done with the notes. The message is for whoever asked: what is wrong and what to do. */
export class NotesError extends Error {
  override name = 'NotesError';

  constructor(
    readonly problem: Problem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error about a note that isn't there. */
export function missing(id: string): NotesError {
  return new NotesError('missing', `There is no note "${id.slice(0, 40)}"`);
}

/** The error about a note that was deleted. */
export function trashed(id: string): NotesError {
  return new NotesError('missing', `${id} is in the trash; restore_note brings it back`);
}

/** The error about a key that stands for another note. */
export function keyTaken(id: string): NotesError {
  return new NotesError(
    'conflict',
    `The idempotency_key was used before, for ${id} with another title, content or tags: choose another key for a new note`,
  );
}

/** The error about a note that someone else changed meanwhile. */
export function conflict(id: string, updatedAt: string): NotesError {
  return new NotesError(
    'conflict',
    `${id} was changed by someone else: its updated_at is ${updatedAt}. Read it again and decide what to change`,
  );
}
