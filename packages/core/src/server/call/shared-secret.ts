import { retryMs } from '../retry-later.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import type { Life, Store } from '../../stores/store.ts';
import { withTimeout } from './with-timeout.ts';

/** The store operations that a shared secret uses. */
export type SecretStore = Pick<Store, 'claim' | 'read'>;

/** The shortest `stateSecret`, in bytes. */
const shortestSecret = 32;
/** How long a shared secret is cached before it is read again. */
const freshMs = 30 * 1000;
/** Lifetime of an unused secret. */
const ttlMs = 24 * 60 * 60_000;
/** As long as its lifetime, so that other records, which can be recreated, are evicted first. */
const life: Life = { ttlMs, busyMs: ttlMs, kind: 'state-secret', limit: 100 };
/** The number of former secrets that are still accepted. */
const mostKnown = 4;

/**
 * A secret that instances agree on through their store: the first one creates it, the others read it. While the store
 * is unavailable, the last known secret is used; an instance that finds the store empty writes it again.
 */
export class SharedSecret {
  readonly #store: SecretStore;
  readonly #key: string;
  #known: readonly Uint8Array[];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(store: SecretStore, name: string, own: Uint8Array) {
    this.#store = store;
    this.#key = `state-secret/${name}`;
    this.#known = [own];
  }

  /** The accepted secrets; the first one signs. */
  async readSecrets(): Promise<readonly Uint8Array[]> {
    if (performance.now() - this.#readAt >= freshMs) await this.#refresh();
    return this.#known;
  }

  /**
   * Reads the accepted secrets again, if none of them verifies a state. Rate limited: anyone can send invalid states.
   */
  async refreshSecrets(): Promise<readonly Uint8Array[]> {
    if (performance.now() - this.#readAt >= retryMs) await this.#refresh();
    return this.#known;
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#agree().then(
      () => this.#onRead(performance.now()),
      () => this.#onRead(performance.now() - freshMs + retryMs),
    );
    return this.#reading;
  }

  #onRead(at: number): void {
    this.#readAt = at;
    this.#reading = undefined;
  }

  async #agree(): Promise<void> {
    const fields = (await this.#read()) ?? ((await this.#offer()) ? undefined : await this.#read());
    const found = fields?.secret === undefined ? undefined : fromBase64(fields.secret);
    const [first] = this.#known;
    if (found === undefined || found.byteLength < shortestSecret || areSame(found, first)) return;
    this.#known = [found, ...this.#known.filter((known) => !areSame(known, found))].slice(0, mostKnown);
  }

  #read(): Promise<Readonly<Record<string, string>> | undefined> {
    return withTimeout(Promise.resolve(this.#store.read(this.#key, life)));
  }

  #offer(): Promise<boolean> {
    const [first] = this.#known;
    return withTimeout(
      Promise.resolve(this.#store.claim(this.#key, life, { secret: toBase64Url(first as Uint8Array) })),
    );
  }
}

/** Not timing-safe: both values are known to this process. */
function areSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.byteLength === other?.byteLength && one.every((byte, index) => byte === other[index]);
}
