import { type Dirent, rmdirSync, unlinkSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { fileError } from './file-error.ts';
import type { Place, Visit } from './walk.ts';
import { limits } from '../limits.ts';

const maxRemoved = limits.ccmcp.deleted.value;

type Entry = Pick<Dirent, 'name' | 'isDirectory'>;

/** Removes an entry for good, a folder with all that is in it, and says how many entries that were. Links are not followed. */
export function removeEntry({ directory, name, stats }: Place, { path }: Visit): number {
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
