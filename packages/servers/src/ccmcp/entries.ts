import {
  closeSync,
  constants,
  type Dirent,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { type Directory, isSameFile } from './directory.ts';
import { fileError, isAccessDenied } from './file-error.ts';
import { writeText } from './files.ts';
import { type ResolvedPath, rootOf, type WalkOptions } from './walk.ts';

/** The destination of a move. */
export interface Destination {
  readonly directory: Directory;
  readonly name: string;
}

/** Creates and opens a directory. */
export function makeDirectory(directory: Directory, name: string): Directory {
  directory.confirm();
  mkdirSync(directory.path(name));
  directory.confirm();
  return directory.enter(name);
}

/** Moves an entry, a link as a link, without ever replacing another one. */
export function moveEntry(from: ResolvedPath, to: Destination, path: string): void {
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
    // Another entry was moved instead: undo it.
    if (lstatSync(ends.source, { throwIfNoEntry: false }) === undefined) renameSync(ends.target, ends.source);
    throw error;
  }
}

interface Ends {
  readonly source: string;
  readonly target: string;
}

/** Renaming replaces an empty directory, so an own one reserves the name. */
function moveDirectory({ source, target }: Ends): void {
  mkdirSync(target);
  try {
    renameSync(source, target);
  } catch (error) {
    rmdirSync(target);
    throw error;
  }
}

/** Error codes if hard links are not possible. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Moves a file by a hard link, which never replaces another file; false if that is not possible. */
function moveFile({ source, target }: Ends): boolean {
  try {
    linkSync(source, target);
  } catch (error) {
    if (isAccessDenied(error) || (error instanceof Error && 'code' in error && withoutLinks.has(error.code)))
      return false;
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

/** Renaming replaces a file, so an own one reserves the name. */
function moveOther({ source, target }: Ends): void {
  closeSync(openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW));
  try {
    renameSync(source, target);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}

const maxRemoved = 100_000;

type Entry = Pick<Dirent, 'name' | 'isDirectory'>;

/** Removes an entry permanently, a folder recursively, and returns the number of entries. Does not follow links. */
export function removeEntry({ directory, name, stats }: ResolvedPath, { path }: WalkOptions): number {
  let removed = 0;

  function remove(from: Directory, entry: Entry): void {
    if (removed >= maxRemoved) {
      throw fileError(`Stopped after ${maxRemoved} entries were deleted; call again to go on`, path);
    }
    if (entry.isDirectory()) empty(from.enter(entry.name));
    from.confirm();
    if (entry.isDirectory()) rmdirSync(from.path(entry.name));
    else unlinkSync(from.path(entry.name));
    removed += 1;
  }

  function empty(folder: Directory): void {
    try {
      for (const entry of folder.list()) remove(folder, entry);
    } finally {
      folder.close();
    }
  }

  remove(directory, { name, isDirectory: () => stats?.isDirectory() === true });
  return removed;
}

/** The trash, a folder in the root. */
export const trashName = '.trash';

/** Moves an entry to the trash and returns its path there: a new folder, then its original path. */
export function moveToTrash(entry: ResolvedPath, options: WalkOptions, names: readonly string[]): string {
  const trash = openTrash(rootOf(entry.directory), options);
  if (isInside(entry, trash)) {
    throw fileError('In the trash already; only a person, or a server started with --hard, empties it', options.path);
  }
  const own = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-${crypto.randomUUID().slice(-8)}`;
  const made: { directory: Directory; name: string }[] = [];
  let folder = trash;
  for (const name of [own, ...names.slice(0, -1)]) {
    made.push({ directory: folder, name });
    folder = makeDirectory(folder, name);
    options.opened.push(folder);
  }
  try {
    moveEntry(entry, { directory: folder, name: names.at(-1) as string }, options.path);
  } catch (error) {
    for (const { directory, name } of made.toReversed()) rmdirSync(directory.path(name));
    throw error;
  }
  return [trashName, own, ...names].join('/');
}

function openTrash(root: Directory, options: WalkOptions): Directory {
  const stats = lstatSync(root.path(trashName), { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    throw fileError('Nothing can be deleted: this name is that of the trash, and no folder', trashName);
  }
  const trash = stats === undefined ? makeDirectory(root, trashName) : root.enter(trashName);
  options.opened.push(trash);
  // Deleted files must not be committed.
  if (stats === undefined) writeText({ directory: trash, name: '.gitignore', stats: undefined }, options, '*\n');
  return trash;
}

function isInside({ directory, name }: ResolvedPath, trash: Directory): boolean {
  const identity = lstatSync(trash.path('.'), { bigint: true });
  if (isSameFile(lstatSync(directory.path(name), { bigint: true }), identity)) return true;
  for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) {
    if (isSameFile(lstatSync(at.path('.'), { bigint: true }), identity)) return true;
  }
  return false;
}
