import type { ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import type { Auth, Peer } from '../../server/peer.ts';
import { formatScopes, type RequiredScopes, requiredScopesMark, scopeError } from './insufficient-scope.ts';
import { allScopes, maxScopes } from './scope-rule.ts';

/** The member of a result's `_meta` in which hosts look for a challenge that look at no status. */
const challengeMember = 'mcp/www_authenticate';

/** The error of a caller who lacks some of what is needed for a thing. */
export function missingScopes(what: string, needed: readonly string[], { auth }: Pick<Peer, 'auth'>): ProtocolError {
  const shown = visibleScopes(needed, auth);
  if (auth !== undefined) return scopeError(shown, `${what} needs ${formatScopes(shown)}, which you were not granted`);
  const granted = shown.length === 0 ? '' : `, and be granted ${formatScopes(shown)}`;
  return scopeError(shown, `${what} requires authentication: sign in${granted}`);
}

/** What an error, or its body, says that is missing; undefined where it says something else. */
export function requiredBy({ data }: { readonly data?: unknown }): RequiredScopes | undefined {
  return isObject(data) && requiredScopesMark in data ? (data as object as RequiredScopes) : undefined;
}

/** The same error, which names all that its operation needs. */
export function withNeeded(
  error: ProtocolError,
  { requiredScopes }: RequiredScopes,
  needed: readonly string[] | undefined,
): ProtocolError {
  if (needed === undefined) return error;
  return scopeError((allScopes([requiredScopes, needed]) ?? []).slice(0, maxScopes), error.message);
}

/** The result of a tool whose caller lacks scopes, for those who look at results alone. */
export function toScopesResult({ message }: ProtocolError, challenges: readonly string[]): CallToolResult {
  const result: CallToolResult = { content: [text(message)], isError: true };
  return challenges.length === 0 ? result : { ...result, _meta: { [challengeMember]: challenges } };
}

/** What fits into one challenge: all of it, or what is missing first; the rest is asked for when that is there. */
function visibleScopes(needed: readonly string[], auth: Auth | undefined): readonly string[] {
  if (needed.length <= maxScopes) return needed;
  const granted = new Set(auth?.scopes);
  return needed.filter((scope) => !granted.has(scope)).slice(0, maxScopes);
}

/** True where the caller behind a peer may do only what scopes allow. */
export function isLimited(peer: Peer): boolean {
  const { auth } = peer;
  return auth === undefined ? peer.authPolicy?.authenticates === true : auth.scopes !== undefined;
}

/**
 * True where the caller behind a peer has all that is needed. Whoever has no list of scopes is not limited; whoever
 * was asked who they are, and did not say it, has none.
 */
export function hasScopes(peer: Peer, needed: readonly string[] | undefined): boolean {
  if (needed === undefined || !isLimited(peer)) return true;
  const granted = peer.auth?.scopes;
  return granted !== undefined && needed.every((scope) => granted.includes(scope));
}

/** The same of what depends on an address. Where its author can't say what is needed, nobody has it. */
export function hasScopesAt(peer: Peer, needed: () => readonly string[] | undefined): boolean {
  try {
    return hasScopes(peer, needed());
  } catch {
    // Said when it is read.
    return false;
  }
}
