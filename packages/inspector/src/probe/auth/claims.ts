/** What stands in a token that is a JWT; undefined for others. Nothing of it was checked. */
export function readJwt(token: string): { header: Claims; claims: Claims } | undefined {
  const [header = '', payload = '', signature, more] = token.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  const [first, second] = [decoded(header), decoded(payload)];
  return first && second && { header: first, claims: second };
}

/** The fields of a part of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** The scopes that a token says it has, wherever its provider puts them; undefined where it says nothing. */
export function scopesIn(claims: Claims): string[] | undefined {
  const found = [claims.scope, claims.scp, claims.permissions].find((value) => value !== undefined);
  if (typeof found === 'string') return found.split(' ').filter((scope) => scope !== '');
  return Array.isArray(found) ? found.filter((scope): scope is string => typeof scope === 'string') : undefined;
}

function decoded(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}
