import { invalidParams } from '../jsonrpc/errors.ts';
import { changes as r20241105 } from './2024-11-05.ts';
import { changes as r20250326 } from './2025-03-26.ts';
import { changes as r20250618 } from './2025-06-18.ts';
import { changes as r20251125 } from './2025-11-25.ts';
import { changes as r20260728 } from './2026-07-28.ts';
import { foldRevisions } from './fold.ts';
import type { Revision } from './revision.ts';

/** Every revision, oldest first. */
export const revisions: readonly Revision[] = foldRevisions([r20241105, r20250326, r20250618, r20251125, r20260728]);

const handshakes = revisions.filter((revision) => revision.era === 'handshake');
const statelessRevisions = revisions.filter((revision) => revision.era === 'stateless');
const byHandshakeVersion = new Map(handshakes.map((revision) => [revision.version, revision]));
const byStatelessVersion = new Map(statelessRevisions.map((revision) => [revision.version, revision]));

/** The newest revision of all. */
export const newestRevision = revisions.at(-1) as Revision;

/** The newest revision with a handshake. */
export const newestHandshake = handshakes.at(-1) as Revision;

/** Versions a client may name in `initialize`, oldest first. */
export const handshakeVersions: readonly string[] = handshakes.map((revision) => revision.version);

/** Versions a client may name in a request's `_meta`, oldest first. */
export const statelessVersions: readonly string[] = statelessRevisions.map((revision) => revision.version);

/** The version of a handshake client that names none and has no session. */
export const assumedVersion = r20250326.version;

/** True for a request of some revision. */
export function isRequestName(method: string): boolean {
  return revisions.some(({ requests }) => requests.has(method));
}

/** True for a request, a notification or a question of some revision. */
export function isMethodName(method: string): boolean {
  return revisions.some(
    ({ requests, notifications, questions }) =>
      requests.has(method) || notifications.has(method) || questions.has(method),
  );
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

/**
 * Negotiates the revision of a handshake. `accepted` selects which unknown versions get our newest revision: dates, as
 * the specification asks, any text, or none. Throws for the others.
 */
export function negotiate(requested: unknown, accepted: 'known' | 'dates' | 'any'): Revision {
  const known = typeof requested === 'string' ? byHandshakeVersion.get(requested) : undefined;
  if (known !== undefined) return known;
  const isDate = typeof requested === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(requested);
  if (accepted === 'any' || (accepted === 'dates' && isDate)) return newestHandshake;
  throw invalidParams('Unsupported protocol version', { supported: handshakeVersions, requested: requested ?? null });
}
