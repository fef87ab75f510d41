import type { Server } from '@ccmcp/core';
import { createLock, diffLocks, formatChanges } from '@ccmcp/core/contracts';
import { readLock } from '../client/connection/lock-file.ts';
import { Failure } from '../command/failure.ts';

/** Throws if a server differs from the lock of its contract in more than what is new and compatible. */
export async function assertLocked(server: Server, path: string): Promise<void> {
  const { targets, ...lock } = await readLock(path);
  const { name } = server.info;
  const [found, ...others] = Object.entries(targets).filter(([, locked]) => locked.server.name === name);
  if (found === undefined || others.length > 0) {
    const problem = found === undefined ? 'no server' : 'several servers';
    throw new Failure('usage', `${path} has ${problem} called "${name}": lock it, in a file of its own if need be`);
  }
  const [target, locked] = found;
  const changes = diffLocks({ ...lock, targets: { [target]: locked } }, await createLock({ [target]: server }));
  const failing = changes.filter(({ kind }) => kind !== 'compatible');
  if (failing.length === 0) return;
  throw new Failure('held-back', `The server differs from ${path}, and is not served:\n${formatChanges(failing)}`);
}
