import { brief, ErrorCode, invalidParams, ProtocolError } from '../jsonrpc/errors.ts';
import { isObject, type Request } from '../jsonrpc/message.ts';
import { MetaKey } from '../protocol/meta.ts';
import { changes as r20241105 } from './2024-11-05.ts';
import { changes as r20250326 } from './2025-03-26.ts';
import { changes as r20250618 } from './2025-06-18.ts';
import { changes as r20251125 } from './2025-11-25.ts';
import { changes as r20260728 } from './2026-07-28.ts';
import { fold } from './fold.ts';
import type { Caller, Revision } from './revision.ts';
import { introduce } from './stateless.ts';

/** Every revision, oldest first. */
export const revisions: readonly Revision[] = fold([r20241105, r20250326, r20250618, r20251125, r20260728]);

const handshakes = revisions.filter((revision) => revision.era === 'handshake');
const statelessRevisions = revisions.filter((revision) => revision.era === 'stateless');
const newestHandshake = handshakes.at(-1) as Revision;
/** Someone who has not introduced themselves yet: they may ask whether we are there. */
const stranger: Caller = { revision: newestHandshake, capabilities: {}, clientInfo: undefined, logLevel: undefined };

const requestNames = new Set(revisions.flatMap((revision) => [...revision.requests]));

/** Versions a client may name in `initialize`, oldest first. */
export const handshakeVersions: readonly string[] = handshakes.map((revision) => revision.version);

/** Versions a client may name in a request's `_meta`, oldest first. */
export const statelessVersions: readonly string[] = statelessRevisions.map((revision) => revision.version);

const byStatelessVersion = new Map(statelessRevisions.map((revision) => [revision.version, revision]));
const byHandshakeVersion = new Map(handshakes.map((revision) => [revision.version, revision]));

/**
 * Decides, from the message alone and what its session knows, which revision a request is served in, and for whom.
 * A version in `_meta` claims the stateless era; a request without one belongs to the handshake.
 */
export function callerOf(request: Request, session: { readonly revision: Revision | undefined } | undefined): Caller {
  const meta = request.params?._meta;
  if (meta !== undefined) {
    if (!isObject(meta)) throw invalidParams('"_meta" must be an object');
    const version = meta[MetaKey.protocolVersion];
    if (version !== undefined) return introduce(statelessRevision(version), meta);
  }
  if (session?.revision !== undefined) return session as Caller;
  if (request.method === 'ping') return stranger;
  throw beforeHandshake(request.method);
}

/** A handshake revision by its version. */
export function handshakeRevision(version: string): Revision | undefined {
  return byHandshakeVersion.get(version);
}

/** A revision by its version, in either era. */
export function revisionOf(version: string): Revision | undefined {
  return byHandshakeVersion.get(version) ?? byStatelessVersion.get(version);
}

/** What a handshake client is taken to speak that keeps no session and does not say. */
export const assumedVersion = r20250326.version;

/**
 * Decides the era of an HTTP request. Its body decides; the version header can only contradict it. A header that names
 * a stateless version without the body doing so is a stateless request gone wrong, not a handshake one.
 */
export function eraOf({ method, params }: Request, versionHeader: string | undefined): 'handshake' | 'stateless' {
  if (claimsStateless(params)) return 'stateless';
  const headerIsNewer = versionHeader !== undefined && versionHeader > newestHandshake.version;
  if (method === 'initialize') {
    if (!headerIsNewer) return 'handshake';
    throw new ProtocolError(
      ErrorCode.HeaderMismatch,
      `Header mismatch: "initialize" belongs to ${newestHandshake.version} and before, MCP-Protocol-Version to later`,
    );
  }
  if (headerIsNewer) throw missingClaim(method);
  if (requestNames.has(method) && !newestHandshake.requests.has(method)) throw missingClaim(method);
  return 'handshake';
}

/** True where a message says by itself that it belongs to the stateless era. */
export function claimsStateless(params: Record<string, unknown> | undefined): boolean {
  const meta = params?._meta;
  return isObject(meta) && meta[MetaKey.protocolVersion] !== undefined;
}

function statelessRevision(version: unknown): Revision {
  if (typeof version !== 'string') throw invalidParams(`_meta["${MetaKey.protocolVersion}"] must be a string`);
  const revision = byStatelessVersion.get(version);
  if (revision !== undefined) return revision;
  throw new ProtocolError(ErrorCode.UnsupportedVersion, 'Unsupported protocol version', {
    supported: statelessVersions,
    requested: version,
  });
}

function beforeHandshake(method: string): ProtocolError {
  if (!requestNames.has(method))
    return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${brief(method)}`);
  if (!newestHandshake.requests.has(method)) return missingClaim(method);
  return new ProtocolError(
    ErrorCode.NotInitialized,
    `Server not initialized: send "initialize" first, or name the protocol version in "_meta" of each request`,
  );
}

/**
 * Chooses the revision of a handshake. A date that we don't know gets our newest one, as the specification asks;
 * anything that is no date, or any unknown version where `strict` is set, is refused.
 */
export function negotiate(requested: unknown, { strict }: { strict: boolean }): Revision {
  const known = typeof requested === 'string' ? byHandshakeVersion.get(requested) : undefined;
  if (known !== undefined) return known;
  if (!strict && typeof requested === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(requested)) return newestHandshake;
  throw invalidParams('Unsupported protocol version', { supported: handshakeVersions, requested: requested ?? null });
}

function missingClaim(method: string): ProtocolError {
  return invalidParams(
    `"${brief(method)}" needs _meta["${MetaKey.protocolVersion}"] and _meta["${MetaKey.clientCapabilities}"]`,
  );
}
