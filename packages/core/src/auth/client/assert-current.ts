import { fromBase64 } from '../../runtime/base64.ts';
import { AuthError } from '../auth-error.ts';
import { nowInSeconds } from '../jwt.ts';
import { limits } from '../../limits.ts';

const leeway = limits.clientAuth.clockSkew.value;

/**
 * Throws if a JWT was issued in the future, is not valid yet, or has expired. The recipient should reject it too: a
 * postdated one could be stored and used later. Ignores tokens that are not JWTs.
 */
export function assertCurrent(token: string, what: string): void {
  const { iat, nbf, exp } = claimsIn(token);
  const now = nowInSeconds();
  if (typeof iat === 'number' && iat > now + leeway) throw notCurrent(what, 'was made in the future');
  if (typeof nbf === 'number' && nbf > now + leeway) throw notCurrent(what, 'is not good yet');
  if (typeof exp === 'number' && exp < now - leeway) throw notCurrent(what, 'is no longer good');
}

function notCurrent(what: string, how: string): AuthError {
  return new AuthError('untimely', `The ${what} says that it ${how}: are the clocks right?`);
}

function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return {};
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64(payload)));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
