import type { Client } from '@ccmcp/core/client';
import {
  acceptDefinitions,
  createLock,
  formatLock,
  type Lock,
  type LockedServer,
  LockError,
  lockedTarget,
  parseLock,
} from '@ccmcp/core/contracts';
import { Failure } from '../../command/failure.ts';
import { type ConfigFile, readConfigFile, replaceFile } from '../../config/file/config-file.ts';

/** A lock as it is in a file; without a lock if there is no file. */
export interface LockFile extends ConfigFile {
  readonly lock?: Lock;
}

/** Reads and verifies a lock, if there is one. */
export async function findLock(path: string): Promise<LockFile> {
  try {
    const file = readConfigFile(path);
    return file.bytes === undefined ? file : { ...file, lock: await parseLock(file.text) };
  } catch (error) {
    const { message } = error as Error;
    throw new Failure('usage', error instanceof LockError ? `${path}: ${message}` : message, { cause: error });
  }
}

/** Reads and verifies a lock. */
export async function readLock(path: string): Promise<Lock> {
  const { lock } = await findLock(path);
  if (lock !== undefined) return lock;
  throw new Failure('usage', `There is no lock ${path}`, { hint: `Write one: ccmcp lock TARGET -o ${path}` });
}

/** Reads what a lock has of one target. */
export async function readLockedServer(path: string, name: string): Promise<LockedServer> {
  const lock = await readLock(path);
  try {
    return lockedTarget(lock, name);
  } catch (error) {
    const hint = `Add it with "ccmcp lock TARGET -o ${path}", or say under which name it is there: --as NAME.`;
    throw new Failure('usage', `${path}: ${(error as Error).message}`, { hint, cause: error });
  }
}

/** Writes a lock, unless the file has the same text already. */
export function writeLock(file: LockFile, lock: Lock): void {
  const text = formatLock(lock);
  if (text === file.text) return;
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new Failure('unexpected', (error as Error).message, { cause: error });
  }
}

/** Takes over definitions of a connected server in the lock of a file. */
export async function acceptInLock(
  path: string,
  { target, client, names }: { target: string; client: Client; names: readonly string[] },
): Promise<void> {
  const file = await findLock(path);
  const lock = file.lock ?? (await readLock(path));
  const locked = lockedTarget(lock, target);
  const { targets } = await createLock({ [target]: client });
  const accepted = acceptDefinitions(locked, targets[target] as LockedServer, names);
  // It may be there under a longer name.
  const all = Object.entries(lock.targets).map(([name, server]) => [name, server === locked ? accepted : server]);
  writeLock(file, { ...lock, targets: Object.fromEntries(all) });
}
