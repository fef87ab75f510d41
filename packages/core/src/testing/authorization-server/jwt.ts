import {
  constants,
  createHmac,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
  type SignKeyObjectInput,
} from 'node:crypto';
import { promisify } from 'node:util';

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

/** A fault of a token or a proof, made with what is given for it. */
export interface Fault<Material> {
  readonly says: string;
  spoil(draft: Draft, material: Material): Draft;
}

/** A table of faults. */
export function faultTable<Material, Names extends string>(
  faults: Readonly<Record<Names, Fault<Material>>>,
): Readonly<Record<Names, Fault<Material>>> {
  return faults;
}

/** The names of faults, with descriptions. */
export function describeFaults<Names extends string>(
  faults: Readonly<Record<Names, { readonly says: string }>>,
): Readonly<Record<Names, string>> {
  const rows = Object.entries<{ readonly says: string }>(faults).map(([name, { says }]) => [name, says]);
  return Object.fromEntries(rows) as Record<Names, string>;
}

/** Replaces fields of the header. */
export function header(over: Fields): (draft: Draft) => Draft {
  return (draft) => ({ ...draft, header: overlay(draft.header, over) });
}

/** Drops the signature. */
export function unsigned(draft: Draft): Draft {
  return { ...draft, afterwards: ([head, payload]) => `${head}.${payload}.` };
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

/** The signature algorithms of the test server. */
export type TestAlgorithm = 'ES256' | 'ES384' | 'RS256' | 'PS256' | 'EdDSA';

/** A key pair with an id. */
export interface TestKey {
  readonly id: string;
  readonly algorithm: TestAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A public key in a key set. */
export type PublicJwk = JsonWebKey & { readonly kid: string; readonly alg: string; readonly use: string };

interface Recipe {
  readonly hash: string | null;
  readonly more: Omit<SignKeyObjectInput, 'key'>;
  make(): Promise<{ privateKey: KeyObject; publicKey: KeyObject }>;
}

const generate = promisify(generateKeyPair);

const recipes: Readonly<Record<TestAlgorithm, Recipe>> = {
  ES256: { hash: 'sha256', more: { dsaEncoding: 'ieee-p1363' }, make: () => generate('ec', { namedCurve: 'P-256' }) },
  ES384: { hash: 'sha384', more: { dsaEncoding: 'ieee-p1363' }, make: () => generate('ec', { namedCurve: 'P-384' }) },
  RS256: { hash: 'sha256', more: {}, make: () => generate('rsa', { modulusLength: 2048 }) },
  PS256: {
    hash: 'sha256',
    more: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    make: () => generate('rsa', { modulusLength: 2048 }),
  },
  EdDSA: { hash: null, more: {}, make: () => generate('ed25519', {}) },
};

/** Generates a key pair. */
export async function makeKey(algorithm: TestAlgorithm): Promise<TestKey> {
  return { id: randomUUID(), algorithm, ...(await recipes[algorithm].make()) };
}

/** Signs a content; the signature is base64url. Not by `jose`, which is asynchronous and makes no faulty tokens. */
function signContent(content: string, { algorithm, privateKey }: Pick<TestKey, 'algorithm' | 'privateKey'>): string {
  const { hash, more } = recipes[algorithm];
  return sign(hash, Buffer.from(content), { key: privateKey, ...more }).toString('base64url');
}

/** The public key with its id. */
export function publicJwk({ id, algorithm, publicKey }: TestKey): PublicJwk {
  return { ...publicKey.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' };
}
