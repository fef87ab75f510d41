import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { builtIn } from '../../runtime/kind.ts';

const encoder = new TextEncoder();
const node = builtIn('node:crypto');

/** The SHA-256 digest of a key: at once in Node, later where only Web Crypto is there. */
export function sha256(key: string): Awaitable<Uint8Array> {
  return node === undefined ? sha256ByWebCrypto(key) : node.createHash('sha256').update(key).digest();
}

/** The same by what every runtime has. */
export async function sha256ByWebCrypto(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(key)));
}

/** Makes digests of keys under a salt that nobody knows: comparing two of them tells nothing of the keys. */
export class SaltedDigests {
  /** Made when first wanted: some runtimes have no random numbers before the first request. */
  #salt: Uint8Array | undefined;

  of(key: string): Awaitable<Uint8Array> {
    if (node === undefined) return this.byWebCrypto(key);
    return node.createHmac('sha256', this.#getSalt()).update(key).digest();
  }

  /** The same by what every runtime has. */
  async byWebCrypto(key: string): Promise<Uint8Array> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const secret = await crypto.subtle.importKey('raw', this.#getSalt(), algorithm, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', secret, encoder.encode(key)));
  }

  #getSalt(): Uint8Array {
    this.#salt ??= crypto.getRandomValues(new Uint8Array(32));
    return this.#salt;
  }
}

/** Whether two digests are the same, in a time that does not depend on where they differ. */
export function equalDigests(one: Uint8Array, other: Uint8Array): boolean {
  if (node === undefined || one.length !== other.length) return portableEqual(one, other);
  return node.timingSafeEqual(one, other);
}

/** The same by what every runtime has. */
export function portableEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
