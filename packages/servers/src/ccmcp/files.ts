import { Buffer, isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Directory } from './directory.ts';
import { fileError, printable } from './file-error.ts';
import { type Place, type WalkOptions, walk } from './walk.ts';
import { limits } from '../limits.ts';
import { hasPermissionModel } from '../permission.ts';

// Everything here is synchronous on purpose: files are small, nothing else of this process can run between a check
// and its use, and the answer counts against back-pressure at once.

const maxBytes = limits.ccmcp.file.value;

/** One line of a listing; what is not a directory is shown as a file. */
export interface Entry {
  readonly kind: 'F' | 'D';
  readonly name: string;
}

/** The text of a regular file of at most 1 MB. */
export function readText({ directory, name, stats }: Place, { path }: WalkOptions): string {
  if (stats === undefined) throw fileError('File not found', path);
  if (stats.isDirectory()) throw fileError('Is a directory', path);
  // Even opening a device can have effects, so this comes first; the check that counts is the one after opening.
  if (!stats.isFile()) throw fileError('Not a regular file', path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(directory.path(name), flags);
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isFile()) throw fileError('Not a regular file', path);
    directory.confirm({ name, descriptor });
    const bytes = opened.size > maxBytes ? undefined : readBytes(descriptor);
    if (bytes === undefined) throw fileError('File is larger than 1 MB', path);
    if (!isUtf8(bytes)) throw fileError('Not a text file (its content is not valid UTF-8)', path);
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

// One for all reads, which never overlap: allocating it costs more than reading a small file does.
const buffer = Buffer.allocUnsafeSlow(maxBytes + 1);

/** What is left in a file, valid until the next read; undefined if that is too much. */
function readBytes(descriptor: number): Buffer | undefined {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  return undefined;
}

/**
 * Puts text into a new or existing file and says how many bytes that was. The file is replaced as a whole, so that a
 * reader, or whoever comes after a crash, finds the old text or the new; and what was hard-linked keeps the old text.
 */
export function writeText({ directory, name, stats }: Place, { path }: WalkOptions, content: string): number {
  if (stats?.isDirectory()) throw fileError('Is a directory', path);
  if (stats !== undefined && !stats.isFile()) throw fileError('Not a regular file', path);
  // Replacing needs no right to write to the file itself, but whoever took that right away meant it.
  if (stats !== undefined) {
    closeSync(openSync(directory.path(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  }

  const bytes = Buffer.from(content, 'utf8');
  const stem = Array.from(name).slice(0, 50).join('');
  const temporary = `.${stem}.${crypto.randomUUID().slice(-12)}.tmp`;
  // Then the mode is kept as far as the process gives it to new files, and each write waits for the disk.
  const limited = hasPermissionModel();
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const mode = stats === undefined ? 0o666 : stats.mode & 0o777;
  const descriptor = openSync(directory.path(temporary), limited ? flags | constants.O_SYNC : flags, mode);
  try {
    try {
      directory.confirm({ name: temporary, descriptor });
      if (stats !== undefined && !limited) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, bytes);
      if (!limited) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    directory.confirm();
    renameSync(directory.path(temporary), directory.path(name));
  } catch (error) {
    rmSync(directory.path(temporary), { force: true });
    throw error;
  }
  return bytes.length;
}

/** What is in a directory, sorted by name. */
export function listEntries({ directory, name, stats }: Place, visit: WalkOptions): Entry[] {
  if (stats === undefined) throw fileError('Directory not found', visit.path);
  if (!stats.isDirectory()) throw fileError('Not a directory', visit.path);
  const listed = name === '.' ? directory : directory.enter(name);
  if (listed !== directory) visit.opened.push(listed);
  return listed
    .list()
    .toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name))
    .map((entry) => ({ kind: kindOf(entry, listed, visit), name: printable(entry.name) }));
}

function kindOf(entry: Dirent, directory: Directory, visit: WalkOptions): 'F' | 'D' {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'D' : 'F';
  const opened: Directory[] = [];
  try {
    return walk(directory, [entry.name], { ...visit, opened }).stats?.isDirectory() ? 'D' : 'F';
  } catch {
    return 'F';
  } finally {
    for (const each of opened) each.close();
  }
}
