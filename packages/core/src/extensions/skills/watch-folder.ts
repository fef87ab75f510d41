import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { limits } from '../../limits.ts';

const settleMs = limits.skills.settleMs.value;
const latestMs = limits.skills.latestMs.value;

/** Who is told of changes, and of what prevents that. */
export interface FolderWatcher {
  changed(): void;
  failed(error: unknown): void;
}

/** Tells when something below a folder may have changed, until it is stopped. It keeps no process alive. */
export function watchFolder(folder: string, { changed, failed }: FolderWatcher): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first change was seen that was not told of yet. */
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
        // First, so that nothing is missed that changes while the rest is read.
        watchAll();
        changed();
      },
      Math.max(0, Math.min(settleMs, left)),
    );
    timer.unref();
  };
  // Once for each look at the folder: where there are no watchers left, each of thousands would say so.
  const reportOnce = (error: unknown): void => {
    // What went away since it was seen is told of by the folder that it was in.
    if (isReported || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    isReported = true;
    failed(error);
  };
  const watchOne = (at: string, heard: (entry: string | null) => void): void => {
    try {
      const watcher = watch(at, { persistent: false }, (_, entry) => heard(entry));
      watcher.on('error', reportOnce);
      watchers.push(watcher);
    } catch (error) {
      reportOnce(error);
    }
  };
  // Each folder by itself: watching a whole tree begins too late on Linux to see what changes at once.
  const watchAll = (): void => {
    close();
    isReported = false;
    // The folder itself may be removed and come back, or another take its place.
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
  if (depth > limits.skills.depth.value) return;
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
