import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { fileError, printable } from './file-error.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { namesBelow } from './sandbox-path.ts';

/** Where the file tools work unless somebody says otherwise: the working directory, and the system's temporary folder. */
export function defaultRoots(): string[] {
  return [process.cwd(), tmpdir(), ...(sep === '/' ? ['/tmp'] : [])];
}

interface OpenRoot {
  readonly sandbox: Sandbox;
  /** How it is spelled in absolute paths. */
  readonly spellings: readonly string[];
}

/**
 * Opens directories as one sandbox. Each is a sandbox of its own, so no link leads from one to another. Relative paths are
 * those of the first; others that can't be opened are left out.
 */
export function openSandboxes(given: readonly string[], options: SandboxOptions = {}): Sandbox {
  const directories = [...new Set(given.map((path) => resolve(path)))].filter((path, at) => at === 0 || isUsable(path));
  const where = `the roots ${directories.map(printable).join(' and ')}`;
  const roots = directories.map((directory, at): OpenRoot => {
    const sandbox = openSandbox(directory, { ...options, where, absolute: at > 0 });
    return { sandbox, spellings: [directory, realpathSync.native(directory)] };
  });
  const [main] = roots as [OpenRoot];

  /** The sandbox of a path; the first one tells what is wrong with those that are in none. */
  function at(path: string): Sandbox {
    if (!isAbsolute(path)) return main.sandbox;
    const root = roots.find(({ spellings }) => namesBelow(path, spellings) !== undefined);
    return (root ?? main).sandbox;
  }

  return {
    readFile: (path) => at(path).readFile(path),
    writeFile: (path, content) => at(path).writeFile(path, content),
    listDirectory: (path) => at(path).listDirectory(path),
    makeDirectory: (path) => at(path).makeDirectory(path),
    editFile: (path, edits) => at(path).editFile(path, edits),
    move(from, to) {
      const sandbox = at(from);
      if (at(to) !== sandbox) throw fileError('Both paths must be in one root', to);
      sandbox.move(from, to);
    },
    discard: (path) => at(path).discard(path),
    remove: (path) => at(path).remove(path),
    search: (path, wanted, signal) => at(path).search(path, wanted, signal),
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
