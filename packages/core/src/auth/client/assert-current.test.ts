import { describe, expect, it } from 'vitest';
import { assertCurrent, enterpriseManaged, workloadIdentity } from './workload-identity.ts';
import { listen } from './fixtures/listen.ts';
import { send } from './fixtures/protected-server.ts';
import { startTrustingServer } from './fixtures/trusting-server.ts';

const now = (): number => Math.floor(Date.now() / 1000);
const jwt = (claims: object): string =>
  [{ alg: 'ES256' }, claims, 'x'].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

describe('an identity assertion', () => {
  it.each([
    ['was made in the future', { iat: 3600 }],
    ['was made in the future', { iat: 60 }],
    ['is not good yet', { iat: 0, nbf: 3600 }],
    ['is no longer good', { iat: -3600, exp: -60 }],
  ])('that %s is rejected: %j (AU-24)', (how, claims) => {
    const moved = Object.fromEntries(Object.entries(claims).map(([name, after]) => [name, now() + after]));
    expect(() => assertCurrent(jwt(moved), 'assertion')).toThrow(
      expect.objectContaining({
        code: 'untimely',
        message: `The assertion says that it ${how}: are the clocks right?`,
      }),
    );
  });

  it.each([
    jwt({ iat: now(), exp: now() + 60 }),
    jwt({ iat: now() + 10, nbf: now() + 10, exp: now() - 10 }),
    jwt({}),
    jwt({ iat: 'never', exp: null }),
    'opaque',
    'a.b.c',
    '..',
    jwt([] as object),
  ])('is accepted once its time has come, or without a time: %s', (token) => {
    expect(() => assertCurrent(token, 'assertion')).not.toThrow();
  });

  it('issued in the future is not sent to an authorization server (AU-24)', async () => {
    const assertion = jwt({ iat: now() + 3600 });
    const { by, server } = await startTrustingServer(assertion);
    const auth = workloadIdentity({ assertion: () => assertion, clientId: 'app' });
    await expect(send(auth, server.url)).rejects.toMatchObject({ code: 'untimely' });
    expect(by.requests('/token')).toEqual([]);
  });

  it('issued in the future is not exchanged at an identity provider (AU-24)', async () => {
    const { server } = await startTrustingServer('permission');
    const seen: string[] = [];
    const issuer = await listen(({ path }) => {
      seen.push(path);
      return { json: {} };
    });
    const client = { id: 'at-provider' };
    const idToken = (): string => jwt({ iat: now() + 3600 });
    const identityProvider = { issuer, tokenEndpoint: `${issuer}/token`, client, idToken };
    const auth = enterpriseManaged({ identityProvider, clientId: 'app', clientSecret: 'secret' });
    await expect(send(auth, server.url)).rejects.toMatchObject({ code: 'untimely' });
    expect(seen).toEqual([]);
  });
});
