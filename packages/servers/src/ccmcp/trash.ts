import { lstatSync, rmdirSync } from 'node:fs';
import { type Directory, isSame } from './directory.ts';
import { fileError } from './file-error.ts';
import { writeText } from './files.ts';
import { makeDirectory, moveEntry } from './move-entry.ts';
import { type Place, rootOf, type Visit } from './walk.ts';

/** The folder in the root that receives what is deleted. */
export const trashName = '.trash';

/** Moves an entry to the trash and gives its path there. Each has a folder of its own, with the way that led to it. */
export function moveToTrash(entry: Place, visit: Visit, names: readonly string[]): string {
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

function openTrash(root: Directory, visit: Visit): Directory {
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
  if (isSame(lstatSync(directory.path(name), { bigint: true }), identity)) return true;
  for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) {
    if (isSame(lstatSync(at.path('.'), { bigint: true }), identity)) return true;
  }
  return false;
}
