import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { decodeJwt } from './jwt.ts';
import { isAlgorithm, verifySignature } from './keys.ts';

/** The request that a proof must match. */
export interface ProofRequest {
  method: string;
  url: string;
  /** The required nonce, if any. */
  nonce: string | undefined;
}

/** Checks a DPoP proof; returns the thumbprint of its key or an error. */
export function checkProof(proof: string, { method, url, nonce }: ProofRequest): { jkt: string } | { error: string } {
  const parts = decodeJwt(proof);
  const { alg, typ, jwk } = parts?.header ?? {};
  if (parts === undefined || typ !== 'dpop+jwt' || !isAlgorithm(alg) || typeof jwk !== 'object' || jwk === null) {
    return { error: 'invalid_dpop_proof' };
  }
  const key = jwk as JsonWebKey;
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' });
    if (!verifySignature(parts.content, parts.signature, { algorithm: alg, publicKey }))
      throw new Error('not signed by it');
  } catch {
    return { error: 'invalid_dpop_proof' };
  }
  const { htm, htu, iat, jti } = parts.claims;
  const isTimely = typeof iat === 'number' && Math.abs(Date.now() / 1000 - iat) < 300;
  if (htm !== method || htu !== url || !isTimely || typeof jti !== 'string') return { error: 'invalid_dpop_proof' };
  if (nonce !== undefined && parts.claims.nonce !== nonce) return { error: 'use_dpop_nonce' };
  return { jkt: thumbprint(key) };
}

/** The JWK thumbprint (RFC 7638). */
export function thumbprint({ kty, crv, x, y, n, e }: JsonWebKey): string {
  const members = kty === 'RSA' ? { e, kty, n } : kty === 'OKP' ? { crv, kty, x } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
