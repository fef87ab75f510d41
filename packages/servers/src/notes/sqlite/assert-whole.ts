import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DamageError, damagedFileError } from './damage.ts';

/** SQLite's files begin with so many bytes that describe the rest. */
const headLength = 100;

/**
 * Throws where the end of a file was cut off: its head says how long it must be. That takes no time, so it is done when a
 * server starts; everything else is checked when the file is opened.
 */
export function assertFileNotTruncated(path: string): void {
  const wanted = lengthBeforeTruncation(path);
  if (wanted === undefined) return;
  throw damagedFileError(path, new DamageError(`its end is missing: it has ${sizeOf(path)} of ${wanted} bytes`));
}

/** How long a file was whose end was cut off; undefined for all others. */
export function lengthBeforeTruncation(path: string): number | undefined {
  const size = sizeOf(path);
  // What was interrupted is finished from the log or the journal when the file is opened, and that may make it longer.
  if (size === 0 || sizeOf(`${path}-wal`) > 0 || sizeOf(`${path}-journal`) > 0) return undefined;
  const wanted = lengthInHead(path);
  return wanted !== undefined && size < wanted ? wanted : undefined;
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}

/** Undefined where the file does not say, or is no file of SQLite: that is told when it is opened. */
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
  // Old programs change a file without counting its pages anew.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92);
  return isCounted ? pageSize * head.readUInt32BE(28) : undefined;
}
