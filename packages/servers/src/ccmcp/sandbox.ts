import { closeSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import {
  CheckedDirectory,
  type Directory,
  hasDescriptorPaths,
  HeldDirectory,
  isStillAt,
  openRoot,
} from './directory.ts';
import { makeDirectory, moveEntry, moveToTrash, removeEntry } from './entries.ts';
import { explainFileError, fileError, FileError, printable } from './file-error.ts';
import { type Entry, listEntries, readText, writeText } from './files.ts';
import { searchFiles, type SearchOptions, type SearchResult } from './search-files.ts';
import { type EditedFile, type EditOptions, editText } from './text-edits.ts';
import { checkFilePath, namesBelow, namesFromRoot, type ResolvedPath, walk, type WalkOptions } from './walk.ts';

/** File operations inside a root, safe from path traversal, links and races. Failures are FileErrors, whose messages are for the model. */
export interface Sandbox {
  readFile(path: string): string;
  /** Returns the number of bytes written. Does not create directories. */
  writeFile(path: string, content: string): number;
  /** Lists one level, sorted by name; `.` or an empty path is the root. */
  listDirectory(path: string): Entry[];
  /** Creates a directory and its missing parents; false if it exists. */
  makeDirectory(path: string): boolean;
  /** Applies all edits or none. */
  editFile(path: string, options: EditOptions): EditedFile;
  /** Moves a file, a directory or a link to an unused path. */
  move(from: string, to: string): void;
  /** Moves a file, a directory or a link to the trash, and returns its path there. */
  discard(path: string): string;
  /** Deletes a file, a link, or a directory recursively, and returns the number of entries. */
  remove(path: string): number;
  /** Searches a directory recursively, or one file; `.` or an empty path is the root. */
  search(path: string, wanted: SearchOptions, signal: AbortSignal): Promise<SearchResult>;
  /** Closes the root; the sandbox can't be used afterwards. */
  close(): void;
}

export interface SandboxOptions {
  /** Uses checked paths even if the system has descriptor paths, as on systems other than Linux. */
  readonly withoutDescriptors?: true;
  /** Names the sandbox in messages. Default: the root. */
  readonly where?: () => string;
  /** Results contain absolute paths, because relative ones belong to another root. */
  readonly absolute?: boolean;
}

/**
 * Opens a directory as a sandbox: no path or link leads outside, and with descriptor paths no race does; see
 * CheckedDirectory for other systems. Hard links look like any file, so one inside can be read; writing replaces the link
 * and does not change the file outside.
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

  /** Resolves a path; the caller closes the opened directories. */
  function resolvePath(names: readonly string[], current: WalkOptions): ResolvedPath {
    if (!isStillAt(root)) throw new FileError('The root directory was removed or replaced: restart the server');
    top ??= openTop();
    return walk(top, names, current);
  }

  function withPath<T>(path: string, action: Action<T>, mode: WalkMode = {}): T {
    const current: WalkOptions = { path, roots, where, opened: [], ...mode };
    try {
      const names = namesFromRoot(path, roots, where);
      return action(resolvePath(names, current), current, names);
    } catch (error) {
      throw explainFileError(error, path);
    } finally {
      for (const opened of current.opened) opened.close();
    }
  }

  /** The same for long operations, which yield to the event loop at each step. */
  async function withPathInSteps<T>(path: string, action: Action<Generator<void, T>>, signal: AbortSignal): Promise<T> {
    const current: WalkOptions = { path, roots, where, opened: [] };
    let steps: Generator<void, T> | undefined;
    try {
      const names = namesFromRoot(path, roots, where);
      steps = action(resolvePath(names, current), current, names);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value;
        await new Promise((resume) => void setImmediate(resume));
        signal.throwIfAborted();
      }
    } catch (error) {
      // Lets the generator close its directories.
      steps?.return(undefined as T);
      throw explainFileError(error, path);
    } finally {
      for (const opened of current.opened) opened.close();
    }
  }

  function withFile<T>(path: string, action: Action<T>): T {
    return withPath(path, (resolved, current, names) => {
      checkFilePath(path);
      return action(resolved, current, names);
    });
  }

  /** Resolves an existing entry except the root, without following a link. */
  function withEntry<T>(path: string, action: Action<T>): T {
    const check: Action<T> = (resolved, current, names) => {
      if (resolved.name === '.') throw fileError('The root itself can not be moved or deleted', path);
      if (resolved.stats === undefined) throw fileError('File not found', path);
      return action(resolved, current, names);
    };
    return withPath(path, check, { toLinks: true });
  }

  return {
    readFile: (path) => withFile(path, readText),
    writeFile: (path, content) => withFile(path, (resolved, current) => writeText(resolved, current, content)),
    listDirectory: (path) => withPath(path, listEntries),
    makeDirectory: (path) => {
      let isMade = false;
      const make = (directory: Directory, name: string): void => {
        makeDirectory(directory, name).close();
        isMade = true;
      };
      const check = ({ stats }: ResolvedPath): void => {
        if (!stats?.isDirectory()) throw fileError('A file is already there', path);
      };
      withPath(path, check, { make });
      return isMade;
    },
    editFile: (path, options) => withFile(path, (resolved, current) => editText(resolved, current, options)),
    move: (from, to) =>
      withEntry(from, (entry) => withPath(to, (resolved) => moveTo(entry, resolved, to), { toLinks: true })),
    discard: (path) => [...above, withEntry(path, moveToTrash)].join('/'),
    remove: (path) => withEntry(path, removeEntry),
    search: (path, wanted, signal) =>
      withPathInSteps(
        path,
        (resolved, at, names) => searchFiles(resolved, at, { names: [...above, ...names], wanted }),
        signal,
      ),
    close: () => closeSync(root.descriptor),
  };
}

/** An operation on a resolved path. */
type Action<T> = (resolved: ResolvedPath, options: WalkOptions, names: readonly string[]) => T;

/** How to resolve a path. */
type WalkMode = Pick<WalkOptions, 'toLinks' | 'make'>;

function moveTo(entry: ResolvedPath, to: ResolvedPath, path: string): void {
  if (to.stats !== undefined) {
    throw fileError('Something is already there; give the whole new path, also where it is in a folder', path);
  }
  moveEntry(entry, to, path);
}

/** The default roots: the working directory and the temporary folder. */
export function defaultRoots(): string[] {
  return [process.cwd(), tmpdir(), ...(sep === '/' ? ['/tmp'] : [])];
}

interface OpenRoot {
  readonly sandbox: Sandbox;
  /** Its spellings in absolute paths. */
  readonly spellings: readonly string[];
}

/**
 * Opens several roots as one sandbox. No link leads from one root to another. Relative paths belong to the first root;
 * others that can't be opened are ignored.
 */
export function openSandboxes(given: readonly string[], options: SandboxOptions = {}): Sandbox {
  const directories = [...new Set(given.map((path) => resolve(path)))].filter((path, at) => at === 0 || isUsable(path));
  const where = (): string => `the roots ${directories.map(printable).join(' and ')}`;
  const roots = directories.map((directory, at): OpenRoot => {
    const sandbox = openSandbox(directory, { ...options, where, absolute: at > 0 });
    return { sandbox, spellings: [directory, realpathSync.native(directory)] };
  });
  const [main] = roots as [OpenRoot];

  /** The sandbox of a path; the first one rejects paths outside all roots. */
  function sandboxOf(path: string): Sandbox {
    if (!isAbsolute(path)) return main.sandbox;
    const root = roots.find(({ spellings }) => namesBelow(path, spellings) !== undefined);
    return (root ?? main).sandbox;
  }

  return {
    readFile: (path) => sandboxOf(path).readFile(path),
    writeFile: (path, content) => sandboxOf(path).writeFile(path, content),
    listDirectory: (path) => sandboxOf(path).listDirectory(path),
    makeDirectory: (path) => sandboxOf(path).makeDirectory(path),
    editFile: (path, edits) => sandboxOf(path).editFile(path, edits),
    move(from, to) {
      const sandbox = sandboxOf(from);
      if (sandboxOf(to) !== sandbox) throw fileError('Both paths must be in one root', to);
      sandbox.move(from, to);
    },
    discard: (path) => sandboxOf(path).discard(path),
    remove: (path) => sandboxOf(path).remove(path),
    search: (path, wanted, signal) => sandboxOf(path).search(path, wanted, signal),
    close() {
      for (const { sandbox } of roots) sandbox.close();
    },
  };
}

function isUsable(directory: string): boolean {
  try {
    openSandbox(directory).close();
    return true;
  } catch {
    return false;
  }
}
