import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { maxFolderDepth } from './read-folder.ts';

/** The debounce delay after a change. */
const settleMs = 100;
/** The maximum delay while files keep changing. */
const latestMs = 1000;

/** Callbacks of a folder watcher. */
export interface FolderWatcher {
  changed(): void;
  failed(error: unknown): void;
}

/** Watches a folder tree for changes, with debouncing, until stopped. It keeps no process alive. */
export function watchFolder(folder: string, { changed, failed }: FolderWatcher): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first pending change was seen. */
  let since: number | undefined;
  let watchers: FSWatcher[] = [];
  let isReported = false;
  const name = basename(resolve(folder));

  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const scheduleChange = (): void => {
    since ??= performance.now();
    const left = since + latestMs - performance.now();
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        since = undefined;
        // Before reading, so that no change in between is missed.
        watchAll();
        changed();
      },
      Math.max(0, Math.min(settleMs, left)),
    );
    timer.unref();
  };
  // Once per scan: without watchers left, thousands of folders would report the same.
  const reportOnce = (error: unknown): void => {
    // A removal is reported by the parent folder.
    if (isReported || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    isReported = true;
    failed(error);
  };
  const watchOne = (at: string, onChange: (entry: string | null) => void): void => {
    try {
      const watcher = watch(at, { persistent: false }, (_, entry) => onChange(entry));
      watcher.on('error', reportOnce);
      watchers.push(watcher);
    } catch (error) {
      reportOnce(error);
    }
  };
  // Each folder by itself: recursive watching starts too late on Linux to see immediate changes.
  const watchAll = (): void => {
    close();
    isReported = false;
    // The folder itself may be removed and recreated, or replaced.
    watchOne(dirname(resolve(folder)), (entry) => (entry === null || entry === name) && scheduleChange());
    for (const at of foldersBelow(folder, reportOnce)) watchOne(at, scheduleChange);
  };

  watchAll();
  return () => {
    clearTimeout(timer);
    close();
  };
}

function* foldersBelow(
  folder: string,
  reportOnce: (error: unknown) => void,
  depth = 0,
): Generator<string, void, undefined> {
  yield folder;
  if (depth > maxFolderDepth) return;
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    reportOnce(error);
  }
  for (const entry of entries) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) {
      yield* foldersBelow(join(folder, entry.name), reportOnce, depth + 1);
    }
  }
}
