import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import type { Directory } from './directory.ts';
import { fileError, isWithheld } from './file-error.ts';
import type { Place } from './walk.ts';

/** Where an entry goes. */
export interface Destination {
  readonly directory: Directory;
  readonly name: string;
}

/** Makes a directory where nothing is, and goes into it. */
export function makeDirectory(directory: Directory, name: string): Directory {
  directory.confirm();
  mkdirSync(directory.path(name));
  directory.confirm();
  return directory.enter(name);
}

/** Moves an entry, a link as a link, to a place where nothing is. Whatever is put there meanwhile stays. */
export function moveEntry(from: Place, to: Destination, path: string): void {
  const ends: Ends = { source: from.directory.path(from.name), target: to.directory.path(to.name) };
  from.directory.confirm();
  to.directory.confirm();
  if (from.stats?.isDirectory()) moveDirectory(ends);
  else if (!from.stats?.isFile() || !moveFile(ends)) moveOther(ends);
  try {
    from.directory.confirm();
    to.directory.confirm();
    const moved = lstatSync(ends.target);
    if (moved.ino !== from.stats?.ino || moved.dev !== from.stats.dev) {
      throw fileError('The path changed while it was used; try again', path);
    }
  } catch (error) {
    // Something took the place of the entry that was looked at: it goes back to where it was.
    if (lstatSync(ends.source, { throwIfNoEntry: false }) === undefined) renameSync(ends.target, ends.source);
    throw error;
  }
}

interface Ends {
  readonly source: string;
  readonly target: string;
}

/** Renaming replaces an empty directory, so one is put there that is our own. */
function moveDirectory({ source, target }: Ends): void {
  mkdirSync(target);
  try {
    renameSync(source, target);
  } catch (error) {
    rmdirSync(target);
    throw error;
  }
}

/** What is said where files can't have a second name, or this one can't. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives a file its new name, which is never that of another file, and takes the old one; false where that can't be. */
function moveFile({ source, target }: Ends): boolean {
  try {
    linkSync(source, target);
  } catch (error) {
    if (isWithheld(error) || (error instanceof Error && 'code' in error && withoutLinks.has(error.code))) return false;
    throw error;
  }
  try {
    unlinkSync(source);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
  return true;
}

/** Renaming replaces a file, so one is put there that is our own. */
function moveOther({ source, target }: Ends): void {
  closeSync(openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW));
  try {
    renameSync(source, target);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}
