import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { NotesError } from '../note.ts';
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
function damagedFileError(path: string, cause: unknown): NotesError {
  const found = cause instanceof DamageError ? ` (${cause.message})` : '';
  return new NotesError(
    'unavailable',
    `The file with the notes is damaged${found}; it was left as it is, and nothing in it is served: ${path}. ` +
      'End all programs that use it and put a copy of yours in its place, or save what can be read: ' +
      `ccmcp notes recover recovered.db --db '${path}', then put recovered.db in its place`,
    { cause },
  );
}

/** The length of the SQLite file header. */
const headLength = 100;

/**
 * Throws if a file is shorter than its header says. Fast enough for start-up; all other checks run when the file is
 * opened.
 */
export function assertFileNotTruncated(path: string): void {
  const wanted = lengthBeforeTruncation(path);
  if (wanted === undefined) return;
  throw damagedFileError(path, new DamageError(`its end is missing: it has ${sizeOf(path)} of ${wanted} bytes`));
}

/** The original length of a truncated file; undefined for other files. */
export function lengthBeforeTruncation(path: string): number | undefined {
  const size = sizeOf(path);
  // With a WAL or journal, opening the file completes it and may extend it.
  if (size === 0 || sizeOf(`${path}-wal`) > 0 || sizeOf(`${path}-journal`) > 0) return undefined;
  const wanted = lengthInHead(path);
  return wanted !== undefined && size < wanted ? wanted : undefined;
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}

/** Undefined if the header does not say, or the file is not SQLite, which fails when it is opened. */
function lengthInHead(path: string): number | undefined {
  const head = Buffer.alloc(headLength);
  let length: number;
  try {
    const descriptor = openSync(path, 'r');
    try {
      length = readSync(descriptor, head, 0, headLength, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
  const magic = head.toString('latin1', 0, 16);
  if (!'SQLite format 3\0'.startsWith(magic.slice(0, Math.min(16, length)))) return undefined;
  if (length < headLength) return headLength;
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  // Old versions of SQLite do not update the page count.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92);
  return isCounted ? pageSize * head.readUInt32BE(28) : undefined;
}
