/** Decodes a JWT without verifying it; undefined for other tokens. */
export function readJwt(token: string): { header: Claims; claims: Claims } | undefined {
  const [header = '', payload = '', signature, more] = token.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  const [first, second] = [decodePart(header), decodePart(payload)];
  return first && second && { header: first, claims: second };
}

/** Claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Scopes of a token, in the claim that its provider uses; undefined without one. */
export function scopesIn(claims: Claims): string[] | undefined {
  const found = [claims.scope, claims.scp, claims.permissions].find((value) => value !== undefined);
  if (typeof found === 'string') return found.split(' ').filter((scope) => scope !== '');
  return Array.isArray(found) ? found.filter((scope): scope is string => typeof scope === 'string') : undefined;
}

function decodePart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}
