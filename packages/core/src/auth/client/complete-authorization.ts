import { createRemote, type RemoteOptions } from '../remote.ts';
import { type PendingAuthorization, redeemCode } from './authorization-code.ts';
import { exclusively, forgetClient, isUnknownClient } from './token-auth.ts';
import type { StoredGrant, TokenStore } from './token-store.ts';

/** Options of `completeAuthorization`. */
export interface CompleteAuthorizationOptions extends RemoteOptions {
  /** Where the tokens are stored. */
  store: TokenStore;
}

/**
 * Completes an authorization request of another process with the URL that its user was redirected to, and stores the
 * tokens. Call it once per request.
 */
export async function completeAuthorization(
  pending: PendingAuthorization,
  redirect: URL | string,
  { store, ...options }: CompleteAuthorizationOptions,
): Promise<void> {
  const { server, namedBy, resource, scopes, client } = pending;
  const key = { issuer: server.issuer, resource };
  const remote = createRemote(namedBy, options);
  const tokens = await redeemCode(pending, redirect, { remote, dpop: undefined }).catch(async (error: unknown) => {
    if (isUnknownClient(error)) await forgetClient(store, key, client);
    throw error;
  });
  const scope = scopes.join(' ');
  const grant = { ...(isRegistered(client) && { client }), tokens, ...(scope === '' ? {} : { scope }) };
  await exclusively(store, key, async () => store.set(key, grant));
}

function isRegistered(client: PendingAuthorization['client']): client is NonNullable<StoredGrant['client']> {
  return 'redirectUrl' in client;
}
