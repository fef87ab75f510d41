import { toBase64Url } from '../runtime/base64.ts';

const encoder = new TextEncoder();

/** Encodes bytes or a text as base64url. */
export function base64Url(value: Uint8Array | string): string {
  return toBase64Url(typeof value === 'string' ? encoder.encode(value) : value);
}

/** The SHA-256 digest of a text as base64url. */
export async function sha256Digest(text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))));
}

/** A random token of 256 bits. */
export function randomToken(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}
