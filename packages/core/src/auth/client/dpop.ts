import type { webcrypto } from 'node:crypto';
import { nowInSeconds, randomToken, sha256Digest, signJwt } from '../jwt.ts';

/** Creates DPoP proofs with the key that tokens are bound to. */
export interface DpopKey {
  /** A proof for one request; `token` if it carries one. */
  prove(request: { url: string; method: string; token?: string }): Promise<string>;
  /** Stores a server's nonce for later proofs; returns false if it is not new. */
  note(url: string, nonce: string): boolean;
  /** The thumbprint of the key. */
  thumbprint(): Promise<string>;
}

interface KeyPair {
  privateKey: webcrypto.CryptoKey;
  jwk: { kty: string; crv: string; x: string; y: string };
}

/** Creates a key that never leaves this process. Generated with the first proof. */
export function createDpopKey(): DpopKey {
  const nonces = new Map<string, string>();
  let made: Promise<KeyPair> | undefined;
  const pair = (): Promise<KeyPair> => (made ??= generate());

  return {
    async prove({ url, method, token }) {
      const { privateKey, jwk } = await pair();
      const { origin, pathname } = new URL(url);
      const nonce = nonces.get(origin);
      return signJwt(privateKey, {
        header: { alg: 'ES256', typ: 'dpop+jwt', jwk },
        claims: {
          jti: randomToken(),
          htm: method,
          htu: `${origin}${pathname}`,
          iat: nowInSeconds(),
          ...(token === undefined ? {} : { ath: await sha256Digest(token) }),
          ...(nonce === undefined ? {} : { nonce }),
        },
      });
    },

    note(url, nonce) {
      const { origin } = new URL(url);
      const isNew = nonces.get(origin) !== nonce;
      nonces.set(origin, nonce);
      return isNew;
    },

    async thumbprint() {
      const { crv, kty, x, y } = (await pair()).jwk;
      return sha256Digest(JSON.stringify({ crv, kty, x, y }));
    },
  };
}

async function generate(): Promise<KeyPair> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { privateKey, jwk: { kty, crv, x, y } };
}
