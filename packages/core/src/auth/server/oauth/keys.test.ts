import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { post } from '../../../transports/http/server/fixtures/client.ts';
import { startIssuer, testKey, type TestIssuer, type TestKey } from './fixtures/issuer.ts';
import { bearer, resource, startProtected } from './fixtures/protected.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const minute = 60_000;

/** Time passes only when it is asked to; timers of sockets go on. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

function breakDown(issuer: TestIssuer, status = 503): void {
  issuer.otherwise = () => ({ status, json: {} });
}

describe('keys of an issuer', () => {
  it('are fetched once at start-up, which does not wait for them (AR-40, AR-43)', async () => {
    const issuer = await startIssuer();
    let answer = (): void => {};
    const held = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined);
    });
    const asked = new Promise<void>((resolve) => {
      issuer.otherwise = () => {
        resolve();
        return held;
      };
    });
    const { url, token } = await startProtected({}, {}, issuer);
    await asked;
    const early = post(url, ping, bearer(await token()));
    answer();
    expect((await early).status).toBe(200);
    for (let count = 0; count < 5; count++) {
      expect((await post(url, ping, bearer(await token({ claims: { jti: String(count) } })))).status).toBe(200);
    }
    expect(issuer.keyRequests()).toBe(1);
  });

  it('are not fetched again for unknown key ids (AR-40, AU-17)', async () => {
    stopClock();
    const { url, token, issuer } = await startProtected();
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
    vi.advanceTimersByTime(31_000);
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => token({ header: { kid: `made-up-${index}` } })),
    );
    const answers = await Promise.all(made.map((each) => post(url, ping, bearer(each))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.keyRequests()).toBe(2);
  });

  it('are refreshed after a rotation, by one request for all waiting calls (AR-40, AR-42)', async () => {
    stopClock();
    const { url, token, issuer } = await startProtected();
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
    const next = await testKey('ES256');
    issuer.keys.push(next);
    vi.advanceTimersByTime(31_000);
    const fresh = await Promise.all(
      Array.from({ length: 10 }, (_, index) => token({ key: next, claims: { jti: `${index}` } })),
    );
    const answers = await Promise.all(fresh.map((each) => post(url, ping, bearer(each))));
    expect(answers.map(({ status }) => status)).toEqual(fresh.map(() => 200));
    expect(issuer.keyRequests()).toBe(2);
  });

  it('stay valid for a day while their issuer is down; other tokens get a 503 (AR-41, AU-18)', async () => {
    stopClock();
    const { url, token, issuer, log } = await startProtected();
    const status = async (given: string): Promise<number> => (await post(url, ping, bearer(given))).status;
    const claims = { exp: Math.floor(Date.now() / 1000) + 3 * 24 * 3600 };
    const good = await token({ claims });
    expect(await status(good)).toBe(200);
    breakDown(issuer);
    for (let hour = 0; hour < 23; hour++) {
      vi.advanceTimersByTime(60 * minute);
      expect(await status(await token({ claims: { ...claims, jti: String(hour) } }))).toBe(200);
    }
    const unknown = await post(url, ping, bearer(await token({ claims, header: { kid: 'unknown' } })));
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5']);
    expect(unknown.headers.get('www-authenticate')).toBe(null);
    expect(await unknown.json()).toMatchObject({ error: 'temporarily_unavailable' });
    vi.advanceTimersByTime(61 * minute);
    expect(await status(good)).toBe(503);
    issuer.otherwise = () => undefined;
    vi.advanceTimersByTime(31_000);
    expect(await status(good)).toBe(200);
    expect(JSON.stringify(log)).toContain('could not be had');
  });

  it('are fetched again by a server that started while their issuer was down (AR-43)', async () => {
    stopClock();
    const issuer = await startIssuer();
    breakDown(issuer);
    const { url, token } = await startProtected({}, {}, issuer);
    expect((await post(url, ping, bearer(await token()))).status).toBe(503);
    issuer.otherwise = () => undefined;
    vi.advanceTimersByTime(6000);
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
  });

  it('that are removed invalidate the tokens they signed, cached ones too (AR-52)', async () => {
    stopClock();
    const { url, token, issuer } = await startProtected({ revalidateMs: 60 * minute });
    const [old] = issuer.keys as [TestKey];
    const before = await token();
    expect((await post(url, ping, bearer(before))).status).toBe(200);
    const next = await testKey('ES256');
    issuer.keys.splice(0, 1, next);
    vi.advanceTimersByTime(31_000);
    expect((await post(url, ping, bearer(before))).status).toBe(200);
    expect((await post(url, ping, bearer(await token({ key: next })))).status).toBe(200);
    expect((await post(url, ping, bearer(before))).status).toBe(401);
    expect((await post(url, ping, bearer(await token({ key: old })))).status).toBe(401);
  });

  it('may have no id if one matches, and are used as they declare (AR-31)', async () => {
    const issuer = await startIssuer({ algs: ['ES256', 'RS256'] });
    const [ec, rsa] = issuer.keys as [TestKey, TestKey];
    const { url, token } = await startProtected({}, {}, issuer);
    expect((await post(url, ping, bearer(await token({ header: { kid: undefined } })))).status).toBe(200);
    const other = await startIssuer({ algs: ['ES256', 'ES256'] });
    const second = await startProtected({}, {}, other);
    expect((await post(second.url, ping, bearer(await second.token({ header: { kid: undefined } })))).status).toBe(401);
    for (const wrong of [{ use: 'enc' }, { alg: 'ES384' }, { key_ops: ['sign'] }, { alg: 'RS512' }]) {
      const weird = await startIssuer();
      weird.keys.splice(0, 1, { ...ec, jwk: { ...ec.jwk, ...wrong } }, { ...rsa, jwk: { ...rsa.jwk, ...wrong } });
      const third = await startProtected({}, {}, weird);
      expect((await post(third.url, ping, bearer(await third.token()))).status).toBe(401);
    }
  });

  it.each<[string, (issuer: TestIssuer) => void]>([
    ['an issuer of another name', (issuer) => (issuer.metadata = { issuer: 'https://other.example' })],
    [
      'keys that are reached without encryption',
      (issuer) => (issuer.metadata = { jwks_uri: 'http://keys.example/jwks' }),
    ],
    ['keys somewhere else after a redirect', (issuer) => (issuer.otherwise = redirectKeys)],
    ['a document without end', (issuer) => (issuer.otherwise = () => ({ text: `{"a":"${'x'.repeat(2 ** 21)}"}` }))],
    [
      'a list that is none',
      (issuer) => (issuer.otherwise = ({ path }) => (path === '/jwks' ? { json: { keys: {} } } : undefined)),
    ],
    ['no JSON', (issuer) => (issuer.otherwise = () => ({ text: '<html>' }))],
  ])('are not taken from %s (AR-37)', async (_, spoil) => {
    const issuer = await startIssuer();
    spoil(issuer);
    const { url, token } = await startProtected({}, {}, issuer);
    const response = await post(url, ping, bearer(await token()));
    expect(response.status).toBe(503);
  });

  it('are limited to a hundred (AR-37)', async () => {
    const issuer = await startIssuer();
    const [key] = issuer.keys as [TestKey];
    const list = (count: number): unknown[] => Array.from({ length: count }, () => ({ kty: 'oct', k: 'x' }));
    issuer.otherwise = ({ path }) =>
      path === '/jwks' ? { json: { keys: [null, 7, ...list(97), key.jwk] } } : undefined;
    const { url, token } = await startProtected({}, {}, issuer);
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
    issuer.otherwise = ({ path }) => (path === '/jwks' ? { json: { keys: [...list(100), key.jwk] } } : undefined);
    const other = await startProtected({}, {}, issuer);
    expect((await post(other.url, ping, bearer(await token()))).status).toBe(401);
  });

  it('are discovered for an issuer with a path, by OAuth and OpenID metadata (AR-37)', async () => {
    const issuer = await startIssuer({ path: '/tenant' });
    const { url, token } = await startProtected({}, {}, issuer);
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
    for (const place of ['/.well-known/openid-configuration/tenant', '/tenant/.well-known/openid-configuration']) {
      const { issuer: name } = issuer;
      const json = { issuer: name, jwks_uri: new URL('/jwks', name).href };
      issuer.otherwise = ({ path }) => {
        if (path === place) return { json };
        return path.includes('.well-known') ? { status: 404 } : undefined;
      };
      const other = await startProtected({}, {}, issuer);
      expect((await post(other.url, ping, bearer(await token()))).status).toBe(200);
    }
  });
});

describe('several issuers', () => {
  it('sign for themselves only (AU-09, AR-30)', async () => {
    const [one, two] = [await startIssuer(), await startIssuer()];
    const { url } = await startProtected({ issuer: [one.issuer, two.issuer] }, {}, one);
    const status = async (given: string): Promise<number> => (await post(url, ping, bearer(given))).status;
    expect([await status(await one.token(resource)), await status(await two.token(resource))]).toEqual([200, 200]);
    const [key] = two.keys as [TestKey];
    expect(await status(await one.token(resource, { key }))).toBe(401);
    expect(await status(await two.token(resource, { claims: { iss: one.issuer } }))).toBe(401);
  });

  it('may be chosen by a function; no other issuer is contacted', async () => {
    const [home, tenant, stranger] = [await startIssuer(), await startIssuer({ path: '/t1' }), await startIssuer()];
    const trusts = (issuer: string): boolean => issuer.startsWith(new URL(tenant.issuer).origin);
    const { url } = await startProtected({ issuer: [home.issuer, trusts] }, {}, home);
    const status = async (given: string): Promise<number> => (await post(url, ping, bearer(given))).status;
    expect(await status(await tenant.token(resource))).toBe(200);
    expect(await status(await stranger.token(resource))).toBe(401);
    expect(stranger.seen).toEqual([]);
    expect(await status(await tenant.token(resource, { claims: { iss: `${tenant.issuer}/made-up` } }))).toBe(401);
    const before = tenant.seen.length;
    const made = Array.from({ length: 40 }, (_, index) =>
      tenant.token(resource, { claims: { iss: `${tenant.issuer}-${index}` } }),
    );
    const statuses = await Promise.all((await Promise.all(made)).map(status));
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(tenant.seen.length - before).toBeLessThan(40);
  });
});

function redirectKeys({ path }: { path: string }): { status: number; headers: Record<string, string> } | undefined {
  return path === '/jwks' ? { status: 302, headers: { Location: '/jwks2' } } : undefined;
}
