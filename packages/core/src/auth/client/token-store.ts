import type { ClientIdentity } from '../client-identity.ts';
import type { Tokens } from './token-endpoint.ts';

type Awaitable<T> = T | Promise<T>;

/** The key of a stored grant. Credentials of one authorization server are never sent to another. */
export interface TokenKey {
  readonly issuer: string;
  readonly resource: string;
}

/** A stored grant: plain data, all of it secret. */
export interface StoredGrant {
  /** The registered client and its redirect URL. */
  readonly client?: ClientIdentity & { readonly redirectUrl: string; readonly expiresAt?: number };
  readonly tokens?: Tokens;
  /** All scopes requested so far. */
  readonly scope?: string;
}

/** Stores tokens. An implementation on disk must protect them like passwords. */
export interface TokenStore {
  get(key: TokenKey): Awaitable<StoredGrant | undefined>;
  set(key: TokenKey, grant: StoredGrant): Awaitable<void>;
  delete(key: TokenKey): Awaitable<void>;
  /**
   * Runs `act` exclusively for this key. Required if several processes share the store: a refresh token that is used
   * twice counts as stolen.
   */
  exclusively?<T>(key: TokenKey, act: () => Promise<T>): Promise<T>;
}

/** Stores tokens in memory. */
export function memoryTokenStore(): TokenStore {
  const grants = new Map<string, StoredGrant>();
  const name = ({ issuer, resource }: TokenKey): string => JSON.stringify([issuer, resource]);
  return {
    get: (key) => grants.get(name(key)),
    set(key, grant) {
      grants.set(name(key), grant);
    },
    delete(key) {
      grants.delete(name(key));
    },
  };
}
