import { createHmac } from 'node:crypto';
import { signContent, type TestKey } from './keys.ts';

type Fields = Record<string, unknown>;

/** A JWT before it is signed, to which a fault can be applied. */
export interface Draft {
  readonly header: Fields;
  readonly claims: Fields;
  readonly key: TestKey;
  /** A shared secret to sign with, instead of the key. */
  readonly secret?: string;
  /** Replaces the claims. */
  readonly payload?: string;
  /** Modifies the signed token. */
  readonly afterwards?: (parts: readonly [header: string, payload: string, signature: string]) => string;
}

/** Signs and encodes a JWT. */
export function encodeJwt({ header, claims, key, secret, payload, afterwards }: Draft): string {
  const parts = [base64Url(JSON.stringify(header)), base64Url(payload ?? JSON.stringify(claims))] as const;
  const content = parts.join('.');
  const signature =
    secret === undefined ? signContent(content, key) : createHmac('sha256', secret).update(content).digest('base64url');
  return afterwards?.([...parts, signature]) ?? `${content}.${signature}`;
}

/** Decodes a JWT; undefined if it is malformed. */
export function decodeJwt(
  token: string,
): { header: Fields; claims: Fields; content: string; signature: string } | undefined {
  const [header, payload, signature, more] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more !== undefined) return undefined;
  try {
    return { header: decodePart(header), claims: decodePart(payload), content: `${header}.${payload}`, signature };
  } catch {
    return undefined;
  }
}

/** Encodes a text as base64url. */
export function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Merges fields over others; undefined removes one. */
export function overlay(fields: Fields, over: Fields | undefined): Fields {
  return Object.fromEntries(Object.entries({ ...fields, ...over }).filter(([, value]) => value !== undefined));
}

/** The current time in seconds, as in claims. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function decodePart(part: string): Fields {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object');
  return value as Fields;
}
