import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDpopKey } from './dpop.ts';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import type { RecordedRequest } from '../../testing/authorization-server/http.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';
import { memoryTokenStore } from './token-store.ts';

interface Proof {
  header: { alg: string; typ: string; jwk: JsonWebKey };
  claims: Record<string, unknown>;
}

/** A proof's parts, once its signature is known to be good. */
function verified(proof: unknown): Proof {
  const [header = '', claims = '', signature = ''] = String(proof).split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  const parts = { header: read(header), claims: read(claims) } as Proof;
  const key = createPublicKey({ key: parts.header.jwk, format: 'jwk' });
  const content = Buffer.from(`${header}.${claims}`);
  const good = verify('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  expect(good).toBe(true);
  return parts;
}

interface Wishes {
  tokenNonce?: string;
  requestNonce?: string;
  tokenType?: string;
}

/** A server and its authorization server that want tokens bound to a key, and perhaps proofs with a nonce. */
async function startBound({ tokenNonce, requestNonce, tokenType = 'DPoP' }: Wishes = {}) {
  const by = await startAuthorizationServer({
    metadata: { dpop_signing_alg_values_supported: ['ES256'] },
    refreshTokens: true,
    onToken: ({ size }, { headers }) => {
      const { claims } = verified(headers.dpop);
      if (claims.nonce !== tokenNonce) {
        return { status: 400, headers: { 'DPoP-Nonce': tokenNonce ?? '' }, json: { error: 'use_dpop_nonce' } };
      }
      by.tokens.set('bound', { scope: '', resource: null });
      return { json: { access_token: 'bound', token_type: tokenType, expires_in: 3600, fields: size } };
    },
  });
  const reject = (seen: RecordedRequest, parameters: string, headers = {}) => ({
    status: 401,
    headers: {
      'WWW-Authenticate': `DPoP algs="ES256", resource_metadata="http://${seen.headers.host}/.well-known/oauth-protected-resource/mcp"${parameters}`,
      ...headers,
    },
  });
  const server = await startProtectedServer({
    by,
    instead: (seen) => {
      if (seen.headers.authorization !== 'DPoP bound') return reject(seen, '');
      const { claims } = verified(seen.headers.dpop);
      if (claims.nonce === requestNonce) return { json: {} };
      return reject(seen, ', error="use_dpop_nonce"', { 'DPoP-Nonce': requestNonce ?? '' });
    },
  });
  return { by, server };
}

const proofs = (seen: readonly RecordedRequest[]): Proof[] =>
  seen.flatMap(({ headers }) => (headers.dpop === undefined ? [] : [verified(headers.dpop)]));

describe('DPoP-bound tokens', () => {
  it('are requested and sent with a new proof each time', async () => {
    const { by, server } = await startBound();
    const auth = oauth(user);
    expect(await send(auth, server.url)).toBe(200);
    expect(await send(auth, `${server.url}?a=1#b`)).toBe(200);
    const registrations = by.requests('/register').map(({ body }) => JSON.parse(body) as unknown);
    expect(registrations).toMatchObject([{ dpop_bound_access_tokens: true }]);
    const [asking] = proofs(by.seen);
    expect(asking?.header).toEqual({
      alg: 'ES256',
      typ: 'dpop+jwt',
      jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    });
    expect(asking?.claims).toEqual({
      jti: expect.any(String),
      htm: 'POST',
      htu: `${by.issuer}/token`,
      iat: expect.any(Number),
    });
    const sent = proofs(server.seen);
    const ath = createHash('sha256').update('bound').digest('base64url');
    expect(sent.map(({ claims }) => claims)).toMatchObject([
      { htm: 'POST', htu: server.url, ath },
      { htm: 'POST', htu: server.url, ath },
    ]);
    expect(new Set([asking, ...sent].map((proof) => proof?.claims.jti)).size).toBe(3);
    expect(new Set([asking, ...sent].map((proof) => proof?.header.jwk.x)).size).toBe(1);
  });

  it('are requested in the process that has their key, which can not give the request to another', async () => {
    const { server } = await startBound();
    const given: unknown[] = [];
    const authorize = (...all: [URL, unknown?]): Promise<string> => {
      given.push(all[1]);
      return user.authorize(all[0]);
    };
    expect(await send(oauth({ ...user, authorize }), server.url)).toBe(200);
    expect(given).toEqual([undefined]);
  });

  it('come with proofs for the method of the request', async () => {
    const { server } = await startBound();
    const auth = oauth(user);
    await send(auth, server.url);
    const headers = await auth.headers({ url: server.url, method: 'DELETE' });
    expect(verified(headers.DPoP).claims.htm).toBe('DELETE');
  });

  it('come with the nonces that servers require', async () => {
    const { by, server } = await startBound({ tokenNonce: 'for tokens', requestNonce: 'for requests' });
    const auth = oauth(user);
    expect(await send(auth, server.url)).toBe(200);
    expect(await send(auth, server.url)).toBe(200);
    expect(proofs(by.seen).map(({ claims }) => claims.nonce)).toEqual([undefined, 'for tokens']);
    expect(proofs(server.seen).map(({ claims }) => claims.nonce)).toEqual([undefined, 'for requests', 'for requests']);
    expect(by.questions()).toHaveLength(1);
  });

  it('are not resent forever to a server that keeps asking for nonces', async () => {
    const { by, server } = await startBound({ requestNonce: 'a' });
    const auth = oauth(user);
    await send(auth, server.url);
    const rejected = { status: 401, url: server.url, wwwAuthenticate: 'DPoP error="use_dpop_nonce"', dpopNonce: 'a' };
    expect(await auth.unauthorized(rejected)).toBe(false);
    expect(by.questions()).toHaveLength(1);
  });

  it('are rejected if they are not bound', async () => {
    const { server } = await startBound({ tokenType: 'Bearer' });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('are not used without their key', async () => {
    const { by, server } = await startBound();
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect(by.questions()).toHaveLength(2);
  });
});

describe('tokens are not bound', () => {
  it('if only the authorization server supports it', async () => {
    const by = await startAuthorizationServer({ metadata: { dpop_signing_alg_values_supported: ['ES256'] } });
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(proofs(by.seen)).toEqual([]);
  });

  it('if the authorization server does not support it', async () => {
    const by = await startAuthorizationServer({ metadata: { dpop_signing_alg_values_supported: ['ES512'] } });
    const server = await startProtectedServer({ by, metadata: { dpop_signing_alg_values_supported: ['ES256'] } });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(proofs(by.seen)).toEqual([]);
  });
});

it('a key is named by its thumbprint', async () => {
  const key = createDpopKey();
  const { header } = verified(await key.prove({ url: 'https://a.example/', method: 'GET' }));
  const { crv, kty, x, y } = header.jwk;
  const expected = createHash('sha256').update(`{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`);
  expect(await key.thumbprint()).toBe(expected.digest('base64url'));
});
