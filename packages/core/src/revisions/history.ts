import { changes as r20250326 } from './2025-03-26.ts';
import { history, revisionAt, versionsIn } from './negotiate.ts';
import type { Revision } from './revision.ts';

/** Every revision, oldest first. */
export const revisions: readonly Revision[] = history.map((_, index) => revisionAt(index));

const byHandshakeVersion = new Map<string, Revision>();
const byStatelessVersion = new Map<string, Revision>();
for (const revision of revisions) {
  (revision.era === 'handshake' ? byHandshakeVersion : byStatelessVersion).set(revision.version, revision);
}

/** The newest revision with a handshake. */
export const newestHandshake = [...byHandshakeVersion.values()].at(-1) as Revision;

/** Versions a client may name in `initialize`, oldest first. */
export const handshakeVersions: readonly string[] = versionsIn('handshake');

/** Versions a client may name in a request's `_meta`, oldest first. */
export const statelessVersions: readonly string[] = versionsIn('stateless');

/** The version of a handshake client that names none and has no session. */
export const assumedVersion = r20250326.version;

/** True for a request of some revision. */
export function isRequestName(method: string): boolean {
  return revisions.some(({ requests }) => requests.has(method));
}

/** A handshake revision by its version. */
export function handshakeRevision(version: string): Revision | undefined {
  return byHandshakeVersion.get(version);
}

/** A stateless revision by its version. */
export function statelessRevision(version: string): Revision | undefined {
  return byStatelessVersion.get(version);
}

/** A revision by its version, in either era. */
export function revisionOf(version: string): Revision | undefined {
  return byHandshakeVersion.get(version) ?? byStatelessVersion.get(version);
}
