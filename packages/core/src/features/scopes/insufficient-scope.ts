import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { validateScopes } from './scope-rule.ts';

/** The data of an insufficient-scope error: all scopes that the operation needs. */
export interface RequiredScopes {
  readonly requiredScopes: readonly string[];
}

/**
 * Marks errors of this server: scopes in errors of other servers can't be granted here. Shared by all copies of the
 * library.
 */
export const requiredScopesMark: unique symbol = Symbol.for('@ccmcp/core required scopes');

/**
 * Creates the error for a handler whose caller lacks scopes. Over HTTP it becomes status 403 with a challenge, if
 * nothing was sent yet; otherwise a result that names the scopes.
 */
export function insufficientScope(scopes: readonly string[], message?: string): ProtocolError {
  const needed = validateScopes('insufficientScope', scopes);
  return scopeError(needed, message ?? `This needs ${formatScopes(needed)}, which you were not granted`);
}

/** The error of a caller who lacks scopes. */
export function scopeError(needed: readonly string[], message: string): ProtocolError {
  const data: RequiredScopes = Object.defineProperty({ requiredScopes: needed }, requiredScopesMark, { value: true });
  return new ProtocolError(ErrorCode.InvalidRequest, message, data);
}

/** Scopes in words. */
export function formatScopes(scopes: readonly string[]): string {
  return `the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`;
}
