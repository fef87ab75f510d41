import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { toBase64Url } from '../../runtime/base64.ts';
import { builtIn } from '../../runtime/kind.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';

const encoder = new TextEncoder();
const node = builtIn('node:crypto');

/** The SHA-256 digest of a key: synchronous in Node, asynchronous with Web Crypto. */
export function sha256(key: string): Awaitable<Uint8Array> {
  return node === undefined ? sha256ByWebCrypto(key) : node.createHash('sha256').update(key).digest();
}

/** Hashes keys with a random secret, so that comparing digests reveals nothing about the keys. */
export class SaltedDigests {
  /** Lazy, because some runtimes have no random numbers before the first request. */
  #salt: Uint8Array | undefined;

  of(key: string): Awaitable<Uint8Array> {
    if (node === undefined) return this.byWebCrypto(key);
    return node.createHmac('sha256', this.#getSalt()).update(key).digest();
  }

  /** Hashes a key by Web Crypto, which every runtime has. */
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

/** Compares two digests in constant time. */
export function equalDigests(one: Uint8Array, other: Uint8Array): boolean {
  if (node === undefined || one.length !== other.length) return portableEqual(one, other);
  return node.timingSafeEqual(one, other);
}

/** Compares two digests in constant time, in any runtime. */
export function portableEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

/** The SHA-256 digest of a token as base64url: synchronous in Node, asynchronous with Web Crypto. */
export function tokenDigest(token: string): Awaitable<string> {
  if (node === undefined) return sha256ByWebCrypto(token).then(toBase64Url);
  // One-shot hashing takes half the time; available since Node 20.12.
  return node.hash === undefined
    ? node.createHash('sha256').update(token).digest('base64url')
    : node.hash('sha256', token, 'base64url');
}
