import { closeSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  CheckedDirectory,
  type Directory,
  hasDescriptorPaths,
  HeldDirectory,
  isStillAt,
  openRoot,
} from './directory.ts';
import { type EditedFile, type EditOptions, editText } from './text-edits.ts';
import { explainFileError, fileError, FileError } from './file-error.ts';
import { type Entry, listEntries, readText, writeText } from './files.ts';
import { makeDirectory, moveEntry } from './move-entry.ts';
import { moveToTrash, removeEntry } from './trash.ts';
import { checkFilePath, namesFromRoot } from './sandbox-path.ts';
import { type SearchResult, searchFiles, type SearchOptions } from './search-files.ts';
import { type Place, type WalkOptions, walk } from './walk.ts';

/** Files below one directory. Each method throws a FileError, whose message is for the model, if it can't do its work. */
export interface Sandbox {
  readFile(path: string): string;
  /** Gives the number of bytes written. Directories are not created. */
  writeFile(path: string, content: string): number;
  /** One level, sorted by name; `.` or nothing is the root. */
  listDirectory(path: string): Entry[];
  /** Also makes the directories on the way. False where it is there already. */
  makeDirectory(path: string): boolean;
  /** All edits are made, or none. */
  editFile(path: string, options: EditOptions): EditedFile;
  /** Moves a file, a directory or a link to a path where nothing is. */
  move(from: string, to: string): void;
  /** Moves a file, a directory or a link to the trash, and gives its path there. */
  discard(path: string): string;
  /** Deletes a file, a link, or a directory with all that is in it, and says how many entries that were. */
  remove(path: string): number;
  /** Searches a directory with all that is in it, or one file; `.` or nothing is the root. */
  search(path: string, wanted: SearchOptions, signal: AbortSignal): Promise<SearchResult>;
  /** Releases the root. Nothing can be done with the sandbox afterwards. */
  close(): void;
}

export interface SandboxOptions {
  /** Go by checked paths even where descriptors can be held, which is what happens on systems other than Linux. */
  readonly withoutDescriptors?: true;
  /** What may not be left, for messages. Default: the root. */
  readonly where?: string;
  /** Answers name absolute paths: relative ones are those of another root. */
  readonly absolute?: boolean;
}

/**
 * Opens a directory as a sandbox: no path or link leads out of it, and no race either where descriptors can be held;
 * CheckedDirectory says what holds elsewhere. A hard link can't be told from the file it shares, so one that was put
 * inside can be read; writing replaces the link and leaves the file outside as it was.
 */
export function openSandbox(directory: string, options: SandboxOptions = {}): Sandbox {
  const { withoutDescriptors, where, absolute } = options;
  const root = openRoot(realpathSync.native(directory));
  const roots = [resolve(directory), root.path];
  const above = absolute ? root.path.split(sep) : [];
  let top: Directory | undefined;
  const openTop = (): Directory =>
    !withoutDescriptors && hasDescriptorPaths(root)
      ? new HeldDirectory(root.descriptor, undefined)
      : new CheckedDirectory(root.path, root.identity, undefined);

  /** Goes to a path. Whoever calls this closes what was opened. */
  function goTo(names: readonly string[], current: WalkOptions): Place {
    if (!isStillAt(root)) throw new FileError('The root directory was removed or replaced: restart the server');
    top ??= openTop();
    return walk(top, names, current);
  }

  function visit<T>(path: string, use: Use<T>, manner: Manner = {}): T {
    const current: WalkOptions = { path, roots, where, opened: [], ...manner };
    try {
      const names = namesFromRoot(path, roots, where);
      return use(goTo(names, current), current, names);
    } catch (error) {
      throw explainFileError(error, path);
    } finally {
      for (const opened of current.opened) opened.close();
    }
  }

  /** The same for what takes a while: others get their turn at each pause. */
  async function visitSlowly<T>(path: string, use: Use<Generator<void, T>>, signal: AbortSignal): Promise<T> {
    const current: WalkOptions = { path, roots, where, opened: [] };
    let steps: Generator<void, T> | undefined;
    try {
      const names = namesFromRoot(path, roots, where);
      steps = use(goTo(names, current), current, names);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value;
        await setImmediate();
        signal.throwIfAborted();
      }
    } catch (error) {
      // What was opened on the way is closed there.
      steps?.return(undefined as T);
      throw explainFileError(error, path);
    } finally {
      for (const opened of current.opened) opened.close();
    }
  }

  function visitFile<T>(path: string, use: Use<T>): T {
    return visit(path, (place, current, names) => {
      checkFilePath(path);
      return use(place, current, names);
    });
  }

  /** Visits what is there, itself: a link is not followed, and the root is not meant. */
  function visitEntry<T>(path: string, use: Use<T>): T {
    const check: Use<T> = (place, current, names) => {
      if (place.name === '.') throw fileError('The root itself can not be moved or deleted', path);
      if (place.stats === undefined) throw fileError('File not found', path);
      return use(place, current, names);
    };
    return visit(path, check, { toLinks: true });
  }

  return {
    readFile: (path) => visitFile(path, readText),
    writeFile: (path, content) => visitFile(path, (place, current) => writeText(place, current, content)),
    listDirectory: (path) => visit(path, listEntries),
    makeDirectory: (path) => {
      let isMade = false;
      const make = (directory: Directory, name: string): void => {
        makeDirectory(directory, name).close();
        isMade = true;
      };
      const check = ({ stats }: Place): void => {
        if (!stats?.isDirectory()) throw fileError('A file is already there', path);
      };
      visit(path, check, { make });
      return isMade;
    },
    editFile: (path, options) => visitFile(path, (place, current) => editText(place, current, options)),
    move: (from, to) => visitEntry(from, (entry) => visit(to, (place) => moveTo(entry, place, to), { toLinks: true })),
    discard: (path) => [...above, visitEntry(path, moveToTrash)].join('/'),
    remove: (path) => visitEntry(path, removeEntry),
    search: (path, wanted, signal) =>
      visitSlowly(path, (place, at, names) => searchFiles(place, at, { names: [...above, ...names], wanted }), signal),
    close: () => closeSync(root.descriptor),
  };
}

/** What is done at the end of a path. */
type Use<T> = (place: Place, visit: WalkOptions, names: readonly string[]) => T;

/** How a path is gone along. */
type Manner = Pick<WalkOptions, 'toLinks' | 'make'>;

function moveTo(entry: Place, to: Place, path: string): void {
  if (to.stats !== undefined) {
    throw fileError('Something is already there; give the whole new path, also where it is in a folder', path);
  }
  moveEntry(entry, to, path);
}
