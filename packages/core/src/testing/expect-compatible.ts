import type { Client } from '../client/client.ts';
import { type ChangeKind, changeKinds } from '../features/contracts/change.ts';
import { diffLocks } from '../features/contracts/diff-locks.ts';
import { formatChanges } from '../features/contracts/format-changes.ts';
import { type Lock, lockedTarget } from '../features/contracts/lock.ts';
import { parseLock } from '../features/contracts/lock-text.ts';
import { createLock } from '../transports/create-lock.ts';
import type { Serving } from '../transports/memory.ts';
import { TestFailure } from './transcript.ts';

/** Options of `expectCompatible`. */
export interface CompatibleOptions {
  /** The name of the server in the lock. Default: the only one. */
  target?: string;
  /** The least severe kind of change that fails. Default: `undecided`, so that the wording may change. */
  failOn?: Exclude<ChangeKind, 'compatible'>;
}

/**
 * Fails if a server, or the one that a client is connected to, breaks those who rely on what a lock has. The lock may be
 * the text of its file.
 */
export async function expectCompatible(
  server: Serving | Client,
  lock: Lock | string,
  { target, failOn = 'undecided' }: CompatibleOptions = {},
): Promise<void> {
  const before = typeof lock === 'string' ? await parseLock(lock) : lock;
  const [name = '', ...others] = target === undefined ? Object.keys(before.targets) : [target];
  if (others.length > 0) {
    throw new TypeError(
      `expectCompatible: the lock has ${others.length + 1} servers: name one with { target: "${name}" }`,
    );
  }
  const locked = lockedTarget(before, name);
  const changes = diffLocks({ ...before, targets: { [name]: locked } }, await createLock({ [name]: server }));
  const severe = changeKinds.slice(0, changeKinds.indexOf(failOn) + 1);
  const failing = changes.filter(({ kind }) => severe.includes(kind));
  if (failing.length === 0) return;
  const advice = 'If this is meant: raise the major version, and write the lock again with "ccmcp lock"';
  throw new TestFailure(`The server differs from the lock:\n\n${formatChanges(failing)}\n\n${advice}`, undefined);
}
