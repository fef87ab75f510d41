import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Auth } from '@ccmcp/core';
import type { StoredGrant, TokenKey, TokenStore } from '@ccmcp/core/client';
import type { Life, Store } from '@ccmcp/core/http';
import { createEncryption, type Encryption } from './encryption.ts';
import { type SharedSignIns, sharedSignIns } from './shared-sign-ins.ts';

/** Options of `sharedTokens`. */
export interface SharedTokensOptions {
  /** The store that all instances of the gateway share. */
  store: Store;
  /** A secret of at least 32 characters, the same for all instances: tokens are encrypted with it before they are stored. */
  key: string;
  /** How long unused tokens are kept, in milliseconds. Default: 30 days. */
  ttlMs?: number;
}

const defaultTtlMs = 30 * 24 * 60 * 60 * 1000;
/** The maximum grants in the store, one per caller and upstream; the least recently used are evicted. */
const maxGrants = 100_000;
/** The minimum length of a key, in characters. */
const minKey = 32;
/** How long an instance that is gone keeps others from refreshing, and how often a living one says that it goes on. */
const leaseMs = 15_000;
const renewMs = 5000;
/** How often it is tried to be next, and how long at most. */
const retryMs = 50;
const maxWaitMs = 60_000;
const lockLife: Life = { kind: 'gateway/token-locks', ttlMs: leaseMs, limit: 10_000 };

/** The tokens of callers in a store that instances share, and their pending sign-ins. */
export interface SharedTokens {
  (caller: Pick<Auth, 'principal'>): TokenStore;
  /** For `signIns`. */
  readonly signIns: SharedSignIns;
}

/**
 * Keeps the tokens of callers in a store that instances share, for the option `storeFor` of `signIns`, and their pending
 * sign-ins. They are encrypted, also their names, and only one instance at a time refreshes those of a caller.
 */
export function sharedTokens({ store, key, ttlMs = defaultTtlMs }: SharedTokensOptions): SharedTokens {
  if (typeof key !== 'string' || key.length < minKey) {
    throw new TypeError(
      `sharedTokens: "key" must have at least ${minKey} characters: tokens are encrypted with it, and all instances need the same`,
    );
  }
  const encryption = createEncryption(key, { encryption: 'tokens', names: 'names' });
  const life = {
    kind: 'gateway/tokens',
    ttlMs,
    limit: maxGrants,
  };
  const tokensOf = (principal: string): TokenStore => new CallerTokens(principal, { store, encryption, life });
  return Object.assign(({ principal }: Pick<Auth, 'principal'>) => tokensOf(principal), {
    signIns: sharedSignIns({ store, key, tokensOf }),
  });
}

interface Shared {
  readonly store: Store;
  readonly encryption: Encryption;
  readonly life: Life;
}

/** The tokens of one caller. */
class CallerTokens implements TokenStore {
  readonly #principal: string;
  readonly #shared: Shared;

  constructor(principal: string, shared: Shared) {
    this.#principal = principal;
    this.#shared = shared;
  }

  async get(key: TokenKey): Promise<StoredGrant | undefined> {
    const { store, life, encryption } = this.#shared;
    const sealed = (await store.read(this.#nameOf(key), life))?.sealed;
    // If it was changed, or belongs to another caller or server, the caller signs in again.
    const text = sealed === undefined ? undefined : encryption.decrypt(sealed, this.#about(key));
    return text === undefined ? undefined : (JSON.parse(text) as StoredGrant);
  }

  async set(key: TokenKey, grant: StoredGrant): Promise<void> {
    const { store, life, encryption } = this.#shared;
    const sealed = encryption.encrypt(JSON.stringify(grant), this.#about(key));
    const kept = await store.create(this.#nameOf(key), { sealed }, life);
    if (kept === 'full') throw new Error('The store has no room for the tokens of a caller');
  }

  async delete(key: TokenKey): Promise<void> {
    await this.#shared.store.remove(this.#nameOf(key));
  }

  async exclusively<T>(key: TokenKey, act: () => Promise<T>): Promise<T> {
    const { store } = this.#shared;
    const lock = `${this.#nameOf(key)}/lock`;
    const holder = randomUUID();
    const deadline = performance.now() + maxWaitMs;
    while (!(await store.lease(lock, holder, lockLife))) {
      if (performance.now() > deadline) throw new Error('Another instance of the gateway has not finished a refresh');
      await delay(retryMs);
    }
    const renewal = setInterval(() => {
      // Whether it is still held is looked at when it is released.
      void Promise.resolve(store.lease(lock, holder, lockLife)).catch(() => {});
    }, renewMs);
    renewal.unref();
    try {
      return await act();
    } finally {
      clearInterval(renewal);
      await Promise.resolve(store.release(lock, holder)).catch(() => {});
    }
  }

  /** The name of a record. Who reads the store learns neither callers nor servers from it. */
  #nameOf(key: TokenKey): string {
    return `gateway/tokens/${this.#shared.encryption.nameOf(this.#about(key))}`;
  }

  /** Binds tokens to their caller and server. */
  #about({ issuer, resource }: TokenKey): string {
    return JSON.stringify([this.#principal, issuer, resource]);
  }
}
