import { closeSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CheckedDirectory } from './checked-directory.ts';
import { type Directory, isInPlace, openRoot } from './directory.ts';
import { explain, FileError } from './file-error.ts';
import { type Entry, listEntries, readText, writeText } from './files.ts';
import { HeldDirectory, hasDescriptorPaths } from './held-directory.ts';
import { checkFilePath, namesFromRoot } from './sandbox-path.ts';
import { type Place, type Visit, walk } from './walk.ts';

/** Files below one directory. Each method throws a FileError, whose message is for the model, if it can't do its work. */
export interface Sandbox {
  readFile(path: string): string;
  /** Gives the number of bytes written. Directories are not created. */
  writeFile(path: string, content: string): number;
  /** One level, sorted by name; `.` or nothing is the root. */
  listDirectory(path: string): Entry[];
  /** Releases the root. Nothing can be done with the sandbox afterwards. */
  close(): void;
}

export interface SandboxOptions {
  /** Go by checked paths even where descriptors can be held, which is what happens on systems other than Linux. */
  readonly withoutDescriptors?: true;
}

/**
 * Opens a directory as a sandbox: no path or link leads out of it, and no race either where descriptors can be held;
 * CheckedDirectory says what holds elsewhere. A hard link can't be told from the file it shares, so one that was put
 * inside can be read; writing replaces the link and leaves the file outside as it was.
 */
export function openSandbox(directory: string, { withoutDescriptors }: SandboxOptions = {}): Sandbox {
  const root = openRoot(realpathSync.native(directory));
  const roots = [resolve(directory), root.path];
  let top: Directory | undefined;
  const openTop = (): Directory =>
    !withoutDescriptors && hasDescriptorPaths(root)
      ? new HeldDirectory(root.descriptor, undefined)
      : new CheckedDirectory(root.path, root.identity, undefined);

  function visit<T>(path: string, use: (place: Place, visit: Visit) => T): T {
    const current: Visit = { path, roots, opened: [] };
    try {
      const names = namesFromRoot(path, roots);
      if (!isInPlace(root)) throw new FileError('The root directory was removed or replaced: restart the server');
      top ??= openTop();
      return use(walk(top, names, current), current);
    } catch (error) {
      throw explain(error, path);
    } finally {
      for (const opened of current.opened) opened.close();
    }
  }

  function visitFile<T>(path: string, use: (place: Place, visit: Visit) => T): T {
    return visit(path, (place, current) => {
      checkFilePath(path);
      return use(place, current);
    });
  }

  return {
    readFile: (path) => visitFile(path, readText),
    writeFile: (path, content) => visitFile(path, (place, current) => writeText(place, current, content)),
    listDirectory: (path) => visit(path, listEntries),
    close: () => closeSync(root.descriptor),
  };
}
