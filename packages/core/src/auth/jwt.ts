import type { webcrypto } from 'node:crypto';
import { toBase64Url } from '../runtime/base64.ts';
import { sha256ByWebCrypto } from '../runtime/sha256.ts';

/** The signature algorithms of every runtime. */
export type SigningAlgorithm = 'ES256' | 'RS256';

/** Reads a private key in PEM (PKCS #8). */
export async function readPrivateKey(pem: string, algorithm: SigningAlgorithm): Promise<webcrypto.CryptoKey> {
  if (!/-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.test(pem)) {
    throw new TypeError('The private key must be PEM of the kind "PRIVATE KEY" (PKCS #8)');
  }
  const { importPKCS8 } = await import('jose');
  try {
    return await importPKCS8(pem.trim(), algorithm);
  } catch {
    // The platform's message may contain parts of the key.
    throw new TypeError(`The private key is not one for ${algorithm}`);
  }
}

/** Signs a JWT. */
export async function signJwt(
  key: webcrypto.CryptoKey,
  { header, claims }: { header: { alg: SigningAlgorithm; [name: string]: unknown }; claims: Record<string, unknown> },
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** The current time in seconds, as in claims. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The SHA-256 digest of a text as base64url. */
export async function sha256Digest(text: string): Promise<string> {
  return toBase64Url(await sha256ByWebCrypto(text));
}

/** A random token of 256 bits. */
export function randomToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}
