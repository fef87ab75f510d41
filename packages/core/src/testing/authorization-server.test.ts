import { createHash, randomUUID } from 'node:crypto';
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { authorizationServer } from './authorization-server.ts';
import type { TestAlgorithm } from './authorization-server/jwt.ts';
import { type ProofFault, proofFaults, proofKey } from './authorization-server/proof-key.ts';
import type { AuthorizationServerOptions, Outage } from './authorization-server/options.ts';
import { type TokenFault, tokenFaults } from './authorization-server/token-faults.ts';

const audience = 'https://api.example/mcp';

async function start(options: AuthorizationServerOptions = {}) {
  const server = await authorizationServer(options);
  onTestFinished(server.close);
  return server;
}

type Server = Awaited<ReturnType<typeof start>>;

async function json(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  return (await (await fetch(url, init)).json()) as Record<string, unknown>;
}

/** The verdict of a careful verifier on a token. */
async function verdict(server: Server, token: string): Promise<string> {
  const keys = createLocalJWKSet((await json(`${server.issuer}/jwks`)) as unknown as JSONWebKeySet);
  return jwtVerify(token, keys, { issuer: server.issuer, audience, requiredClaims: ['exp', 'sub'] }).then(
    () => 'good',
    (error: { code?: string; claim?: string }) => error.claim ?? error.code ?? 'malformed',
  );
}

function form(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields) };
}

const basic = { Authorization: `Basic ${Buffer.from('resource-server:secret').toString('base64')}` };

function introspect({ issuer }: Server, token: string, headers: Record<string, string> = basic) {
  return fetch(`${issuer}/introspect`, { ...form({ token }), headers });
}

/** Takes a user through sign-in: the answer of the token endpoint. */
async function signIn({ issuer }: Server, { headers = {}, verifier = 'v'.repeat(43) } = {}) {
  const redirect = 'http://127.0.0.1:1/back';
  const question = new URL(`${issuer}/authorize`);
  const about = {
    client_id: 'https://app.example/client.json',
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's',
    scope: 'a b',
    resource: audience,
  };
  for (const [name, value] of Object.entries(about)) question.searchParams.set(name, value);
  const back = new URL((await fetch(question, { redirect: 'manual' })).headers.get('location') ?? '');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 's', iss: issuer });
  const { client_id, redirect_uri, resource } = about;
  const grant = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
  };
  return json(`${issuer}/token`, { ...form({ ...grant, client_id, redirect_uri, resource }), headers });
}

function refresh({ issuer }: Server, token: unknown) {
  const client_id = 'https://app.example/client.json';
  return json(
    `${issuer}/token`,
    form({ grant_type: 'refresh_token', refresh_token: String(token), client_id, resource: audience }),
  );
}

describe('a token of the authorization server for tests', () => {
  it.each<TestAlgorithm>(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'])('is good with %s', async (algorithm) => {
    const server = await start({ algorithms: [algorithm] });
    expect(await verdict(server, server.token({ audience }))).toBe('good');
  });

  it('names its owner, and has scopes in the claim of each provider', async () => {
    const server = await start();
    const claimsOf = (wish: Parameters<Server['token']>[0]) => {
      const [, payload = ''] = server.token({ audience, scopes: ['a', 'b'], ...wish }).split('.');
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    };
    expect(claimsOf({})).toMatchObject({ iss: server.issuer, aud: audience, sub: 'user-1', scope: 'a b' });
    expect(claimsOf({ scopeClaim: 'scp' })).toMatchObject({ scp: 'a b' });
    expect(claimsOf({ scopeClaim: 'scp-list' })).toMatchObject({ scp: ['a', 'b'] });
    expect(claimsOf({ scopeClaim: 'permissions', claims: { sub: undefined } })).not.toHaveProperty('sub');
  });

  const expected: Readonly<Record<TokenFault, string>> = {
    unsigned: 'ERR_JOSE_NOT_SUPPORTED',
    'unsigned-in-capitals': 'ERR_JOSE_NOT_SUPPORTED',
    'no-signature': 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    'public-key-as-secret': 'ERR_JOSE_NOT_SUPPORTED',
    'other-key': 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    'unknown-key': 'ERR_JWKS_NO_MATCHING_KEY',
    'embedded-key': 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    'key-address': 'ERR_JWKS_NO_MATCHING_KEY',
    'certificate-address': 'ERR_JWKS_NO_MATCHING_KEY',
    'other-algorithm': 'ERR_JWKS_NO_MATCHING_KEY',
    'critical-header': 'ERR_JOSE_NOT_SUPPORTED',
    changed: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    'no-json': 'ERR_JWT_INVALID',
    'no-object': 'ERR_JWT_INVALID',
    'wrong-issuer': 'iss',
    'longer-issuer': 'iss',
    'no-issuer': 'iss',
    'wrong-audience': 'aud',
    'longer-audience': 'aud',
    'no-audience': 'aud',
    expired: 'exp',
    'no-expiry': 'exp',
    'expiry-in-words': 'exp',
    'not-yet': 'nbf',
    'no-subject': 'sub',
    // A library accepts it, but a protected server must not.
    'other-type': 'good',
    'id-token': 'good',
    'from-the-future': 'good',
    'bound-to-certificate': 'good',
    'bound-to-unknown': 'good',
    'bound-to-key': 'good',
  };

  it.each(Object.entries(expected) as [TokenFault, string][])(
    'with the fault %s is reported by %s',
    async (fault, code) => {
      const server = await start();
      expect(await verdict(server, server.token({ audience, fault }))).toBe(code);
      expect(tokenFaults[fault]).toMatch(/^(it|its) /);
    },
  );

  it('can have each listed fault', () => {
    expect(Object.keys(tokenFaults).sort()).toEqual(Object.keys(expected).sort());
  });

  it('is signed by a key that was published at the start', async () => {
    const server = await start();
    expect(() => server.token({ algorithm: 'RS256' })).toThrow('no key for RS256: start it with that');
  });
});

describe('the keys of the authorization server for tests', () => {
  it('are new after a rotation, and the old ones are removed unless kept', async () => {
    const server = await start();
    const old = server.token({ audience });
    await server.rotate({ keepOld: true });
    expect([await verdict(server, old), await verdict(server, server.token({ audience }))]).toEqual(['good', 'good']);
    await server.rotate();
    expect(await verdict(server, old)).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(await verdict(server, server.token({ audience }))).toBe('good');
  });

  it('can be modified by a setting', async () => {
    const server = await start({ keySet: (keys) => ({ keys: keys.map(({ kid: _, ...key }) => key) }) });
    const { keys } = await json(`${server.issuer}/jwks`);
    expect(keys).toEqual([expect.not.objectContaining({ kid: expect.anything() })]);
  });
});

describe('the metadata of the authorization server for tests', () => {
  const oauth = '/.well-known/oauth-authorization-server/t';
  const openid = '/.well-known/openid-configuration/t';
  const appended = '/t/.well-known/openid-configuration';

  it.each([
    [undefined, [oauth, openid, appended]],
    [['oauth'], [oauth]],
    [
      ['openid', 'openid-appended'],
      [openid, appended],
    ],
    [['/own'], ['/own']],
    [[], []],
  ] as const)('is with %j at %j', async (metadataAt, places) => {
    const server = await start({ path: '/t', ...(metadataAt && { metadataAt }) });
    const { origin } = new URL(server.issuer);
    const found = [];
    for (const place of [oauth, openid, appended, '/own']) {
      const response = await fetch(origin + place);
      if (response.ok) found.push([place, ((await response.json()) as { issuer: string }).issuer]);
    }
    expect(found).toEqual(places.map((place) => [place, `${origin}/t`]));
    expect(server.asked('metadata')).toBe(places.length);
  });

  it('can be changed while it runs', async () => {
    const server = await start();
    server.settings.metadata = { issuer: 'https://evil.example', jwks_uri: undefined };
    const metadata = await json(`${server.issuer}/.well-known/openid-configuration`);
    expect(metadata).toMatchObject({ issuer: 'https://evil.example' });
    expect(metadata).not.toHaveProperty('jwks_uri');
  });
});

describe('an outage', () => {
  it.each<[Outage, string]>([
    ['down', 'fetch failed'],
    ['slow', 'aborted due to timeout'],
    ['error', '503'],
    ['garbage', 'Unexpected token'],
    ['endless', 'aborted due to timeout'],
    ['redirect', '302'],
  ])('%s appears as %j at the failing endpoint', async (how, said) => {
    const server = await start({ outage: { jwks: how } });
    const ask = async (): Promise<unknown> => {
      const response = await fetch(`${server.issuer}/jwks`, { redirect: 'manual', signal: AbortSignal.timeout(300) });
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    };
    await expect(ask()).rejects.toThrow(said);
    expect((await fetch(`${server.issuer}/.well-known/openid-configuration`)).status).toBe(200);
    server.settings.outage = undefined;
    expect(await ask()).toHaveProperty('keys');
    expect(server.asked('jwks')).toBe(2);
  });

  it('can affect all endpoints', async () => {
    const server = await start({ outage: 'error' });
    const asked = ['jwks', 'token', 'introspect'].map(async (path) => (await fetch(`${server.issuer}/${path}`)).status);
    expect(await Promise.all(asked)).toEqual([503, 503, 503]);
  });
});

describe('introspection', () => {
  it('reports an active token, until it is revoked or has expired', async () => {
    const server = await start({ tokens: 'opaque' });
    const token = server.token({ audience, scopes: ['a'] });
    expect(token).not.toContain('.');
    const said = await (await introspect(server, token)).json();
    expect(said).toMatchObject({ active: true, aud: audience, scope: 'a', iss: server.issuer, token_type: 'Bearer' });
    server.revoke(token);
    for (const other of [token, 'unknown', server.token({ lifetime: -1 })]) {
      expect(await (await introspect(server, other)).json()).toEqual({ active: false });
    }
  });

  it('can have any field overridden', async () => {
    const server = await start({ introspection: { active: 'true', aud: undefined } });
    const said = await (await introspect(server, server.token({ audience }))).json();
    expect(said).toMatchObject({ active: 'true' });
    expect(said).not.toHaveProperty('aud');
  });

  it('requires the authentication of the resource server', async () => {
    const server = await start();
    const wrong = { Authorization: `Basic ${Buffer.from('resource-server:guess').toString('base64')}` };
    expect((await introspect(server, server.token(), wrong)).status).toBe(401);
    expect((await introspect(server, server.token(), {})).status).toBe(401);
  });
});

describe('signing in', () => {
  it('issues tokens for the requested resource and scopes', async () => {
    const server = await start();
    const tokens = await signIn(server);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'a b' });
    expect(await verdict(server, String(tokens.access_token))).toBe('good');
    expect(server.questions()).toMatchObject([{ resource: audience }]);
  });

  it('requires the right code verifier', async () => {
    expect(await signIn(await start(), { verifier: 'w'.repeat(43) })).toEqual({ error: 'invalid_grant' });
  });

  it('does not redirect to an unregistered URI', async () => {
    const server = await start({ clients: [{ id: 'known', redirectUris: ['http://127.0.0.1:1/back'] }] });
    const ask = async (redirect: string) =>
      (
        await fetch(`${server.issuer}/authorize?client_id=known&redirect_uri=${encodeURIComponent(redirect)}`, {
          redirect: 'manual',
        })
      ).status;
    expect(await ask('http://127.0.0.1:2/back')).toBe(302);
    expect(await ask('https://evil.example/back')).toBe(400);
  });

  it('issues refresh tokens for one use; reuse revokes the whole family', async () => {
    const server = await start();
    const { refresh_token: first } = await signIn(server);
    const { refresh_token: second, access_token: token } = await refresh(server, first);
    expect(await verdict(server, String(token))).toBe('good');
    expect(await refresh(server, first)).toEqual({ error: 'invalid_grant' });
    expect(await refresh(server, second)).toEqual({ error: 'invalid_grant' });
  });

  it('issues tokens bound to a key for a valid proof of it', async () => {
    const server = await start({ dpopNonce: 'n', tokens: 'opaque' });
    const key = await proofKey();
    const place = { method: 'POST', url: `${server.issuer}/token` };
    expect(await signIn(server, { headers: { DPoP: key.proof(place) } })).toEqual({ error: 'use_dpop_nonce' });
    const tokens = await signIn(server, { headers: { DPoP: key.proof({ ...place, nonce: 'n' }) } });
    expect(tokens).toMatchObject({ token_type: 'DPoP' });
    const said = await (await introspect(server, String(tokens.access_token))).json();
    expect(said).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } });
  });

  const noticed = Object.keys(proofFaults).filter(
    // About the token or the key that it is bound to, or what only a resource server need notice.
    (fault) => !['other-key', 'private-key', 'long-id', 'other-token', 'no-token'].includes(fault),
  ) as ProofFault[];

  it.each(noticed)('issues none for a proof with the fault %s', async (fault) => {
    const server = await start();
    const proof = (await proofKey()).proof({ method: 'POST', url: `${server.issuer}/token`, fault });
    expect(await signIn(server, { headers: { DPoP: proof } })).toEqual({ error: 'invalid_dpop_proof' });
  });
});

it('a service gets tokens with its client secret', async () => {
  const server = await start({ clients: [{ id: 'job', secret: 's' }] });
  const grant = { grant_type: 'client_credentials', scope: 'a', resource: audience };
  const { access_token: token } = await json(
    `${server.issuer}/token`,
    form({ ...grant, client_id: 'job', client_secret: 's' }),
  );
  expect(await verdict(server, String(token))).toBe('good');
  expect(await json(`${server.issuer}/token`, form({ ...grant, client_id: 'job', client_secret: 't' }))).toEqual({
    error: 'invalid_client',
  });
});

it('publishes keys that libraries can load', async () => {
  await using server = await authorizationServer({ path: `/${randomUUID()}` });
  const { jwks_uri: place } = await json(`${server.issuer}/.well-known/openid-configuration`);
  const { payload } = await jwtVerify(server.token({ audience }), createRemoteJWKSet(new URL(String(place))));
  expect([payload.iss, server.asked('jwks')]).toEqual([server.issuer, 1]);
});
