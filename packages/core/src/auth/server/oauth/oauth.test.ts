import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { post, statelessClient, textOf } from '../../../transports/http/server/fixtures/client.ts';
import { rawConnection } from '../../../transports/http/server/fixtures/raw.ts';
import { nowInSeconds, startIssuer, testKey, type TestKey, type TokenFault } from './fixtures/issuer.ts';
import { bearer, metadataUrl, resource, startProtected, requestKinds } from './fixtures/protected.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const noToken = `Bearer resource_metadata="${metadataUrl}"`;
const badToken =
  'Bearer error="invalid_token", error_description="The access token is invalid or has expired", ' +
  `resource_metadata="${metadataUrl}"`;
const sse = { sse: true } as const;

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a server that requires tokens', () => {
  it('serves callers with a valid token, in every era (AU-01, AU-08, AU-21)', async () => {
    const { url, token } = await startProtected();
    const client = statelessClient(url, { headers: bearer(await token()) });
    expect(textOf(await client.call('echo', { text: 'hi' }))).toBe('hi');
    const [one, several] = [await token(), await token({ claims: { aud: ['https://other.example', resource] } })];
    for (const Authorization of [`Bearer ${one}`, `bearer ${one}`, `BEARER   ${one}`, `Bearer ${several}`]) {
      expect((await post(url, ping, { Authorization })).status).toBe(200);
    }
  });

  it('challenges requests without a token, for any method and endpoint (AR-01, AR-12, AU-02, AU-26, S-A-01, S-A-02)', async () => {
    const { url } = await startProtected({}, sse);
    for (const [way, knock] of Object.entries(requestKinds)) {
      const response = await knock(url, {});
      expect({ way, status: response.status }).toEqual({ way, status: 401 });
      expect(response.headers.get('www-authenticate')).toBe(noToken);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({
        error: 'unauthorized',
        error_description: 'An access token is needed',
      });
    }
  });

  it('challenges with the required scopes, without offline_access (AR-14, AR-15, S-A-06, S-A-08)', async () => {
    const { url } = await startProtected({ scopes: ['read', 'offline_access', 'list'] });
    const response = await post(url, ping);
    expect(response.headers.get('www-authenticate')).toBe(`${noToken}, scope="read list"`);
  });

  it('accepts no token in the URL, a cookie or the body (AR-01, AU-19, S-A-05)', async () => {
    const { url, token } = await startProtected();
    const good = await token();
    const inBody = { ...ping, params: { access_token: good } };
    const response = await post(`${url}?access_token=${good}`, inBody, { Cookie: `access_token=${good}` });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(noToken);
  });

  it('responds with 400 to a malformed header (AR-01, AU-03)', async () => {
    const { url, token } = await startProtected({}, sse);
    const good = await token();
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${good} x`,
      `Bearer "${good}"`,
      `Bearer ${good},`,
      good,
      'Bearer a=b',
      'Bearer ü',
    ];
    for (const Authorization of [...wrong, `Bearer\t${good}`, `Bearer ${'x'.repeat(15_000)}=x`]) {
      const response = await post(url, ping, { Authorization });
      expect({ Authorization, status: response.status }).toEqual({ Authorization, status: 400 });
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_request", resource_metadata="${metadataUrl}"`,
      );
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    }
    for (const [way, knock] of Object.entries(requestKinds)) {
      expect({ way, status: (await knock(url, { Authorization: 'Bearer a b' })).status }).toEqual({ way, status: 400 });
    }
    // Other schemes are ignored.
    expect((await post(url, ping, { Authorization: 'Basic YTpi' })).status).toBe(401);
  });

  it('responds with 400 to two headers, even if one is valid (AR-02, AU-22)', async () => {
    const { url, token } = await startProtected();
    const good = `Authorization: Bearer ${await token()}\r\n`;
    const bad = 'Authorization: Bearer bad\r\n';
    for (const headers of [good + bad, bad + good, good + good]) {
      const connection = await rawConnection(url);
      const body = JSON.stringify(ping);
      const head =
        'Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\nConnection: close\r\n';
      connection.write(`POST /mcp HTTP/1.1\r\n${head}${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
      expect(await connection.closed()).toMatch(/^HTTP\/1.1 400 /);
    }
  });

  it('responds before the body arrives (AR-03, S-A-10)', async () => {
    const { url } = await startProtected();
    const connection = await rawConnection(url);
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
    connection.write(`POST /mcp HTTP/1.1\r\n${head}Authorization: Bearer wrong\r\n\r\n`);
    expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 401 /);
  });
});

const now = nowInSeconds();
const day = 24 * 3600;

/** Faults that an attacker with full knowledge could produce. */
const faults: [string, TokenFault][] = [
  ['is for another server (AU-06, AR-30, AR-34, S-A-04)', { claims: { aud: 'https://api.example.com/other' } }],
  ['is for a server whose name begins like ours', { claims: { aud: 'https://api.example.com/mcp2' } }],
  ['is for the whole of which this server is a part', { claims: { aud: 'https://api.example.com' } }],
  ['is for a part of this server', { claims: { aud: 'https://api.example.com/mcp/part' } }],
  ['is for nobody (AU-07)', { claims: { aud: undefined } }],
  ['is for an empty list', { claims: { aud: [] } }],
  ['is for something that is no name', { claims: { aud: [{ resource }] } }],
  ['is of another issuer (AU-09)', { claims: { iss: 'https://login.example.com' } }],
  ['is of an issuer with one slash more', { claims: { iss: 'SLASH' } }],
  ['is of nobody', { claims: { iss: undefined } }],
  ['is of a list of issuers', { claims: { iss: ['https://login.example.com'] } }],
  ['has ended (AU-10)', { claims: { exp: now - 60 } }],
  ['is not good yet', { claims: { nbf: now + 3600 } }],
  ['ends at no time (AU-11)', { claims: { exp: undefined } }],
  ['ends at a text', { claims: { exp: String(now + 300) } }],
  ['begins at a text', { claims: { nbf: 'now' } }],
  ['was made tomorrow (AU-24)', { claims: { iat: now + day } }],
  ['was made at a text', { claims: { iat: {} } }],
  ['is an ID token by its nonce (AR-32)', { claims: { nonce: 'n' }, header: { typ: 'JWT' } }],
  ['is an ID token by its hash of a token', { claims: { at_hash: 'h' }, header: { typ: undefined } }],
  ['is a JWT of another kind', { header: { typ: 'dpop+jwt' } }],
  ['is of no type that is a text', { header: { typ: ['at+jwt'] } }],
  ['is bound to a certificate (AR-33)', { claims: { cnf: { 'x5t#S256': 'x' } } }],
  ['is bound to a key, where that is not looked at (AR-33)', { claims: { cnf: { jkt: 'x' } } }],
  ['is bound to nothing that is known', { claims: { cnf: 'x' } }],
  ['names nobody', { claims: { sub: undefined, client_id: undefined } }],
  ['names somebody at length', { claims: { sub: 's'.repeat(2000) } }],
  ['names a key that is a path (AU-13)', { header: { kid: '../../etc/passwd' } }],
  ['names a key that is SQL', { header: { kid: "' OR 1=1 --" } }],
  ['names a key that is a URL', { header: { kid: 'https://evil.example/jwks' } }],
  ['names a key at length', { header: { kid: 'k'.repeat(4096) } }],
  ['names a key that is a number', { header: { kid: 7 } }],
];

describe('a token is rejected for every method if it', () => {
  it.each(faults)('%s', async (_, fault) => {
    const issuer = await startIssuer();
    const { url, token } = await startProtected({}, sse, issuer);
    const given = fault.claims?.iss === 'SLASH' ? { claims: { iss: `${issuer.issuer}/` } } : fault;
    const headers = bearer(await token(given));
    for (const [way, knock] of Object.entries(requestKinds)) {
      const response = await knock(url, headers);
      expect({ way, status: response.status }).toEqual({ way, status: 401 });
      expect(response.headers.get('www-authenticate')).toBe(badToken);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('was signed by another key, changed or truncated (AR-30, AR-31, AU-04, AU-05, AU-12, AU-15, AU-16)', async () => {
    const issuer = await startIssuer({ algs: ['ES256', 'RS256'] });
    const { url } = await startProtected({}, sse, issuer);
    const [ec, rsa] = issuer.keys as [TestKey, TestKey];
    const stranger = await testKey('ES256', ec.kid);
    const good = await issuer.token(resource);
    const [head = '', payload = '', signature = ''] = good.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const hmac = (secret: string): string => {
      const content = `${encoded({ alg: 'HS256', kid: rsa.kid, typ: 'at+jwt' })}.${payload}`;
      return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
    };
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: rsa.kid, typ: 'at+jwt' })
      .sign(ec.privateKey);
    const forged = {
      'foreign key': await issuer.token(resource, { key: stranger }),
      'key of another kind': confused,
      'key in the header (AU-14)': await issuer.token(resource, {
        key: stranger,
        header: { jwk: stranger.jwk, jku: `${issuer.issuer}/evil`, x5u: `${issuer.issuer}/evil` },
      }),
      changed: `${head}.${encoded({ ...claims, sub: 'bob' })}.${signature}`,
      cut: good.slice(0, -4),
      'zero signature': `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      'no signature': `${head}.${payload}.`,
      'critical extension': `${encoded({ alg: 'ES256', kid: ec.kid, crit: ['x'], x: 1 })}.${payload}.${signature}`,
      'public key as secret': hmac(JSON.stringify(rsa.jwk)),
      'modulus as secret': hmac(String(rsa.jwk.n)),
      'header that is no object': `${encoded([])}.${payload}.${signature}`,
      'payload that is no object': `${head}.${encoded('x')}.${signature}`,
      opaque: 'x'.repeat(40),
      ...Object.fromEntries(
        ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
          [`alg ${alg}`, `${encoded({ alg, kid: ec.kid })}.${payload}.`],
          [`alg ${alg}, signed`, `${encoded({ alg, kid: ec.kid })}.${payload}.${signature}`],
        ]),
      ),
    };
    for (const [what, token] of Object.entries(forged)) {
      for (const [way, knock] of Object.entries(requestKinds)) {
        const { status } = await knock(url, bearer(token));
        expect({ what, way, status }).toEqual({ what, way, status: 401 });
      }
    }
    expect(issuer.seen.some(({ path }) => path === '/evil')).toBe(false);
    expect((await post(url, ping, bearer(good))).status).toBe(200);
  });
});

describe('a token is accepted', () => {
  it.each<[string, TokenFault]>([
    [
      'where its audience differs from ours in what makes no difference (AR-34, S-A-03)',
      { claims: { aud: 'HTTPS://API.example.com:443/mcp/' } },
    ],
    ['within the leeway of clocks', { claims: { exp: now - 5, nbf: now + 5, iat: now + 5 } }],
    ['where it does not say what type it is (AR-32)', { header: { typ: undefined } }],
    ['where it says that it is some JWT', { header: { typ: 'JWT' } }],
    ['where its type is written as a media type', { header: { typ: 'application/at+jwt' } }],
    ['where it is of a program that calls for itself', { claims: { sub: undefined } }],
  ])('%s', async (_, fault) => {
    // The time at which the cases were written down.
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const { url, token } = await startProtected();
    expect((await post(url, ping, bearer(await token(fault)))).status).toBe(200);
  });

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('signed with %s (AR-31)', async (alg) => {
    const issuer = await startIssuer({ algs: [alg] });
    const { url, token } = await startProtected({}, {}, issuer);
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
    const stranger = await testKey(alg, (issuer.keys[0] as TestKey).kid);
    expect((await post(url, ping, bearer(await token({ key: stranger })))).status).toBe(401);
  });

  it('for the configured audience instead of the resource (AR-34)', async () => {
    const { url, token } = await startProtected({ audience: ['api://notes', 'client-7'] });
    const status = async (aud: unknown): Promise<number> =>
      (await post(url, ping, bearer(await token({ claims: { aud } })))).status;
    expect([await status('api://notes'), await status(['client-7']), await status(resource)]).toEqual([200, 200, 401]);
  });

  it('only with the type at+jwt in strict mode (AR-32)', async () => {
    const { url, token } = await startProtected({ strict: true });
    const status = async (typ: string | undefined): Promise<number> =>
      (await post(url, ping, bearer(await token({ header: { typ } })))).status;
    expect([await status('at+jwt'), await status('JWT'), await status(undefined)]).toEqual([200, 401, 401]);
  });

  it('with the configured signature algorithms only', async () => {
    const issuer = await startIssuer({ algs: ['ES256', 'RS512'] });
    const { url, token } = await startProtected({ algorithms: ['RS512'] }, {}, issuer);
    const status = async (key: TestKey): Promise<number> =>
      (await post(url, ping, bearer(await token({ key })))).status;
    expect(await Promise.all(issuer.keys.map(status))).toEqual([401, 200]);
  });
});
