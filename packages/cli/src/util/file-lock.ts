import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the requests take that are made under a lock, each of which has its own limit. */
const staleMs = 120_000;
const retryMs = 25;

/** Does something while no other process does anything under the same lock. */
export async function withFileLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  while (!(await acquire(path))) {
    if (await isStale(path)) await breakLock(path);
    else await sleep(retryMs);
  }
  try {
    return await act();
  } finally {
    await rm(path, { force: true });
  }
}

/** Makes the lock's file, unless it is there. */
async function acquire(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether whoever made the lock has ended without removing it. */
async function isStale(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => undefined);
  if (about === undefined) return false;
  const age = Date.now() - about.mtimeMs;
  if (age > staleMs) return true;
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // An empty one is being written just now.
  return pid > 0 ? !isRunning(pid) : age > 1000;
}

/** One at a time, and only what is still left: else a lock that somebody has just taken would be removed. */
async function breakLock(path: string): Promise<void> {
  const breaking = `${path}.breaking`;
  if (!(await acquire(breaking))) {
    if (await isStale(breaking)) await rm(breaking, { force: true });
    await sleep(retryMs);
    return;
  }
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rm(breaking, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
