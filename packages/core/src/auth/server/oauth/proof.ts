import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import { textIn } from '../../fields.ts';
import { comparableUrl } from '../resource.ts';
import { tokenDigest } from '../token-digest.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { type Jws, readJws } from './jws.ts';
import type { Nonces } from './nonces.ts';
import type { ProofError } from './refusals.ts';
import type { AtHand } from './verdicts.ts';
import { algorithmIn, readVerifyKey, type VerifyKey } from './verify-key.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';

const maxProofs = limits.oauth.proofs.value;
const lifeMs = 2 * limits.oauth.proofAge.value * 1000;

/** Remembers proofs for as long as they would be good. True for one that is new. */
type TakeProof = (digest: string) => Awaitable<boolean>;

/** Proofs that came to this process. Of too many, the oldest are forgotten. */
export function proofsHere(): TakeProof {
  const taken = new Map<string, number>();
  return (digest) => {
    const now = performance.now();
    const until = taken.get(digest);
    if (until !== undefined && until > now) return false;
    taken.delete(digest);
    taken.set(digest, now + lifeMs);
    for (const [oldest, end] of taken) {
      if (taken.size <= maxProofs && end > now) break;
      taken.delete(oldest);
    }
    return true;
  };
}

/** Proofs that came to any instance. */
export function proofsIn(store: ProtectedEndpoint['store']): TakeProof {
  return (digest) => store.claim(`dpop-proof/${digest}`, { ttlMs: lifeMs, kind: 'dpop-proof', limit: maxProofs });
}

const maxAgeMs = limits.oauth.proofAge.value * 1000;
const maxProof = limits.oauth.token.value;
const maxId = limits.oauth.proofId.value;
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** What a proof must be about. */
export interface Proven {
  readonly method: string;
  /** The address of the request, as clients write it. */
  readonly url: string;
  /** The digest of the token. */
  readonly token: string;
  /** What is known of the token: the key it is bound to. */
  readonly atHand: AtHand;
}

/** How proofs are checked here. */
export interface ProofTerms {
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Undefined: proofs need none of ours. */
  readonly nonces: Nonces | undefined;
  /** Undefined: nobody remembers proofs. */
  readonly take: TakeProof | undefined;
}

/** Checks that who sends a token holds the key it is bound to, and means this request. Undefined: so it is. */
export function proofProblem(
  text: string | undefined,
  proven: Proven,
  terms: ProofTerms,
): Awaitable<ProofError | undefined> {
  const jws = text === undefined || text.length > maxProof ? undefined : readJws(text);
  const alg = jws === undefined ? undefined : algorithmIn(jws.alg, terms.algorithms);
  const key = jws === undefined ? undefined : keyOf(jws, proven.atHand);
  if (jws === undefined || alg === undefined || key === undefined || !key.fits(alg)) return 'invalid_dpop_proof';
  if (!isAbout(jws.payload, proven)) return 'invalid_dpop_proof';
  return whenThere(isBound(key, proven.atHand), (bound) => {
    if (!bound) return 'invalid_dpop_proof';
    return whenThere(key.verify({ alg, signed: jws.signed, signature: jws.signature }), (right) => {
      if (!right) return 'invalid_dpop_proof';
      proven.atHand.proofKey = key;
      return isNew(jws.payload, proven, terms);
    });
  });
}

function keyOf({ header }: Jws, { proofKey }: AtHand): VerifyKey | undefined {
  const { jwk } = header;
  if (textIn(header, 'typ')?.toLowerCase() !== 'dpop+jwt' || !isObject(jwk)) return undefined;
  if (secretMembers.some((name) => name in jwk)) return undefined;
  const key = readVerifyKey(jwk);
  // One that was read before need not be read again.
  return key?.members === proofKey?.members && key?.alg === proofKey?.alg ? proofKey : key;
}

function isAbout(claims: Jws['payload'], { method, url, token }: Proven): boolean {
  const { htm, htu, iat, jti, ath } = claims;
  return (
    htm === method &&
    typeof htu === 'string' &&
    !/[?#]/.test(htu) &&
    comparableUrl(htu) === comparableUrl(url) &&
    typeof iat === 'number' &&
    Math.abs(Date.now() - iat * 1000) <= maxAgeMs &&
    typeof jti === 'string' &&
    jti !== '' &&
    jti.length <= maxId &&
    ath === token
  );
}

function isBound(key: VerifyKey, { proofKey, boundTo }: AtHand): Awaitable<boolean> {
  if (key === proofKey) return true;
  return whenThere(tokenDigest(key.members), (thumbprint) => thumbprint === boundTo);
}

/** Last of all: a proof that is refused for another reason is not used up. */
function isNew(
  { jti, nonce }: Jws['payload'],
  { atHand }: Proven,
  { nonces, take }: ProofTerms,
): Awaitable<ProofError | undefined> {
  return whenThere(nonces?.current(), (good) => {
    if (good !== undefined && nonce !== good.current && nonce !== good.before) return 'use_dpop_nonce';
    if (take === undefined) return undefined;
    return whenThere(tokenDigest(`${atHand.boundTo}/${String(jti)}`), (digest) =>
      whenThere(take(digest), (isFirst) => (isFirst ? undefined : 'invalid_dpop_proof')),
    );
  });
}
