import type { webcrypto } from 'node:crypto';
import { fromBase64 } from '../runtime/base64.ts';
import { base64Url } from './encoding.ts';

/** The signature algorithms of every runtime. */
export type SigningAlgorithm = 'ES256' | 'RS256';

const parameters = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const;

/** Reads a private key in PEM (PKCS #8). */
export async function readPrivateKey(pem: string, algorithm: SigningAlgorithm): Promise<webcrypto.CryptoKey> {
  const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('The private key must be PEM of the kind "PRIVATE KEY" (PKCS #8)');
  const bytes = fromBase64(body.replace(/\s/g, '')) ?? new Uint8Array();
  try {
    return await crypto.subtle.importKey('pkcs8', bytes, parameters[algorithm], false, ['sign']);
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
  const content = `${base64Url(JSON.stringify(header))}.${base64Url(JSON.stringify(claims))}`;
  const signature = await crypto.subtle.sign(parameters[header.alg], key, new TextEncoder().encode(content));
  return `${content}.${base64Url(new Uint8Array(signature))}`;
}

/** The current time in seconds, as in claims. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
