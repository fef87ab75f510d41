import type { VerifyKeyObjectInput, webcrypto } from 'node:crypto';
import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { fromBase64 } from '../../../runtime/base64.ts';
import { builtIn, isNode } from '../../../runtime/kind.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import type { SignatureAlgorithm } from './algorithms.ts';

type Jwk = Readonly<Record<string, unknown>>;

/** Signed content and its signature. */
export interface Signed {
  readonly alg: SignatureAlgorithm;
  readonly signed: string;
  readonly signature: Uint8Array;
}

// Synchronous: passing a signature to another thread costs as much as verifying it. Other runtimes use Web Crypto.
const node = isNode ? builtIn('node:crypto') : undefined;
const encoder = new TextEncoder();
const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const minModulusBytes = 256;
/** The required members of each key type, in the order of RFC 7638. */
const memberNames: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['RSA', ['e', 'kty', 'n']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
]);

/** A key prepared for the last used algorithm; a key usually has one. */
interface PreparedKey {
  readonly alg: SignatureAlgorithm;
  readonly digest: string | null;
  readonly input: VerifyKeyObjectInput;
}

/** A public key. */
export class VerifyKey {
  /** Its issuer; empty for a client's key. */
  readonly issuer: string;
  readonly kid: string | undefined;
  /** Its required members as JSON, in the order of RFC 7638. */
  readonly members: string;
  /** True once its issuer has removed it, which invalidates its signatures. */
  retired = false;
  readonly #jwk: Record<string, string>;
  /** Its only algorithm, if the issuer restricts it. */
  readonly alg: string | undefined;
  #prepared: PreparedKey | undefined;
  readonly #imported = new Map<SignatureAlgorithm, webcrypto.CryptoKey>();

  constructor(jwk: Jwk, { members, issuer }: { members: Record<string, string>; issuer: string }) {
    this.issuer = issuer;
    this.kid = stringField(jwk, 'kid');
    this.alg = stringField(jwk, 'alg');
    this.#jwk = members;
    this.members = JSON.stringify(members);
  }

  /** Whether it can verify this algorithm. */
  fits(alg: SignatureAlgorithm): boolean {
    const { kty, crv } = this.#jwk;
    if (this.alg !== undefined && this.alg !== alg && !(isEd25519(this.alg) && isEd25519(alg))) return false;
    if (isEd25519(alg)) return kty === 'OKP' && crv === 'Ed25519';
    return curves[alg] === undefined ? kty === 'RSA' : kty === 'EC' && crv === curves[alg];
  }

  /** Verifies a signature; false on any error. */
  verify(given: Signed): Awaitable<boolean> {
    if (node === undefined) return this.verifyByWebCrypto(given);
    const { alg, signed, signature } = given;
    try {
      if (this.#prepared?.alg !== alg) this.#prepared = this.#prepare(alg, node);
      const { digest, input } = this.#prepared;
      return node.verify(digest, Buffer.from(signed, 'latin1'), input, signature);
    } catch {
      return false;
    }
  }

  #prepare(alg: SignatureAlgorithm, { createPublicKey, constants }: NonNullable<typeof node>): PreparedKey {
    const key = this.#prepared?.input.key ?? createPublicKey({ key: this.#jwk, format: 'jwk' });
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    return {
      alg,
      digest: isEd25519(alg) ? null : `sha${alg.slice(2)}`,
      input: { key, dsaEncoding: 'ieee-p1363', ...(alg.startsWith('PS') && padding) },
    };
  }

  /** The same by what every runtime has. */
  async verifyByWebCrypto({ alg, signed, signature }: Signed): Promise<boolean> {
    try {
      const parameters = webCryptoParameters(alg);
      const key =
        this.#imported.get(alg) ?? (await crypto.subtle.importKey('jwk', this.#jwk, parameters, false, ['verify']));
      this.#imported.set(alg, key);
      return await crypto.subtle.verify(parameters, key, signature, encoder.encode(signed));
    } catch {
      return false;
    }
  }
}

/** Parses a public key. Undefined if it is invalid, not for signatures, or too weak. */
export function readVerifyKey(jwk: Jwk, issuer = ''): VerifyKey | undefined {
  const use = stringField(jwk, 'use') ?? 'sig';
  const operations = stringListField(jwk, 'key_ops') ?? ['verify'];
  const members = membersOf(jwk);
  if (use !== 'sig' || !operations.includes('verify') || members === undefined) return undefined;
  return new VerifyKey(jwk, { members, issuer });
}

/** The algorithm with this name, if it is allowed. */
export function algorithmIn(text: string, among: readonly SignatureAlgorithm[]): SignatureAlgorithm | undefined {
  return among.find((alg) => alg === text);
}

function membersOf(jwk: Jwk): Record<string, string> | undefined {
  const names = memberNames.get(jwk.kty);
  const values = names?.map((name) => stringField(jwk, name) ?? '');
  if (names === undefined || values === undefined || values.includes('')) return undefined;
  if (jwk.kty === 'RSA' && (fromBase64(String(jwk.n))?.length ?? 0) < minModulusBytes) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, values[index] as string]));
}

function isEd25519(alg: string): boolean {
  return alg === 'EdDSA' || alg === 'Ed25519';
}

function webCryptoParameters(alg: SignatureAlgorithm): webcrypto.RsaHashedImportParams & webcrypto.EcKeyImportParams {
  const hash = `SHA-${alg.slice(2)}`;
  const curve = curves[alg];
  if (isEd25519(alg)) return { name: 'Ed25519' } as ReturnType<typeof webCryptoParameters>;
  if (curve !== undefined) return { name: 'ECDSA', namedCurve: curve, hash };
  const name = alg.startsWith('PS') ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
  return { name, hash, saltLength: Number(alg.slice(2)) / 8 } as object as ReturnType<typeof webCryptoParameters>;
}
