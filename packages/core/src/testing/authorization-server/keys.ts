import {
  constants,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
  type SignKeyObjectInput,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';

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

/** Whether an algorithm is supported. */
export function isAlgorithm(name: unknown): name is TestAlgorithm {
  return typeof name === 'string' && Object.hasOwn(recipes, name);
}

/** Signs a content; the signature is base64url. */
export function signContent(
  content: string,
  { algorithm, privateKey }: Pick<TestKey, 'algorithm' | 'privateKey'>,
): string {
  const { hash, more } = recipes[algorithm];
  return sign(hash, Buffer.from(content), { key: privateKey, ...more }).toString('base64url');
}

/** Verifies a signature. */
export function verifySignature(
  content: string,
  signature: string,
  { algorithm, publicKey }: Pick<TestKey, 'algorithm' | 'publicKey'>,
): boolean {
  const { hash, more } = recipes[algorithm];
  return verify(hash, Buffer.from(content), { key: publicKey, ...more }, Buffer.from(signature, 'base64url'));
}

/** The public key with its id. */
export function publicJwk({ id, algorithm, publicKey }: TestKey): PublicJwk {
  return { ...publicKey.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' };
}
