import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { allScopes, validateScopes, maxScopes } from './scope-rule.ts';
import type { Auth, Peer } from '../../server/peer.ts';

/** The data of an insufficient-scope error: all scopes that the operation needs. */
export interface RequiredScopes {
  readonly requiredScopes: readonly string[];
}

/**
 * Marks our own errors, as opposed to errors of upstream servers, whose scopes can't be granted here; the same in all
 * copies of the library.
 */
const mark = Symbol.for('@ccmcp/core required scopes');

/** The member of a result's `_meta` in which hosts look for a challenge that don't read the status. */
const challengeMember = 'mcp/www_authenticate';

/**
 * Creates the error for a handler whose caller lacks scopes. Over HTTP it becomes status 403 with a challenge, if
 * nothing was sent yet; otherwise a result that names the scopes.
 */
export function insufficientScope(scopes: readonly string[], message?: string): ProtocolError {
  const needed = validateScopes('insufficientScope', scopes);
  return errorOf(needed, message ?? `This needs ${formatScopes(needed)}, which you were not granted`);
}

/** The error for a caller who lacks scopes for an entry. */
export function missingScopes(what: string, needed: readonly string[], { auth }: Pick<Peer, 'auth'>): ProtocolError {
  const shown = visibleScopes(needed, auth);
  if (auth !== undefined) return errorOf(shown, `${what} needs ${formatScopes(shown)}, which you were not granted`);
  const granted = shown.length === 0 ? '' : `, and be granted ${formatScopes(shown)}`;
  return errorOf(shown, `${what} is for callers who say who they are: sign in${granted}`);
}

/** The missing scopes of an error or its body; undefined for other errors. */
export function requiredBy({ data }: { readonly data?: unknown }): RequiredScopes | undefined {
  return isObject(data) && mark in data ? (data as object as RequiredScopes) : undefined;
}

/** The same error, with all scopes that the operation needs. */
export function withNeeded(
  error: ProtocolError,
  { requiredScopes }: RequiredScopes,
  needed: readonly string[] | undefined,
): ProtocolError {
  if (needed === undefined) return error;
  return errorOf((allScopes([requiredScopes, needed]) ?? []).slice(0, maxScopes), error.message);
}

/** The tool result for missing scopes, for hosts that read results only. */
export function toScopesResult({ message }: ProtocolError, challenges: readonly string[]): CallToolResult {
  const result: CallToolResult = { content: [text(message)], isError: true };
  return challenges.length === 0 ? result : { ...result, _meta: { [challengeMember]: challenges } };
}

function errorOf(needed: readonly string[], message: string): ProtocolError {
  const data: RequiredScopes = Object.defineProperty({ requiredScopes: needed }, mark, { value: true });
  return new ProtocolError(ErrorCode.InvalidRequest, message, data);
}

/**
 * Selects the scopes that fit into one challenge: all of them, or the missing ones first; the rest follows with the
 * next challenge.
 */
function visibleScopes(needed: readonly string[], auth: Auth | undefined): readonly string[] {
  if (needed.length <= maxScopes) return needed;
  const granted = new Set(auth?.scopes);
  return needed.filter((scope) => !granted.has(scope)).slice(0, maxScopes);
}

function formatScopes(scopes: readonly string[]): string {
  return `the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`;
}

/** True if scopes apply to the peer's caller. */
export function isLimited(peer: Peer): boolean {
  const { auth } = peer;
  return auth === undefined ? peer.authPolicy?.authenticates === true : auth.scopes !== undefined;
}

/**
 * True if the peer's caller has all required scopes. Scopes do not apply to a caller without a list of scopes; an
 * anonymous caller on an authenticated transport has none.
 */
export function hasScopes(peer: Peer, needed: readonly string[] | undefined): boolean {
  if (needed === undefined || !isLimited(peer)) return true;
  const granted = peer.auth?.scopes;
  return granted !== undefined && needed.every((scope) => granted.includes(scope));
}

/** The same for a requirement that depends on a URI. If it can't be resolved, access is denied. */
export function hasScopesAt(peer: Peer, needed: () => readonly string[] | undefined): boolean {
  try {
    return hasScopes(peer, needed());
  } catch {
    // Reported when it is read.
    return false;
  }
}
