import { type Lock, type LockedServer, lockedTarget, parseLock } from '@ccmcp/core/contracts';
import { Failure } from '../../command/failure.ts';
import { type ConfigFile, readConfigFile } from '../../config/file/config-file.ts';

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
    throw new Failure('usage', `${path}: ${(error as Error).message}`, { cause: error });
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
