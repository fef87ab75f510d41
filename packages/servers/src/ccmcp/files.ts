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
import { type ResolvedPath, type WalkOptions, walk } from './walk.ts';
import { hasPermissionModel } from '../permission.ts';

// Synchronous on purpose: files are small, nothing else in this process can run between a check and its use, and the
// response counts for backpressure at once.

/** The maximum size of a text file, in bytes. */
export const maxFileBytes = 1024 * 1024;

/** One line of a listing; everything but a directory counts as a file. */
export interface Entry {
  readonly kind: 'F' | 'D';
  readonly name: string;
}

/** Reads a regular text file of at most 1 MB. */
export function readText({ directory, name, stats }: ResolvedPath, { path }: WalkOptions): string {
  if (stats === undefined) throw fileError('File not found', path);
  if (stats.isDirectory()) throw fileError('Is a directory', path);
  // Opening a device can have side effects, so this check comes first; the one after opening is decisive.
  if (!stats.isFile()) throw fileError('Not a regular file', path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(directory.path(name), flags);
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isFile()) throw fileError('Not a regular file', path);
    directory.confirm({ name, descriptor });
    const bytes = opened.size > maxFileBytes ? undefined : readBytes(descriptor);
    if (bytes === undefined) throw fileError('File is larger than 1 MB', path);
    if (!isUtf8(bytes)) throw fileError('Not a text file (its content is not valid UTF-8)', path);
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

// Shared by all reads, which never overlap: allocating it costs more than reading a small file.
const buffer = Buffer.allocUnsafeSlow(maxFileBytes + 1);

/** Reads the rest of a file, valid until the next read; undefined if it is too large. */
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
 * Writes a text file atomically and returns the number of bytes: readers, also after a crash, see the old text or the
 * new one. A hard link is replaced, so its other names keep the old text.
 */
export function writeText({ directory, name, stats }: ResolvedPath, { path }: WalkOptions, content: string): number {
  if (stats?.isDirectory()) throw fileError('Is a directory', path);
  if (stats !== undefined && !stats.isFile()) throw fileError('Not a regular file', path);
  // Replacing needs no write permission for the file, but a read-only file must stay as it is.
  if (stats !== undefined) {
    closeSync(openSync(directory.path(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  }

  const bytes = Buffer.from(content, 'utf8');
  const stem = Array.from(name).slice(0, 50).join('');
  const temporary = `.${stem}.${crypto.randomUUID().slice(-12)}.tmp`;
  // Without fchmod and fsync, the umask applies to the mode, and each write is synchronous.
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

/** Lists a directory, sorted by name. */
export function listEntries({ directory, name, stats }: ResolvedPath, options: WalkOptions): Entry[] {
  if (stats === undefined) throw fileError('Directory not found', options.path);
  if (!stats.isDirectory()) throw fileError('Not a directory', options.path);
  const listed = name === '.' ? directory : directory.enter(name);
  if (listed !== directory) options.opened.push(listed);
  return listed
    .list()
    .toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name))
    .map((entry) => ({ kind: kindOf(entry, listed, options), name: printable(entry.name) }));
}

function kindOf(entry: Dirent, directory: Directory, options: WalkOptions): 'F' | 'D' {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'D' : 'F';
  const opened: Directory[] = [];
  try {
    return walk(directory, [entry.name], { ...options, opened }).stats?.isDirectory() ? 'D' : 'F';
  } catch {
    return 'F';
  } finally {
    for (const each of opened) each.close();
  }
}
