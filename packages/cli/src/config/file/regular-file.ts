import { closeSync, constants, fstatSync, openSync, readSync, readlinkSync, type Stats, statSync } from 'node:fs';

/** The maximum size of a client's file, in bytes. */
const maxBytes = 16 * 1024 * 1024;

/** Whether there is a file at a path: no folder, pipe or device. */
export function isRegularFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Reads a file; undefined if it is missing. Rejects anything but a regular file: a pipe would block, and a device has no
 * end.
 */
export function readRegularFile(path: string): Buffer | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) {
    rejectDanglingLink(path);
    return undefined;
  }
  requireRegular(about, path);
  // The file may have been replaced meanwhile; O_NONBLOCK never waits.
  const file = open(path);
  try {
    const opened = fstatSync(file);
    requireRegular(opened, path);
    return readUpTo(file, opened.size, path);
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw new Error(`${path} may not be read`, { cause: error });
    throw error;
  }
}

function requireRegular(about: Stats, path: string): void {
  const kind = kindOf(about);
  if (kind !== undefined) throw new Error(`${path} is ${kind}, not a file`);
  if (about.size > maxBytes) throw tooLong(path);
}

/** Reads in chunks: a file may grow meanwhile, and some report a wrong size. */
function readUpTo(file: number, size: number, path: string): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(size - length, 64 * 1024));
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, count));
    length += count;
    if (length > maxBytes) throw tooLong(path);
  }
}

function tooLong(path: string): Error {
  return new Error(`${path} is longer than ${maxBytes / 1024 / 1024} MiB, too long for a configuration`);
}

/** A dangling link is not replaced: its target may be missing only for now. */
function rejectDanglingLink(path: string): void {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch {
    return;
  }
  throw new Error(`${path} is a link to ${target}, which does not exist; make that file, or remove the link`);
}

function kindOf(about: Stats): string | undefined {
  if (about.isFile()) return undefined;
  if (about.isDirectory()) return 'a folder';
  if (about.isFIFO()) return 'a pipe';
  if (about.isSocket()) return 'a socket';
  return 'a device';
}
