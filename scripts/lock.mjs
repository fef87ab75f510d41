import { mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` while this process holds the lock directory. `waiting` is called with the id of the process that holds
 * it. The directory contains one file, named after its owner. It is created elsewhere and renamed into place: so it is
 * never seen without an owner, and the rename fails while another process holds it. A file of a dead owner is removed
 * by its unique name, so a new owner's file is never removed.
 *
 * @param {string} lock
 * @param {{ work: () => Promise<void>, waiting: (pid: number) => void }} options
 */
export async function withLock(lock, { work, waiting }) {
  const owner = await acquire(lock, waiting);
  const release = () => remove(lock, owner);
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} lock @param {(pid: number) => void} waiting */
async function acquire(lock, waiting) {
  let announced;
  for (;;) {
    const holder = readHolder(lock);
    if (holder !== undefined && isAlive(holder.pid)) {
      if (announced !== holder.pid) waiting(holder.pid);
      announced = holder.pid;
      await delay(100);
      continue;
    }
    remove(lock, holder?.name ?? '');
    const owner = take(lock);
    if (owner !== undefined) return owner;
  }
}

/** @param {string} lock */
function readHolder(lock) {
  try {
    const name = readdirSync(lock)[0];
    return name === undefined ? undefined : { name, pid: Number.parseInt(name, 10) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {string} lock */
function take(lock) {
  const prepared = mkdtempSync(`${lock}.`);
  const owner = `${process.pid}${basename(prepared).slice(basename(lock).length)}`;
  try {
    writeFileSync(join(prepared, owner), '');
    renameSync(prepared, lock);
    return owner;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** @param {string} lock @param {string} owner */
function remove(lock, owner) {
  if (owner !== '') rmSync(join(lock, owner), { force: true });
  try {
    rmdirSync(lock);
  } catch {
    // Already removed, or taken by another process.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  // Our own pid means an earlier process: in a container, pids restart.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error @returns {string} */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
