import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches files for changes. */
export interface FileWatcher {
  /** The absolute paths of the watched files. */
  readonly files: ReadonlySet<string>;
  /** Watches one more file. Throws if its folder does not exist. */
  add(path: string): void;
  close(): void;
}

/** An editor writes a file in several steps. */
const debounceMs = 50;

/** Calls `onChange` after a file has changed, one call after another. Folders are watched, since editors replace files. */
export function watchFiles(onChange: () => Promise<void>, note: (text: string) => void): FileWatcher {
  const files = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  let due: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  return {
    files,
    add(path) {
      files.add(path);
      const folder = dirname(path);
      if (watchers.has(folder)) return;
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null && !files.has(join(folder, name))) return;
        clearTimeout(due);
        due = setTimeout(() => {
          last = last.then(onChange);
        }, debounceMs);
      });
      watcher.on('error', (error) => note(`${folder} is no longer watched: ${error.message}`));
      watchers.set(folder, watcher);
    },
    close() {
      clearTimeout(due);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
