import type { webcrypto } from 'node:crypto';
import { invalidParams } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import { textOf } from '../../jsonrpc/text.ts';
import type { Store } from '../../stores/store.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import { thisWorker } from '../../runtime/worker-process.ts';
import { type SecretStore, SharedSecret } from './shared-secret.ts';

/** The state of a suspended call, which travels through the client, signed. */
export interface SuspendedState {
  /** The client's answers so far, by the key of the question. */
  answers: Record<string, unknown>;
  /** State of middleware that resumes the request. */
  state?: unknown;
}

/** The binding of a state: only the same caller with the same request can resume it. */
export interface StateBinding {
  method: string;
  params: Params;
  principal: string | undefined;
}

/** A verified state with its metadata. */
interface Envelope extends SuspendedState {
  /** Expiry by the wall clock, which other instances share. */
  expires: number;
  /** The id of the signing process, and the expiry by its monotonic clock. */
  by: string;
  ends: number;
  request: string;
  /** The unique id of this state. */
  nonce: string;
  /** Single use. */
  once?: boolean;
}

const prefix = 'v1.';
/** Maximum number of remembered single-use states, until they expire. */
const maxUsed = 10_000;
const encoder = new TextEncoder();

/** Signs and checks the `requestState` of suspended calls. */
export class StateSeal {
  readonly #secrets: readonly Uint8Array[];
  /** The name under which instances agree on a secret; undefined if secrets were configured. */
  readonly #agreedAs: string | undefined;
  readonly #agreed = new WeakMap<SecretStore, SharedSecret>();
  readonly #keys = new WeakMap<Uint8Array, Promise<webcrypto.CryptoKey>>();
  readonly #lifetimeMs: number;
  readonly #name: string = crypto.randomUUID();
  /** A random offset that hides the process's uptime. */
  readonly #offset: number = crypto.getRandomValues(new Uint32Array(1))[0] as number;
  #used: Store | undefined;

  /**
   * The first of `secrets` signs, all are accepted. They must be the same on all instances that serve one client.
   * Without any, a secret is generated for this process, or for all workers; instances with a store agree on one
   * through it, by the name of their server.
   */
  constructor({ secrets, lifetimeMs, name }: { secrets: readonly Uint8Array[]; lifetimeMs: number; name: string }) {
    this.#secrets = secrets.length > 0 ? secrets : [thisWorker()?.secret ?? crypto.getRandomValues(new Uint8Array(32))];
    this.#agreedAs = secrets.length > 0 ? undefined : name;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Signs a state that is bound to a request. With `once` it can be used only once. */
  async close(
    state: SuspendedState,
    binding: StateBinding,
    { once = false, store }: { once?: boolean; store?: SecretStore | undefined } = {},
  ): Promise<string> {
    const envelope: Envelope = {
      ...state,
      expires: Date.now() + this.#lifetimeMs,
      by: this.#name,
      ends: this.#now() + this.#lifetimeMs,
      request: await digest(binding),
      nonce: crypto.randomUUID(),
      ...(once && { once }),
    };
    const body = prefix + toBase64Url(encoder.encode(JSON.stringify(envelope)));
    const [first] = (await this.#secretIn(store)?.readSecrets()) ?? this.#secrets;
    const mac = await crypto.subtle.sign('HMAC', await this.#keyOf(first as Uint8Array), encoder.encode(body));
    return `${body}.${toBase64Url(new Uint8Array(mac))}`;
  }

  /** Verifies a state and returns its contents. `store` is shared by instances, if there are several. */
  async open(text: unknown, binding: StateBinding, store?: SecretStore): Promise<SuspendedState> {
    if (typeof text !== 'string') throw invalidParams('"requestState" must be a string');
    const dot = text.lastIndexOf('.');
    const body = text.slice(0, Math.max(dot, 0));
    const mac = fromBase64Url(text.slice(dot + 1));
    const genuine = body.startsWith(prefix) && mac !== undefined && (await this.#isGenuine(body, mac, store));
    if (!genuine) throw invalidParams('"requestState" is not one that this server gave out, or it was changed');
    const envelope = JSON.parse(textOf(fromBase64(body.slice(prefix.length)) as Uint8Array) as string) as Envelope;
    if (this.#hasExpired(envelope)) throw invalidParams('"requestState" has expired: start the request again');
    if (envelope.request !== (await digest(binding))) {
      throw invalidParams('"requestState" belongs to another request');
    }
    if (envelope.once === true) await this.#spend(envelope, store);
    return envelope;
  }

  #now(): number {
    return Math.floor(performance.now()) + this.#offset;
  }

  #hasExpired({ expires, by, ends }: Envelope): boolean {
    return by === this.#name ? ends < this.#now() : expires < Date.now();
  }

  /** Marks a state as used, after all other checks: a rejected state is not used up. */
  async #spend({ nonce }: Envelope, store: SecretStore | undefined): Promise<void> {
    const life = { ttlMs: this.#lifetimeMs, kind: 'used-state', limit: maxUsed };
    const claims = store ?? (await this.#ownStore());
    if (await claims.claim(`used-state/${nonce}`, life)) return;
    throw invalidParams('"requestState" was used before, and this one may be used once: start the request again');
  }

  async #ownStore(): Promise<Store> {
    const { memoryStore } = await import('../../stores/memory.ts');
    this.#used ??= memoryStore();
    return this.#used;
  }

  async #isGenuine(body: string, mac: Uint8Array, store: SecretStore | undefined): Promise<boolean> {
    const bytes = encoder.encode(body);
    const agreed = this.#secretIn(store);
    if (agreed === undefined) return this.#isSigned(bytes, mac, this.#secrets);
    return (
      (await this.#isSigned(bytes, mac, await agreed.readSecrets())) ||
      this.#isSigned(bytes, mac, await agreed.refreshSecrets())
    );
  }

  async #isSigned(body: Uint8Array, mac: Uint8Array, secrets: readonly Uint8Array[]): Promise<boolean> {
    for (const secret of secrets) {
      if (await crypto.subtle.verify('HMAC', await this.#keyOf(secret), mac, body)) return true;
    }
    return false;
  }

  #secretIn(store: SecretStore | undefined): SharedSecret | undefined {
    if (store === undefined || this.#agreedAs === undefined) return undefined;
    const agreed = this.#agreed.get(store) ?? new SharedSecret(store, this.#agreedAs, this.#secrets[0] as Uint8Array);
    this.#agreed.set(store, agreed);
    return agreed;
  }

  #keyOf(secret: Uint8Array): Promise<webcrypto.CryptoKey> {
    const key = this.#keys.get(secret) ?? importKey(secret);
    this.#keys.set(secret, key);
    return key;
  }
}

function importKey(secret: Uint8Array): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

async function digest({ method, params, principal }: StateBinding): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = params;
  return toBase64Url(await sha256ByWebCrypto(stableStringify([method, salient, principal ?? null])));
}

/** Accepts the canonical encoding only: base64url can encode the same bytes in several ways. */
function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = fromBase64(text);
  return bytes !== undefined && toBase64Url(bytes) === text ? bytes : undefined;
}
