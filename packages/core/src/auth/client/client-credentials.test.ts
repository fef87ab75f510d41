import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientCredentials } from './client-credentials.ts';
import type { TestAuthorizationServer } from '../../testing/authorization-server/options.ts';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;

function keyFor(algorithm: 'ES256' | 'RS256'): string {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export(pem).toString();
}

/** The parts of a JWT, once its signature is known to be good. */
function verified(jwt: string, privateKey: string): { header: unknown; claims: Record<string, unknown> } {
  const [header = '', claims = '', signature = ''] = jwt.split('.');
  const key = createPublicKey(privateKey);
  const dsaEncoding = 'ieee-p1363';
  const good = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding },
    Buffer.from(signature, 'base64url'),
  );
  expect(good).toBe(true);
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: read(header), claims: read(claims) as Record<string, unknown> };
}

/** Lets the client's key through without looking; tests look themselves. */
function trusting(by: TestAuthorizationServer): void {
  by.settings.onToken = (form) => {
    by.tokens.set('good', { scope: form.get('scope') ?? '', resource: form.get('resource') });
    return { json: { access_token: 'good', token_type: 'Bearer' } };
  };
}

describe('client credentials', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)('with a secret use %s', async (method) => {
    const by = await startAuthorizationServer({
      clients: [{ id: 'service', secret: 'secret', method }],
      metadata: { token_endpoint_auth_methods_supported: [method] },
    });
    const server = await startProtectedServer({ by, metadata: { scopes_supported: ['a', 'b'] } });
    expect(await send(clientCredentials({ clientId: 'service', clientSecret: 'secret' }), server.url)).toBe(200);
    expect(by.forms()).toMatchObject([{ grant_type: 'client_credentials', resource: server.url, scope: 'a b' }]);
    expect(by.seen.map(({ path }) => path)).toEqual(['/.well-known/oauth-authorization-server', '/token']);
  });

  it.each(['ES256', 'RS256'] as const)('with a key sign an assertion by %s', async (algorithm) => {
    const by = await startAuthorizationServer();
    trusting(by);
    const server = await startProtectedServer({ by });
    const key = keyFor(algorithm);
    const auth = clientCredentials({ clientId: 'service', privateKey: { pem: key, algorithm, id: 'key-1' } });
    expect(await send(auth, server.url)).toBe(200);
    const [form] = by.forms();
    expect(form?.client_assertion_type).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const { header, claims } = verified(form?.client_assertion ?? '', key);
    expect(header).toEqual({ alg: algorithm, typ: 'JWT', kid: 'key-1' });
    expect(claims).toMatchObject({ iss: 'service', sub: 'service', aud: by.issuer, jti: expect.any(String) });
    expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(300);
  });

  it('ask for more scopes when a request needs them', async () => {
    const by = await startAuthorizationServer({
      clients: [{ id: 'service', secret: 'secret', method: 'client_secret_basic' }],
      metadata: { token_endpoint_auth_methods_supported: undefined },
    });
    const server = await startProtectedServer({ by, needs: ({ body }) => body });
    const auth = clientCredentials({ clientId: 'service', clientSecret: 'secret', scope: 'read' });
    expect(await send(auth, server.url, 'read')).toBe(200);
    expect(await send(auth, server.url, 'write')).toBe(200);
    expect(by.forms().map(({ scope }) => scope)).toEqual(['read', 'read write']);
  });

  it('are sent only to their authorization server (C-A-07)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const auth = clientCredentials({ clientId: 'service', clientSecret: 'secret', issuer: 'https://auth.example' });
    await expect(send(auth, server.url)).rejects.toMatchObject({ code: 'client_unknown' });
    expect(by.seen).toEqual([]);
  });

  it('need a secret or a key, and one only', () => {
    expect(() => clientCredentials({ clientId: 'service' })).toThrow(TypeError);
    const privateKey = { pem: '', algorithm: 'ES256' } as const;
    expect(() => clientCredentials({ clientId: 'service', clientSecret: 'a', privateKey })).toThrow(TypeError);
  });

  it.each([
    ['no PEM', 'MIGHAgEAMBMGByqGSM49AgEG'],
    ['no key', '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEG\n-----END PRIVATE KEY-----'],
  ])('with what is %s fail without showing it', async (_, text) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const auth = clientCredentials({ clientId: 'service', privateKey: { pem: text, algorithm: 'ES256' } });
    const error: unknown = await send(auth, server.url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain('MIGHAg');
  });
});
