import { describe, expect, it } from 'vitest';
import { identityOf, formatIdentity } from './stored-logins.ts';

const login = {
  issuer: 'https://login.example',
  resource: 'https://api.example/mcp',
  url: 'https://api.example/mcp',
  place: 'a file',
};

function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('the identity of a login', () => {
  it.each([
    [
      { sub: 'u', email: 'ada@example.com', client_id: 'c', scope: 'a b' },
      { subject: 'u', name: 'ada@example.com', client: 'c', scopes: ['a', 'b'] },
    ],
    [
      { oid: 'o', appid: 'app', scp: 'a', upn: 'ada@corp' },
      { subject: 'o', name: 'ada@corp', client: 'app', scopes: ['a'] },
    ],
    [
      { sub: 'u', cid: 'c', scp: ['a', 'b'] },
      { subject: 'u', client: 'c', scopes: ['a', 'b'] },
    ],
    [
      { sub: 'u', azp: 'c', permissions: ['a'] },
      { subject: 'u', client: 'c', scopes: ['a'] },
    ],
    [{ sub: 1, scope: 2, exp: 1e300 }, { renewable: false }],
  ])('is read from %j', (claims, expected) => {
    const who = identityOf(login, { tokens: { accessToken: jwt(claims) } });
    expect(who).toMatchObject(expected);
  });

  it('is the requested one if the token is opaque, and never shows the token', () => {
    const who = identityOf(login, {
      tokens: { accessToken: 'opaque-secret', refreshToken: 'refresh-secret', expiresAt: 0 },
      client: { id: 'c', redirectUrl: '' },
      scope: 'a',
    });
    expect(who).toEqual({
      server: login.resource,
      signedIn: true,
      issuer: login.issuer,
      client: 'c',
      scopes: ['a'],
      expires: '1970-01-01T00:00:00.000Z',
      renewable: true,
      kept: 'a file',
    });
    expect(formatIdentity(who)).toBe(
      [
        'server   https://api.example/mcp',
        'issuer   https://login.example',
        'user     unknown: the token is not a JWT',
        'client   c',
        'scopes   a',
        'expires  1970-01-01T00:00:00.000Z, renewed automatically',
        'kept in  a file',
      ].join('\n'),
    );
  });

  it('is empty without a token', () => {
    const who = identityOf(login, { client: { id: 'c', redirectUrl: '' }, scope: 'a' });
    expect(who).toMatchObject({ signedIn: false, renewable: false });
    const text = formatIdentity(who);
    expect(text).toContain('user     not signed in, there is no token: ccmcp login https://api.example/mcp');
    expect(text).not.toMatch(/JWT|expires/);
  });
});
