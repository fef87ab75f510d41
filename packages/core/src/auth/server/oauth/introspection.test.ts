import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { post, statelessClient, textOf } from '../../../transports/http/server/fixtures/client.ts';
import { startIssuer, nowInSeconds, type TestIssuer } from './fixtures/issuer.ts';
import { bearer, type ProtectedServer, resource, startProtected, requestKinds } from './fixtures/protected.ts';
import type { OAuthOptions } from './options.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const introspection = { clientId: 'notes server', clientSecret: 's:crêt' };
const answer = { active: true, sub: 'anna', aud: resource, scope: 'read', client_id: 'app' };

async function startAsking(options: Partial<OAuthOptions> = {}, given?: TestIssuer): Promise<ProtectedServer> {
  const started = await startProtected({ introspection, ...options }, { sse: true }, given);
  started.issuer.known.set('good', { ...answer, exp: nowInSeconds() + 300 });
  return started;
}

function asked({ seen }: TestIssuer): TestIssuer['seen'] {
  return seen.filter(({ path }) => path === '/introspect');
}

describe('an opaque token', () => {
  it('is accepted if introspection by a registered client says so (AR-60, AR-61, AR-64)', async () => {
    const { url, issuer } = await startAsking();
    const client = statelessClient(url, { headers: bearer('good') });
    expect(textOf(await client.call('whoami'))).toBe(`${issuer.issuer}#sub=anna`);
    const [question] = asked(issuer);
    expect(Object.fromEntries(new URLSearchParams(question?.body))).toEqual({
      token: 'good',
      token_type_hint: 'access_token',
    });
    expect(question?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(question?.headers.accept).toBe('application/json');
    const basic = Buffer.from(
      `${encodeURIComponent(introspection.clientId)}:${encodeURIComponent(introspection.clientSecret)}`,
    );
    expect(question?.headers.authorization).toBe(`Basic ${basic.toString('base64')}`);
  });

  it('is introspected with private_key_jwt if this server has a key (AR-60)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { url, issuer } = await startAsking({
      introspection: { clientId: 'notes', privateKey: { pem, algorithm: 'ES256' } },
    });
    expect((await post(url, ping, bearer('good'))).status).toBe(200);
    const form = new URLSearchParams(asked(issuer)[0]?.body);
    const [head = '', payload = '', signature = ''] = (form.get('client_assertion') ?? '').split('.');
    const key = {
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      dsaEncoding: 'ieee-p1363' as const,
    };
    expect(verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: 'notes',
      aud: issuer.issuer,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['it is not active (AR-61)', { active: false }],
    ['`active` is a string (AR-61)', { active: 'true' }],
    ['it has expired', { exp: 1 }],
    ['it is not valid yet', { nbf: nowInSeconds() + 3600 }],
    ['its expiry is a string', { exp: '1' }],
    ['it is of another issuer', { iss: 'https://other.example' }],
    ['it is for another server', { aud: 'https://other.example' }],
    ['it has no audience', { aud: undefined }],
    ['it is bound to a certificate, which can not be checked', { cnf: { 'x5t#S256': 'x' } }],
    ['it is bound to an unknown key', { token_type: 'DPoP' }],
  ])('is rejected if %s', async (_, more) => {
    const { url, issuer } = await startAsking();
    issuer.known.set('bad', { ...answer, ...more });
    for (const [way, knock] of Object.entries(requestKinds)) {
      const { status } = await knock(url, bearer('bad'));
      expect({ way, status }).toEqual({ way, status: 401 });
    }
  });

  it('may have any audience if that is configured explicitly (AR-61)', async () => {
    const { url, issuer } = await startAsking({ audience: 'any' });
    issuer.known.set('nobody', { ...answer, aud: undefined });
    issuer.known.set('other', { ...answer, aud: 'https://other.example' });
    const status = async (token: string): Promise<number> => (await post(url, ping, bearer(token))).status;
    expect([await status('nobody'), await status('good'), await status('other')]).toEqual([200, 200, 401]);
    const signed = await issuer.token(resource, { claims: { aud: undefined } });
    expect(await status(signed)).toBe(401);
  });

  it('is introspected once per TTL, and once for concurrent requests (AR-62)', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, issuer } = await startAsking();
    issuer.known.set('endless', answer);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(url, ping, bearer('endless'))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(asked(issuer).length).toBe(1);
    issuer.known.delete('endless');
    vi.advanceTimersByTime(59_000);
    expect((await post(url, ping, bearer('endless'))).status).toBe(200);
    vi.advanceTimersByTime(2000);
    expect((await post(url, ping, bearer('endless'))).status).toBe(401);
    expect((await post(url, ping, bearer('endless'))).status).toBe(401);
    expect(asked(issuer).length).toBe(2);
  });

  it('without an expiry is introspected again after a minute (AR-62)', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, issuer } = await startAsking({ revalidateMs: 3_600_000 });
    issuer.known.set('endless', answer);
    for (const token of ['endless', 'good']) expect((await post(url, ping, bearer(token))).status).toBe(200);
    issuer.known.clear();
    vi.advanceTimersByTime(61_000);
    expect((await post(url, ping, bearer('endless'))).status).toBe(401);
    expect((await post(url, ping, bearer('good'))).status).toBe(200);
  });

  it.each([500, 401, 403, 302, 404])(
    'is a 503 where the answer is %i, and a line in the log (AR-63)',
    async (status) => {
      const { url, issuer, log } = await startAsking();
      issuer.otherwise = ({ path }) => (path === '/introspect' ? { status, json: {} } : undefined);
      for (const [way, knock] of Object.entries(requestKinds)) {
        const response = await knock(url, bearer('some'));
        expect({ way, status: response.status }).toEqual({ way, status: 503 });
        expect(response.headers.get('retry-after')).toBe('5');
      }
      const lines = log.filter(({ level }) => level === 'error');
      expect(lines.map(({ data }) => data)).toEqual([expect.stringContaining(`status ${status}`)]);
      expect(JSON.stringify(log)).not.toMatch(/s:cr|bearer|some/i);
    },
  );

  it('is introspected at the configured endpoint, with a limited response size (AR-60)', async () => {
    const issuer = await startIssuer();
    const endpoint = `${issuer.issuer}/elsewhere`;
    const { url } = await startAsking({ introspection: { ...introspection, endpoint } }, issuer);
    issuer.otherwise = ({ path }) => (path === '/elsewhere' ? { json: answer } : undefined);
    expect((await post(url, ping, bearer('one'))).status).toBe(200);
    issuer.otherwise = () => ({ json: { ...answer, long: 'x'.repeat(70_000) } });
    expect((await post(url, ping, bearer('two'))).status).toBe(503);
  });

  it('is introspected only if it is no JWT (AR-64)', async () => {
    const { url, issuer, token } = await startAsking();
    const signed = await token();
    issuer.known.set(signed.replace(/[^.]*$/, ''), answer);
    expect((await post(url, ping, bearer(signed))).status).toBe(200);
    expect((await post(url, ping, bearer(signed.replace(/[^.]*$/, '')))).status).toBe(401);
    expect(asked(issuer)).toEqual([]);
  });
});
