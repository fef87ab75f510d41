import { NotesError } from '../notes-error.ts';
import { ResultCode, resultCode } from './driver.ts';

const problems: ReadonlyMap<number | undefined, string> = new Map([
  [ResultCode.readonly, "The notes can't be changed: their file or its folder is read-only"],
  [ResultCode.ioError, "The notes can't be read or written: the disk reports an error. Nothing was changed"],
  [ResultCode.full, 'There is no space left on the disk. Nothing was changed'],
  [ResultCode.cannotOpen, "The file with the notes can't be opened"],
  [ResultCode.notADatabase, 'The file with the notes is no database, or is damaged; it was left as it is'],
]);

/** Converts errors of SQLite and the file system. */
export function explainError(error: unknown, path: string): unknown {
  if (error instanceof DamageError || resultCode(error) === ResultCode.corrupt || isOfOtherFormat(error)) {
    return damagedFileError(path, error);
  }
  const known = problems.get(resultCode(error));
  if (known !== undefined) return new NotesError('unavailable', `${known} (${path})`, { cause: error });
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new NotesError('unavailable', `The folder of ${path} can't be used (${String(error.code)})`, {
      cause: error,
    });
  }
  return error;
}

/** SQLite has no error code for it; one changed bit of the header causes it. */
function isOfOtherFormat(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unsupported file format');
}

/** The contents of the file were altered. */
export class DamageError extends Error {
  override name = 'Damage';
}

/** The error for a damaged file, with the way to recover its notes. */
export function damagedFileError(path: string, cause: unknown): NotesError {
  const found = cause instanceof DamageError ? ` (${cause.message})` : '';
  return new NotesError(
    'unavailable',
    `The file with the notes is damaged${found}; it was left as it is, and nothing in it is served: ${path}. ` +
      'End all programs that use it and put a copy of yours in its place, or save what can be read: ' +
      `ccmcp notes recover recovered.db --db '${path}', then put recovered.db in its place`,
    { cause },
  );
}
