import { describe, expect, it } from 'vitest';
import type { TestAuthorizationServer } from '../../testing/authorization-server/options.ts';
import type { PendingAuthorization } from './authorization-code.ts';
import { completeAuthorization } from './complete-authorization.ts';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { send, startProtectedServer, type TestProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';
import { memoryTokenStore, type TokenStore } from './token-store.ts';

interface Begun {
  by: TestAuthorizationServer;
  server: TestProtectedServer;
  store: TokenStore;
  pending: PendingAuthorization;
  redirect: string;
}

/** Begins an authorization request in a process that ends then. */
async function begin(settings: Parameters<typeof startAuthorizationServer>[0] = {}): Promise<Begun> {
  const by = await startAuthorizationServer(settings);
  const server = await startProtectedServer({ by, challenge: 'scope="read"' });
  const store = memoryTokenStore();
  let saved = '';
  let redirect = '';
  const authorize = async (url: URL, pending?: PendingAuthorization): Promise<string> => {
    saved = JSON.stringify(pending);
    redirect = await user.authorize(url);
    throw new Error('The process has ended');
  };
  await expect(send(oauth({ ...user, authorize, store }), server.url)).rejects.toThrow('The process has ended');
  return { by, server, store, pending: JSON.parse(saved) as PendingAuthorization, redirect };
}

const nobody = { ...user, authorize: () => Promise.reject(new Error('Nobody is there')) };

describe('an authorization request of another process', () => {
  it('is completed with its client, verifier and resource, and its tokens are stored', async () => {
    const { by, server, store, pending, redirect } = await begin();
    await completeAuthorization(pending, redirect, { store });
    expect(await send(oauth({ ...nobody, store }), server.url)).toBe(200);
    expect(by.requests('/register')).toHaveLength(1);
    expect(by.forms()).toMatchObject([{ client_id: 'client-1', redirect_uri: user.redirectUrl, resource: server.url }]);
    const stored = await store.get({ issuer: by.issuer, resource: server.url });
    expect(stored).toMatchObject({ client: { id: 'client-1', redirectUrl: user.redirectUrl }, scope: 'read' });
  });

  it('is completed at the redirect URL of its server only', async () => {
    const { by, store, pending, redirect } = await begin();
    const own = { ...pending, redirectUrl: `${user.redirectUrl}/own`, hasOwnRedirect: true };
    await expect(completeAuthorization(own, redirect, { store })).rejects.toMatchObject({ code: 'issuer_mismatch' });
    expect(by.forms()).toEqual([]);
  });

  it.each([
    ['state', 'another', 'state_mismatch'],
    ['iss', 'https://evil.example', 'issuer_mismatch'],
  ])('is not completed by a response with another %s', async (name, value, code) => {
    const { by, store, pending, redirect } = await begin();
    const forged = new URL(redirect);
    forged.searchParams.set(name, value);
    await expect(completeAuthorization(pending, forged, { store })).rejects.toMatchObject({ code });
    expect(by.forms()).toEqual([]);
  });

  it('is begun again with a new client if the authorization server has forgotten the first', async () => {
    const { by, server, store, pending, redirect } = await begin();
    by.settings.onToken = (form) =>
      form.get('client_id') === 'client-1' ? { status: 401, json: { error: 'invalid_client' } } : undefined;
    await expect(completeAuthorization(pending, redirect, { store })).rejects.toThrow('invalid_client');
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect(by.requests('/register')).toHaveLength(2);
  });

  it('keeps to the addresses that the server of its process may name', async () => {
    const { store, pending, redirect } = await begin();
    const namedBy = { url: 'https://mcp.example/mcp', address: '203.0.113.1' };
    const completed = completeAuthorization({ ...pending, namedBy }, redirect, { store });
    await expect(completed).rejects.toMatchObject({ code: 'unsafe_url' });
  });
});
