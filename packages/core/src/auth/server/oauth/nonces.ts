import type { webcrypto } from 'node:crypto';
import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import { toBase64Url } from '../../../runtime/base64.ts';
import { builtIn } from '../../../runtime/kind.ts';
import { thisWorker } from '../../../runtime/worker-process.ts';

const slotMs = limits.oauth.nonceMs.value;
const node = builtIn('node:crypto');
const encoder = new TextEncoder();

/** Stateless nonces: an HMAC of the time slot with a shared secret. The current and the previous one are valid. */
export class Nonces {
  readonly #secret: Uint8Array;
  #key: webcrypto.CryptoKey | undefined;
  #now: { slot: number; current: string; before: string } | undefined;

  /** Default secret: a random one for this process, or for all of its workers. */
  constructor(secret: string | undefined) {
    const own = (): Uint8Array => thisWorker()?.secret ?? crypto.getRandomValues(new Uint8Array(32));
    this.#secret = secret === undefined ? own() : encoder.encode(secret);
  }

  /** The last computed nonce; set once a proof was checked. */
  get latest(): string | undefined {
    return this.#now?.current;
  }

  /** The valid nonces. */
  current(): Awaitable<{ readonly current: string; readonly before: string }> {
    const slot = Math.floor(Date.now() / slotMs);
    if (this.#now?.slot === slot) return this.#now;
    if (node === undefined) return this.#makeByWebCrypto(slot);
    const make = (of: number): string =>
      node.createHmac('sha256', this.#secret).update(label(of)).digest('base64url').slice(0, 32);
    this.#now = { slot, current: make(slot), before: make(slot - 1) };
    return this.#now;
  }

  async #makeByWebCrypto(slot: number): Promise<{ current: string; before: string }> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key ??= await crypto.subtle.importKey('raw', this.#secret, algorithm, false, ['sign']);
    const key = this.#key;
    const make = async (of: number): Promise<string> =>
      toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(label(of))))).slice(0, 32);
    const [current, before] = await Promise.all([make(slot), make(slot - 1)]);
    this.#now = { slot, current, before };
    return this.#now;
  }
}

function label(slot: number): string {
  return `dpop-nonce/${slot}`;
}
