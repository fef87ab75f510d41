import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import { stringField } from '../../json-fields.ts';
import { normalizeUrl } from '../resource-url.ts';
import { tokenDigest } from '../token-digest.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { type Jws, readJws } from './jws.ts';
import type { Nonces } from './nonces.ts';
import type { ProofError } from './refusals.ts';
import type { CachedCaller } from './verdict-cache.ts';
import { algorithmIn, readVerifyKey, type VerifyKey } from './verify-key.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';

const maxAgeMs = limits.oauth.proofAge.value * 1000;
const maxProof = limits.oauth.token.value;
const maxId = limits.oauth.proofId.value;
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The request that a proof must match. */
export interface ProofContext {
  readonly method: string;
  /** The URL of the request, as clients see it. */
  readonly url: string;
  /** The digest of the token. */
  readonly token: string;
  /** The cached caller of the token, with the key it is bound to. */
  readonly atHand: CachedCaller;
}

/** How to check proofs. */
export interface ProofTerms {
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Undefined: no nonce required. */
  readonly nonces: Nonces | undefined;
  /** Undefined: no replay detection. */
  readonly claim: ReplayCache | undefined;
}

/** Checks a DPoP proof: the sender has the key of the token, and signed this request. Undefined if it is valid. */
export function checkProof(
  text: string | undefined,
  proven: ProofContext,
  terms: ProofTerms,
): Awaitable<ProofError | undefined> {
  const jws = text === undefined || text.length > maxProof ? undefined : readJws(text);
  const alg = jws === undefined ? undefined : algorithmIn(jws.alg, terms.algorithms);
  const key = jws === undefined ? undefined : keyOf(jws, proven.atHand);
  if (jws === undefined || alg === undefined || key === undefined || !key.fits(alg)) return 'invalid_dpop_proof';
  if (!matchesRequest(jws.payload, proven)) return 'invalid_dpop_proof';
  return whenThere(isBoundToken(key, proven.atHand), (bound) => {
    if (!bound) return 'invalid_dpop_proof';
    return whenThere(key.verify({ alg, signed: jws.signed, signature: jws.signature }), (right) => {
      if (!right) return 'invalid_dpop_proof';
      proven.atHand.proofKey = key;
      return checkReplay(jws.payload, proven, terms);
    });
  });
}

function keyOf({ header }: Jws, { proofKey }: CachedCaller): VerifyKey | undefined {
  const { jwk } = header;
  if (stringField(header, 'typ')?.toLowerCase() !== 'dpop+jwt' || !isObject(jwk)) return undefined;
  if (secretMembers.some((name) => name in jwk)) return undefined;
  const key = readVerifyKey(jwk);
  // Reuse the imported key.
  return key?.members === proofKey?.members && key?.alg === proofKey?.alg ? proofKey : key;
}

function matchesRequest(claims: Jws['payload'], { method, url, token }: ProofContext): boolean {
  const { htm, htu, iat, jti, ath } = claims;
  return (
    htm === method &&
    typeof htu === 'string' &&
    !/[?#]/.test(htu) &&
    normalizeUrl(htu) === normalizeUrl(url) &&
    typeof iat === 'number' &&
    Math.abs(Date.now() - iat * 1000) <= maxAgeMs &&
    typeof jti === 'string' &&
    jti !== '' &&
    jti.length <= maxId &&
    ath === token
  );
}

function isBoundToken(key: VerifyKey, { proofKey, boundTo }: CachedCaller): Awaitable<boolean> {
  if (key === proofKey) return true;
  return whenThere(tokenDigest(key.members), (thumbprint) => thumbprint === boundTo);
}

/** Checked last, so that a proof rejected for another reason is not consumed. */
function checkReplay(
  { jti, nonce }: Jws['payload'],
  { atHand }: ProofContext,
  { nonces, claim }: ProofTerms,
): Awaitable<ProofError | undefined> {
  return whenThere(nonces?.current(), (good) => {
    if (good !== undefined && nonce !== good.current && nonce !== good.before) return 'use_dpop_nonce';
    if (claim === undefined) return undefined;
    return whenThere(tokenDigest(`${atHand.boundTo}/${String(jti)}`), (digest) =>
      whenThere(claim(digest), (isFirst) => (isFirst ? undefined : 'invalid_dpop_proof')),
    );
  });
}

const maxProofs = limits.oauth.proofs.value;
const ttlMs = 2 * limits.oauth.proofAge.value * 1000;

/** Remembers proofs while they are valid. Returns true for a new one. */
type ReplayCache = (digest: string) => Awaitable<boolean>;

/** Replay detection in this process. Evicts the oldest proofs beyond the limit. */
export function memoryReplayCache(): ReplayCache {
  const seen = new Map<string, number>();
  return (digest) => {
    const now = performance.now();
    const until = seen.get(digest);
    if (until !== undefined && until > now) return false;
    seen.delete(digest);
    seen.set(digest, now + ttlMs);
    for (const [oldest, end] of seen) {
      if (seen.size <= maxProofs && end > now) break;
      seen.delete(oldest);
    }
    return true;
  };
}

/** Replay detection across instances. */
export function storeReplayCache(store: ProtectedEndpoint['store']): ReplayCache {
  return (digest) => store.claim(`dpop-proof/${digest}`, { ttlMs, kind: 'dpop-proof', limit: maxProofs });
}
