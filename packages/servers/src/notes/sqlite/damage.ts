import { NotesError } from '../notes-error.ts';

/** Something in the file is not as it was written. */
export class Damage extends Error {
  override name = 'Damage';
}

/** The error about a file that can't be trusted: what was found, and how to get at the notes in it. */
export function damaged(path: string, cause: unknown): NotesError {
  const found = cause instanceof Damage ? ` (${cause.message})` : '';
  return new NotesError(
    'unavailable',
    `The file with the notes is damaged${found}; it was left as it is, and nothing in it is served: ${path}. ` +
      'End all programs that use it and put a copy of yours in its place, or save what can be read: ' +
      `ccmcp notes recover recovered.db --db '${path}', then put recovered.db in its place`,
    { cause },
  );
}
