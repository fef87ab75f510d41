import type { ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import type { Auth, Peer } from '../../server/peer.ts';
import { formatScopes, type RequiredScopes, requiredScopesMark, scopeError } from './insufficient-scope.ts';
import { allScopes, maxScopes } from './scope-rule.ts';

/** The member of a result's `_meta` with the challenge, for hosts that ignore the HTTP status. */
const challengeMember = 'mcp/www_authenticate';

/** The error for a caller who lacks required scopes. */
export function missingScopes(what: string, needed: readonly string[], { auth }: Pick<Peer, 'auth'>): ProtocolError {
  const shown = visibleScopes(needed, auth);
  if (auth !== undefined) return scopeError(shown, `${what} needs ${formatScopes(shown)}, which you were not granted`);
  const granted = shown.length === 0 ? '' : `, and be granted ${formatScopes(shown)}`;
  return scopeError(shown, `${what} requires authentication: sign in${granted}`);
}

/** The missing scopes in an error or its body; undefined for other errors. */
export function requiredBy({ data }: { readonly data?: unknown }): RequiredScopes | undefined {
  return isObject(data) && requiredScopesMark in data ? (data as object as RequiredScopes) : undefined;
}

/** The error with all scopes that its operation needs. */
export function withNeeded(
  error: ProtocolError,
  { requiredScopes }: RequiredScopes,
  needed: readonly string[] | undefined,
): ProtocolError {
  if (needed === undefined) return error;
  return scopeError((allScopes([requiredScopes, needed]) ?? []).slice(0, maxScopes), error.message);
}

/** The result of a tool whose caller lacks scopes, for hosts that only read results. */
export function toScopesResult({ message }: ProtocolError, challenges: readonly string[]): CallToolResult {
  const result: CallToolResult = { content: [text(message)], isError: true };
  return challenges.length === 0 ? result : { ...result, _meta: { [challengeMember]: challenges } };
}

/** The scopes for one challenge: all if they fit, otherwise the missing ones first; the rest is requested afterwards. */
function visibleScopes(needed: readonly string[], auth: Auth | undefined): readonly string[] {
  if (needed.length <= maxScopes) return needed;
  const granted = new Set(auth?.scopes);
  return needed.filter((scope) => !granted.has(scope)).slice(0, maxScopes);
}

/** True if scopes restrict the caller behind a peer. */
export function isLimited(peer: Peer): boolean {
  const { auth } = peer;
  return auth === undefined ? peer.authPolicy?.authenticates === true : auth.scopes !== undefined;
}

/**
 * True if the caller behind a peer has all needed scopes. A caller without a list of scopes is unrestricted; an
 * anonymous caller has none if the transport authenticates.
 */
export function hasScopes(peer: Peer, needed: readonly string[] | undefined): boolean {
  if (needed === undefined || !isLimited(peer)) return true;
  const granted = peer.auth?.scopes;
  return granted !== undefined && needed.every((scope) => granted.includes(scope));
}

/** `hasScopes` for scopes that depend on a URI. If they can't be resolved, access is denied. */
export function hasScopesAt(peer: Peer, needed: () => readonly string[] | undefined): boolean {
  try {
    return hasScopes(peer, needed());
  } catch {
    // The read request reports the error.
    return false;
  }
}
