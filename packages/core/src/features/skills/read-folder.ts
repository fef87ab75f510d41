import * as fs from 'node:fs';
import * as path from 'node:path';
import { describeReadError } from '../describe-read-error.ts';
import type { SkillFiles } from './skill-files.ts';
import { skillFileName } from './skill.ts';
import { maxTotalBytes, maxEntries } from './skill-collection.ts';

/** The maximum nesting depth of folders. */
export const maxFolderDepth = 16;

/**
 * Reads all files below a folder except dotfiles. If the folder is a skill itself, its files get its name as prefix.
 * Symbolic links and special files are rejected, which prevents path traversal.
 */
export function readFolder(folder: string): SkillFiles {
  const files = new Map<string, Uint8Array>();
  let left = maxTotalBytes;
  let entriesLeft = maxEntries;
  checkFolder(folder);
  const isSkill = fs.existsSync(path.join(folder, skillFileName));
  const base = isSkill ? [path.basename(path.resolve(folder))] : [];

  function visit(at: string, parts: readonly string[]): void {
    const all = withReadError(at, () => fs.readdirSync(at, { withFileTypes: true }));
    const entries = all.filter(({ name }) => !name.startsWith('.'));
    if (entries.length > 0 && parts.length > maxFolderDepth) {
      throw new TypeError(`"${at}" is more than ${maxFolderDepth} folders deep: skills that deep are not supported`);
    }
    entriesLeft -= entries.length;
    if (entriesLeft < 0) {
      throw new TypeError(
        `There are more than ${maxEntries} files and folders below "${folder}": is it the right one?`,
      );
    }
    for (const entry of entries) take(entry, path.join(at, entry.name), [...parts, entry.name]);
  }

  function take(entry: fs.Dirent, at: string, parts: readonly string[]): void {
    if (entry.isDirectory()) return visit(at, parts);
    if (!entry.isFile()) throw new TypeError(`"${at}" is ${kindOf(entry)}: a skill has plain files and folders only`);
    const bytes = withReadError(at, () => readPlain(at));
    left -= bytes.byteLength;
    files.set(parts.join('/'), bytes);
  }

  /** Opens a file without following links, and reads no more than the limit. */
  function readPlain(at: string): Uint8Array {
    // Windows lacks these flags.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const handle = fs.openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const state = fs.fstatSync(handle);
      if (!state.isFile()) throw new TypeError(`"${at}" is no longer a plain file`);
      if (state.size > left) {
        throw new TypeError(`"${at}" has ${state.size} bytes: all skills may have ${maxTotalBytes} together`);
      }
      return readAll(handle, state.size);
    } finally {
      fs.closeSync(handle);
    }
  }

  visit(folder, base);
  if (files.size === 0) {
    throw new TypeError(`There is no skill in "${folder}": put folders there, each with a ${skillFileName}`);
  }
  return Object.fromEntries(files);
}

/** Reads the size at opening: a growing file could have no end. */
function readAll(handle: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const read = fs.readSync(handle, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Adds the path and the system's reason to an error. */
function withReadError<T>(at: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
    throw new TypeError(`"${at}" can't be read: ${reasons[String(error.code)] ?? error.message}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the server has no permission for it',
  EPERM: 'the server has no permission for it',
  ENOENT: 'it was deleted, or its name is not UTF-8',
  ELOOP: 'it is a link by now',
  ENXIO: 'it is a pipe or a device by now',
};

function checkFolder(folder: string): void {
  let isFolder = false;
  try {
    isFolder = fs.statSync(folder).isDirectory();
  } catch (error) {
    throw new TypeError(`Skills can't be read: ${describeReadError(folder, error)}`, { cause: error });
  }
  if (!isFolder) throw new TypeError(`Skills are read from a folder, and "${folder}" is a file`);
}

function kindOf(entry: fs.Dirent): string {
  if (entry.isSymbolicLink()) return 'a link';
  return entry.isFIFO() || entry.isSocket() ? 'a pipe or socket' : 'a device';
}
