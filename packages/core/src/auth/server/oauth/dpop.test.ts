import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../../stores/memory.ts';
import { post, statelessClient, textOf } from '../../../transports/http/server/fixtures/client.ts';
import type { ServeHttpOptions } from '../../../transports/http/server/serve.ts';
import {
  type Proof,
  proofFor,
  startIssuer,
  type TestIssuer,
  testKey,
  type TestKey,
  thumbprintOf,
} from './fixtures/issuer.ts';
import {
  bearer,
  metadataUrl,
  type ProtectedServer,
  resource,
  startProtected,
  requestKinds,
} from './fixtures/protected.ts';
import type { OAuthOptions } from './options.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const algs = 'algs="RS256 PS256 ES256 ES384 EdDSA Ed25519"';

interface Bound extends ProtectedServer {
  key: TestKey;
  bound: string;
  prove(proof?: Proof, request?: { method?: string; url?: string; token?: string }): Promise<Record<string, string>>;
}

async function startBound(
  dpop: OAuthOptions['dpop'] = 'accept',
  http: ServeHttpOptions = {},
  given?: TestIssuer,
): Promise<Bound> {
  const started = await startProtected({ dpop: dpop ?? 'accept' }, { sse: true, ...http }, given);
  const key = await testKey('ES256');
  const bound = await started.token({ claims: { cnf: { jkt: await thumbprintOf(key) } } });
  return {
    ...started,
    key,
    bound,
    prove: async (proof, request) => ({
      Authorization: `DPoP ${request?.token ?? bound}`,
      DPoP: await proofFor(key, { url: resource, token: bound, ...request }, proof),
    }),
  };
}

/** What each way of knocking is proven for. */
const places: Record<string, { method?: string; url?: string }> = {
  GET: { method: 'GET' },
  DELETE: { method: 'DELETE' },
  'the old stream': { method: 'GET', url: 'https://api.example.com/sse' },
  'the old messages': { url: 'https://api.example.com/messages' },
};

describe('a DPoP-bound token', () => {
  it('is accepted with a proof, in every era and with every method (AR-70, AR-71, AR-75)', async () => {
    const { url, prove } = await startBound();
    const stateless = statelessClient(url, { headers: await prove() });
    expect(textOf(await stateless.call('echo', { text: 'hi' }))).toBe('hi');
    for (const [way, knock] of Object.entries(requestKinds)) {
      const response = await knock(url, await prove({}, places[way]));
      expect({ way, rejected: [401, 403].includes(response.status) }).toEqual({ way, rejected: false });
      await response.body?.cancel();
    }
  });

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('may be bound to a key of %s', async (alg) => {
    const { url, token } = await startProtected({ dpop: 'accept' });
    const key = await testKey(alg);
    const bound = await token({ claims: { cnf: { jkt: await thumbprintOf(key) } } });
    const DPoP = await proofFor(key, { url: resource, token: bound });
    expect((await post(url, ping, { Authorization: `DPoP ${bound}`, DPoP })).status).toBe(200);
  });

  it('is rejected without a proof, or with the proof of another token (AR-70)', async () => {
    const { url, bound, prove, token } = await startBound();
    const expectation = `DPoP error="invalid_token", error_description="The access token is invalid or has expired", resource_metadata="${metadataUrl}", ${algs}`;
    const asBearer = await post(url, ping, bearer(bound));
    expect([asBearer.status, asBearer.headers.get('www-authenticate')]).toEqual([401, expectation]);
    const unbound = await token();
    const proven = await post(url, ping, await prove({}, { token: unbound }));
    expect([proven.status, proven.headers.get('www-authenticate')]).toEqual([401, expectation]);
    const unproven = await post(url, ping, { Authorization: `DPoP ${bound}` });
    expect([unproven.status, unproven.headers.get('www-authenticate')]).toEqual([
      401,
      `DPoP error="invalid_dpop_proof", error_description="The DPoP proof is not valid", resource_metadata="${metadataUrl}", ${algs}`,
    ]);
    expect((await post(url, ping, bearer(unbound))).status).toBe(200);
  });

  const now = Math.floor(Date.now() / 1000);
  it.each<[string, Proof]>([
    ['is of another type', { header: { typ: 'jwt' } }],
    ['is of no type', { header: { typ: undefined } }],
    ['has no key', { header: { jwk: undefined } }],
    ['is for another method', { claims: { htm: 'GET' } }],
    ['is for no method', { claims: { htm: undefined } }],
    ['is for another address', { claims: { htu: 'https://api.example.com/other' } }],
    ['is for an address with a query', { claims: { htu: `${resource}?a=b` } }],
    ['is for an address with a fragment', { claims: { htu: `${resource}#a` } }],
    ['is for no address', { claims: { htu: undefined } }],
    ['is stale', { claims: { iat: now - 400 } }],
    ['is from the future', { claims: { iat: now + 400 } }],
    ['has no time', { claims: { iat: undefined } }],
    ['has a string as time', { claims: { iat: String(now) } }],
    ['has no id', { claims: { jti: undefined } }],
    ['has an empty id', { claims: { jti: '' } }],
    ['has a long id', { claims: { jti: 'x'.repeat(257) } }],
    ['is for another token', { claims: { ath: 'x' } }],
    ['is for no token', { claims: { ath: undefined } }],
  ])('is rejected if the proof %s (AR-71, AR-72, AR-75)', async (_, proof) => {
    const { url, prove } = await startBound();
    for (const [way, knock] of Object.entries(requestKinds)) {
      const place = places[way] ?? {};
      // Faults of the method must be faults there, too.
      const { htm } = proof.claims ?? {};
      const given = htm === 'GET' && place.method === 'GET' ? { claims: { htm: 'POST' } } : proof;
      const response = await knock(url, await prove(given, place));
      expect({ way, status: response.status }).toEqual({ way, status: 401 });
      expect(response.headers.get('www-authenticate')).toContain('DPoP error="invalid_dpop_proof"');
    }
  });

  it('is rejected if the proof is signed by another key, with either key inside, or unsigned (AR-71, AR-75)', async () => {
    const { url, key, bound, prove } = await startBound();
    const stranger = await testKey('ES256');
    const good = (await prove()).DPoP as string;
    const [head = '', payload = '', signature = ''] = good.split('.');
    const headed = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
    const { kid: _kid, use: _use, alg: _alg, ...jwk } = key.jwk;
    const proofs = {
      'foreign key': await proofFor(stranger, { url: resource, token: bound }),
      'our key, their signature': await proofFor(key, { url: resource, token: bound }, { key: stranger }),
      'private key inside': await proofFor(
        key,
        { url: resource, token: bound },
        { header: { jwk: { ...jwk, d: 'x' } } },
      ),
      unsigned: `${head}.${payload}.`,
      'no algorithm': `${headed({ alg: 'none', typ: 'dpop+jwt', jwk })}.${payload}.`,
      symmetric: `${headed({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'x' } })}.${payload}.${signature}`,
      critical: `${headed({ alg: 'ES256', typ: 'dpop+jwt', jwk, crit: ['x'] })}.${payload}.${signature}`,
      two: `${good}, ${good}`,
      'no JWT': 'x',
      long: 'x'.repeat(9000),
    };
    for (const [what, DPoP] of Object.entries(proofs)) {
      const response = await post(url, ping, { Authorization: `DPoP ${bound}`, DPoP });
      expect({ what, status: response.status }).toEqual({ what, status: 401 });
      expect(response.headers.get('www-authenticate')).toContain('invalid_dpop_proof');
    }
    expect((await post(url, ping, { Authorization: `DPoP ${bound}`, DPoP: good })).status).toBe(200);
  });

  it('accepts each proof once, on all instances that share a store (AR-74, AR-75)', async () => {
    const store = memoryStore();
    onTestFinished(() => void store.close());
    const issuer = await startIssuer();
    for (const shared of ['accept', { use: 'accept' }, { use: 'accept', replay: 'store' }] as const) {
      const first = await startBound(shared, { store }, issuer);
      const second = await startProtected({ dpop: shared }, { store }, issuer);
      const headers = await first.prove();
      expect((await post(first.url, ping, headers)).status).toBe(200);
      expect((await post(first.url, ping, headers)).status).toBe(401);
      expect((await post(second.url, ping, headers)).status).toBe(401);
    }

    const alone = await startBound({ use: 'accept', replay: 'process' });
    const once = await alone.prove();
    expect([(await post(alone.url, ping, once)).status, (await post(alone.url, ping, once)).status]).toEqual([
      200, 401,
    ]);
    const careless = await startBound({ use: 'accept', replay: 'off' });
    const often = await careless.prove();
    expect([(await post(careless.url, ping, often)).status, (await post(careless.url, ping, often)).status]).toEqual([
      200, 200,
    ]);
  });

  it('may be required (AR-72)', async () => {
    const { url, prove, token, issuer } = await startBound('require');
    expect((await post(url, ping, await prove())).status).toBe(200);
    expect((await post(url, ping, bearer(await token()))).status).toBe(401);
    const anonymous = await post(url, ping);
    expect(anonymous.headers.get('www-authenticate')).toBe(`DPoP resource_metadata="${metadataUrl}", ${algs}`);
    const both = await startProtected({ dpop: 'accept' }, {}, issuer);
    const offered = await post(both.url, ping);
    expect(offered.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${metadataUrl}", DPoP resource_metadata="${metadataUrl}", ${algs}`,
    );
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource', url));
    expect(await metadata.json()).toMatchObject({
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
      dpop_bound_access_tokens_required: true,
    });
  });

  it('is recognized from its introspection response (AR-70)', async () => {
    const issuer = await startIssuer();
    const introspection = { clientId: 'a', clientSecret: 'b' };
    const { url } = await startProtected({ dpop: 'accept', introspection }, {}, issuer);
    const key = await testKey('ES256');
    const cnf = { jkt: await thumbprintOf(key) };
    issuer.known.set('opaque', { active: true, sub: 'anna', aud: resource, cnf, token_type: 'DPoP' });
    const DPoP = await proofFor(key, { url: resource, token: 'opaque' });
    expect((await post(url, ping, { Authorization: 'DPoP opaque', DPoP })).status).toBe(200);
    expect((await post(url, ping, bearer('opaque'))).status).toBe(401);
  });

  it('requires a server nonce if configured: the current or previous one, of any instance with the secret (AR-73)', async () => {
    const issuer = await startIssuer();
    const dpop = { use: 'accept', nonce: { secret: 'a secret of all instances, in common' } } as const;
    const { url, prove } = await startBound(dpop, {}, issuer);
    const other = await startProtected({ dpop }, {}, issuer);
    const first = await post(url, ping, await prove());
    expect(first.status).toBe(401);
    expect(first.headers.get('www-authenticate')).toContain('DPoP error="use_dpop_nonce"');
    const nonce = first.headers.get('dpop-nonce') ?? '';
    const good = await post(url, ping, await prove({ claims: { nonce } }));
    expect([good.status, good.headers.get('dpop-nonce')]).toEqual([200, nonce]);
    expect((await post(other.url, ping, await prove({ claims: { nonce } }))).status).toBe(200);
    expect((await post(url, ping, await prove({ claims: { nonce: 'made up' } }))).status).toBe(401);

    const start = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: start + 240_000 });
    expect((await post(url, ping, await prove({ claims: { nonce, iat: start / 1000 } }))).status).toBe(200);
    vi.setSystemTime(start + 601_000);
    const late = await post(url, ping, await prove({ claims: { nonce, iat: Date.now() / 1000, jti: 'late' } }));
    expect(late.status).toBe(401);
  });
});
