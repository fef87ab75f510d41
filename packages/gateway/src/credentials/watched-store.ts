import type { StoredGrant, TokenKey, TokenStore } from '@ccmcp/core/client';

/** A token store that notices tokens of another instance. */
export class WatchedStore implements TokenStore {
  readonly exclusively?: NonNullable<TokenStore['exclusively']>;
  readonly #store: TokenStore;
  /** The last key that was read, and the access token that was there. */
  #last: { key: TokenKey; accessToken: string | undefined } | undefined;

  constructor(store: TokenStore) {
    this.#store = store;
    if (store.exclusively !== undefined) this.exclusively = (key, act) => exclusively(store, key, act);
  }

  async get(key: TokenKey): Promise<StoredGrant | undefined> {
    const grant = await this.#store.get(key);
    this.#last = { key, accessToken: grant?.tokens?.accessToken };
    return grant;
  }

  set(key: TokenKey, grant: StoredGrant): void | Promise<void> {
    return this.#store.set(key, grant);
  }

  delete(key: TokenKey): void | Promise<void> {
    return this.#store.delete(key);
  }

  /** True if there are other tokens than when they were last read. */
  async hasNewTokens(): Promise<boolean> {
    if (this.#last === undefined) return false;
    const { key, accessToken } = this.#last;
    const now = (await this.#store.get(key))?.tokens?.accessToken;
    return now !== undefined && now !== accessToken;
  }
}

function exclusively<T>(store: TokenStore, key: TokenKey, act: () => Promise<T>): Promise<T> {
  return store.exclusively?.(key, act) ?? act();
}
