import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { fromBase64 } from '../../../runtime/base64.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import type { SignatureAlgorithm } from './options.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The signature may be empty: an unsigned JWT must not count as an opaque token. */
const form = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const minModulusBytes = 256;
/** The required members of each key type, in the order of RFC 7638. */
const memberNames: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['RSA', ['e', 'kty', 'n']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
]);

/** True for a token in JWT form; others are opaque. */
export function isJwt(token: string): boolean {
  return form.test(token) && tryDecode(() => decodeProtectedHeader(token)) !== undefined;
}

/** Decodes a JWT without verifying it. Undefined if it is malformed or has critical extensions, of which none is supported. */
export function decode(token: string): { readonly header: Fields; readonly claims: Fields } | undefined {
  if (!form.test(token)) return undefined;
  const header: Fields | undefined = tryDecode(() => decodeProtectedHeader(token));
  const claims: Fields | undefined = tryDecode(() => decodeJwt(token));
  return header === undefined || claims === undefined || 'crit' in header ? undefined : { header, claims };
}

function tryDecode<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** A public key of an issuer or a client. */
export class PublicKey {
  /** Its issuer; empty for a client's key. */
  readonly issuer: string;
  readonly kid: string | undefined;
  /** Its only algorithm, if the issuer restricts it. */
  readonly alg: string | undefined;
  /** Its required members. */
  readonly jwk: Readonly<Record<string, string>> & { readonly kty: string };
  /** The required members as JSON, in the order of RFC 7638. */
  readonly members: string;
  /** True once its issuer has removed it, which invalidates its signatures. */
  retired = false;

  constructor(jwk: Fields, { members, issuer }: { members: Record<string, string>; issuer: string }) {
    this.issuer = issuer;
    this.kid = stringField(jwk, 'kid');
    this.alg = stringField(jwk, 'alg');
    this.jwk = { kty: '', ...members };
    this.members = JSON.stringify(members);
  }

  /** Whether it can verify this algorithm. */
  fits(alg: SignatureAlgorithm): boolean {
    const { kty, crv } = this.jwk;
    if (this.alg !== undefined && this.alg !== alg && !(isEd25519(this.alg) && isEd25519(alg))) return false;
    if (isEd25519(alg)) return kty === 'OKP' && crv === 'Ed25519';
    return curves[alg] === undefined ? kty === 'RSA' : kty === 'EC' && crv === curves[alg];
  }

  /** Verifies the signature of a JWT; false on any error. */
  async verify(token: string, alg: SignatureAlgorithm): Promise<boolean> {
    try {
      await compactVerify(token, this.jwk, { algorithms: [alg] });
      return true;
    } catch {
      return false;
    }
  }
}

/** Parses a public key. Undefined if it is invalid, not for signatures, or too weak. */
export function readPublicKey(jwk: Fields, issuer = ''): PublicKey | undefined {
  const use = stringField(jwk, 'use') ?? 'sig';
  const operations = stringListField(jwk, 'key_ops') ?? ['verify'];
  const members = membersOf(jwk);
  if (use !== 'sig' || !operations.includes('verify') || members === undefined) return undefined;
  return new PublicKey(jwk, { members, issuer });
}

/** The algorithm of a header, if it is allowed. */
export function algorithmOf({ alg }: Fields, among: readonly SignatureAlgorithm[]): SignatureAlgorithm | undefined {
  return among.find((allowed) => allowed === alg);
}

/** Whether an algorithm is EdDSA on the curve Ed25519, by either of its names. */
export function isEd25519(alg: string): boolean {
  return alg === 'EdDSA' || alg === 'Ed25519';
}

function membersOf(jwk: Fields): Record<string, string> | undefined {
  const names = memberNames.get(jwk.kty);
  const values = names?.map((name) => stringField(jwk, name) ?? '');
  if (names === undefined || values === undefined || values.includes('')) return undefined;
  if (jwk.kty === 'RSA' && (fromBase64(String(jwk.n))?.length ?? 0) < minModulusBytes) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, values[index] as string]));
}
