import { lstatSync, rmdirSync, type Dirent, unlinkSync } from 'node:fs';
import { type Directory, isSameFile } from './directory.ts';
import { fileError } from './file-error.ts';
import { writeText } from './files.ts';
import { makeDirectory, moveEntry } from './move-entry.ts';
import { type Place, rootOf, type WalkOptions } from './walk.ts';
import { limits } from '../limits.ts';

const maxRemoved = limits.ccmcp.deleted.value;

type Entry = Pick<Dirent, 'name' | 'isDirectory'>;

/** Removes an entry for good, a folder with all that is in it, and says how many entries that were. Links are not followed. */
export function removeEntry({ directory, name, stats }: Place, { path }: WalkOptions): number {
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

/** The folder in the root that receives what is deleted. */
export const trashName = '.trash';

/** Moves an entry to the trash and gives its path there. Each has a folder of its own, with the way that led to it. */
export function moveToTrash(entry: Place, visit: WalkOptions, names: readonly string[]): string {
  const trash = openTrash(rootOf(entry.directory), visit);
  if (isInside(entry, trash)) {
    throw fileError('In the trash already; only a person, or a server started with --hard, empties it', visit.path);
  }
  const own = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-${crypto.randomUUID().slice(-8)}`;
  const made: { directory: Directory; name: string }[] = [];
  let folder = trash;
  for (const name of [own, ...names.slice(0, -1)]) {
    made.push({ directory: folder, name });
    folder = makeDirectory(folder, name);
    visit.opened.push(folder);
  }
  try {
    moveEntry(entry, { directory: folder, name: names.at(-1) as string }, visit.path);
  } catch (error) {
    for (const { directory, name } of made.toReversed()) rmdirSync(directory.path(name));
    throw error;
  }
  return [trashName, own, ...names].join('/');
}

function openTrash(root: Directory, visit: WalkOptions): Directory {
  const stats = lstatSync(root.path(trashName), { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    throw fileError('Nothing can be deleted: this name is that of the trash, and no folder', trashName);
  }
  const trash = stats === undefined ? makeDirectory(root, trashName) : root.enter(trashName);
  visit.opened.push(trash);
  // What was deleted must not come back with the next commit.
  if (stats === undefined) writeText({ directory: trash, name: '.gitignore', stats: undefined }, visit, '*\n');
  return trash;
}

function isInside({ directory, name }: Place, trash: Directory): boolean {
  const identity = lstatSync(trash.path('.'), { bigint: true });
  if (isSameFile(lstatSync(directory.path(name), { bigint: true }), identity)) return true;
  for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) {
    if (isSameFile(lstatSync(at.path('.'), { bigint: true }), identity)) return true;
  }
  return false;
}
