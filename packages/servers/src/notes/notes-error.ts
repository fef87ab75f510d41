/** The kind of an error; `unavailable` may succeed on a retry. */
export type Problem = 'missing' | 'conflict' | 'invalid' | 'unavailable';

/** An error with the notes. The message is for the caller and names a remedy. */
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

/** The error for a missing note. */
export function missing(id: string): NotesError {
  return new NotesError('missing', `There is no note "${id.slice(0, 40)}"`);
}

/** The error for a note in the trash. */
export function trashed(id: string): NotesError {
  return new NotesError('missing', `${id} is in the trash; restore_note brings it back`);
}

/** The error for an idempotency key of another note. */
export function keyTaken(id: string): NotesError {
  return new NotesError(
    'conflict',
    `The idempotency_key was used before, for ${id} with another title, content or tags: choose another key for a new note`,
  );
}

/** The error for a concurrent change. */
export function conflict(id: string, updatedAt: string): NotesError {
  return new NotesError(
    'conflict',
    `${id} was changed by someone else: its updated_at is ${updatedAt}. Read it again and decide what to change`,
  );
}
