import type { ClientIdentity } from '../client-identity.ts';
import type { Tokens } from './token-endpoint.ts';

type Awaitable<T> = T | Promise<T>;

/** What a record is about: credentials of one authorization server are never shown to another. */
export interface TokenKey {
  readonly issuer: string;
  readonly resource: string;
}

/** What is kept: plain data, all of it secret. */
export interface StoredGrant {
  /** Who the authorization server made us when we registered, and where it may send the user back to. */
  readonly client?: ClientIdentity & { readonly redirectUrl: string; readonly expiresAt?: number };
  readonly tokens?: Tokens;
  /** All scopes asked for so far. */
  readonly scope?: string;
}

/** Where tokens live between uses. Whoever writes one to disk must protect it as one protects passwords. */
export interface TokenStore {
  get(key: TokenKey): Awaitable<StoredGrant | undefined>;
  set(key: TokenKey, grant: StoredGrant): Awaitable<void>;
  delete(key: TokenKey): Awaitable<void>;
  /**
   * Does something while nobody else does the same for this key. A store that several processes share needs it: a refresh
   * token that is used twice is taken for a stolen one.
   */
  exclusively?<T>(key: TokenKey, act: () => Promise<T>): Promise<T>;
}

/** Keeps tokens as long as the process lives. */
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
