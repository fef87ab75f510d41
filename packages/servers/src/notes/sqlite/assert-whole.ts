import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DamageError, damagedFileError } from './damage.ts';

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
