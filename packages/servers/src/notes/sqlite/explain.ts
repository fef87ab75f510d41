import { NotesError } from '../notes-error.ts';
import { Damage, damaged } from './damage.ts';
import { ResultCode, resultCode } from './driver.ts';

const problems: ReadonlyMap<number | undefined, string> = new Map([
  [ResultCode.readonly, "The notes can't be changed: their file or its folder is read-only"],
  [ResultCode.ioError, "The notes can't be read or written: the disk reports an error. Nothing was changed"],
  [ResultCode.full, 'There is no space left on the disk. Nothing was changed'],
  [ResultCode.cannotOpen, "The file with the notes can't be opened"],
  [ResultCode.notADatabase, 'The file with the notes is no database, or is damaged; it was left as it is'],
]);

/** What a failure of SQLite, or of the file system, means for whoever uses the notes. */
export function explain(error: unknown, path: string): unknown {
  if (error instanceof Damage || resultCode(error) === ResultCode.corrupt || isOfOtherFormat(error)) {
    return damaged(path, error);
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

/** SQLite has no number for it: one bit of the file's head is enough. */
function isOfOtherFormat(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unsupported file format');
}
