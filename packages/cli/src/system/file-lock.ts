import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the requests made under a lock, each of which has its own timeout. */
const staleMs = 120_000;
const retryMs = 25;

/** Runs `act` while holding a lock file, so that one process at a time does. */
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

/** Creates the lock file; false if it exists. */
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

/** True if the process that took the lock has ended without releasing it. */
async function isStale(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => undefined);
  if (about === undefined) return false;
  const age = Date.now() - about.mtimeMs;
  if (age > staleMs) return true;
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // An empty file is just being written.
  return pid > 0 ? !isRunning(pid) : age > 1000;
}

/** Breaks a stale lock under a second lock: otherwise a fresh one could be removed. */
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
