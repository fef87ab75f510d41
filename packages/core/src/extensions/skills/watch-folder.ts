import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../limits.ts';

/** Who is told of changes, and of what prevents that. */
export interface FolderWatcher {
  changed(): void;
  failed(error: unknown): void;
}

/** Tells when something below a folder may have changed, until it is stopped. It keeps no process alive. */
export function watchFolder(folder: string, { changed, failed }: FolderWatcher): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchers: FSWatcher[] = [];

  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // First, so that nothing is missed that changes while the rest is read.
      begin();
      changed();
    }, limits.skills.settleMs.value);
    timer.unref();
  };
  // Each folder by itself: watching a whole tree begins too late on Linux to see what changes at once.
  const begin = (): void => {
    close();
    try {
      for (const at of foldersBelow(folder)) {
        const watcher = watch(at, { persistent: false }, later);
        watcher.on('error', failed);
        watchers.push(watcher);
      }
    } catch (error) {
      failed(error);
    }
  };

  begin();
  return () => {
    clearTimeout(timer);
    close();
  };
}

function* foldersBelow(folder: string, depth = 0): Generator<string, void, undefined> {
  yield folder;
  if (depth > limits.skills.depth.value) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* foldersBelow(join(folder, entry.name), depth + 1);
  }
}
