import type { KeyObject, webcrypto } from 'node:crypto';
import { type Awaitable, mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { toBase64Url } from '../../../runtime/base64.ts';
import { builtIn, isNode } from '../../../runtime/kind.ts';
import { thisWorker } from '../../../runtime/worker-process.ts';
import { stringField } from '../../json-fields.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';
import { tokenDigest } from '../key-digests.ts';
import { normalizeUrl } from '../resource-url.ts';
import type { SignatureAlgorithm } from './options.ts';
import { algorithmOf, decode, isEd25519, type PublicKey, readPublicKey } from './public-key.ts';
import type { ProofError } from './rejections.ts';
import type { CachedCaller } from './verdict-cache.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The maximum age of a proof, and the tolerated clock skew, in seconds. */
const proofAge = 300;

const maxAgeMs = proofAge * 1000;
/** The maximum length of a proof, in characters. */
const maxProof = 16 * 1024;
/** The maximum length of a proof's id, in characters. */
const maxId = 256;
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The request that a proof must match. */
export interface ProofContext {
  readonly method: string;
  /** The URL of the request, as clients see it. */
  readonly url: string;
  /** The digest of the token. */
  readonly token: string;
  /** The cached caller of the token, with the key it is bound to. */
  readonly cached: CachedCaller;
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
  request: ProofContext,
  terms: ProofTerms,
): Awaitable<ProofError | undefined> {
  const jwt = text === undefined || text.length > maxProof ? undefined : decode(text);
  const alg = jwt === undefined ? undefined : algorithmOf(jwt.header, terms.algorithms);
  const key = jwt === undefined ? undefined : keyOf(jwt.header, request.cached);
  if (text === undefined || jwt === undefined || alg === undefined || key === undefined || !key.fits(alg)) {
    return 'invalid_dpop_proof';
  }
  const { claims } = jwt;
  if (!matchesRequest(claims, request)) return 'invalid_dpop_proof';
  return mapAwaitable(isBoundToken(key, request.cached), (bound) => {
    if (!bound) return 'invalid_dpop_proof';
    return mapAwaitable(verifyProof(text, key, alg), (isValid) => {
      if (!isValid) return 'invalid_dpop_proof';
      request.cached.proofKey = key;
      return checkReplay(claims, request, terms);
    });
  });
}

function keyOf(header: Fields, { proofKey }: CachedCaller): PublicKey | undefined {
  const { jwk } = header;
  if (stringField(header, 'typ')?.toLowerCase() !== 'dpop+jwt' || !isObject(jwk)) return undefined;
  if (secretMembers.some((name) => name in jwk)) return undefined;
  const key = readPublicKey(jwk);
  // Reuse the imported key.
  return key?.members === proofKey?.members && key?.alg === proofKey?.alg ? proofKey : key;
}

const node = builtIn('node:crypto');
const nodeKeys = new WeakMap<PublicKey, KeyObject>();

/**
 * Verifies the signature of a proof. Every request has a proof, so Node does it synchronously, at half the CPU time of
 * Web Crypto, which `jose` uses.
 */
export function verifyProof(proof: string, publicKey: PublicKey, alg: SignatureAlgorithm): Awaitable<boolean> {
  if (node === undefined || !isNode) return publicKey.verify(proof, alg);
  try {
    const key = nodeKeys.get(publicKey) ?? node.createPublicKey({ key: publicKey.jwk, format: 'jwk' });
    nodeKeys.set(publicKey, key);
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = node.constants;
    const options = alg.startsWith('PS') ? { key, padding, saltLength } : { key, dsaEncoding: 'ieee-p1363' as const };
    const dot = proof.lastIndexOf('.');
    const content = Buffer.from(proof.slice(0, dot), 'latin1');
    const digest = isEd25519(alg) ? null : `sha${alg.slice(2)}`;
    return node.verify(digest, content, options, Buffer.from(proof.slice(dot + 1), 'base64url'));
  } catch {
    return false;
  }
}

function matchesRequest(claims: Fields, { method, url, token }: ProofContext): boolean {
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

function isBoundToken(key: PublicKey, { proofKey, boundTo }: CachedCaller): Awaitable<boolean> {
  if (key === proofKey) return true;
  return mapAwaitable(tokenDigest(key.members), (thumbprint) => thumbprint === boundTo);
}

/** Checked last, so that a proof rejected for another reason is not consumed. */
function checkReplay(
  { jti, nonce }: Fields,
  { cached }: ProofContext,
  { nonces, claim }: ProofTerms,
): Awaitable<ProofError | undefined> {
  return mapAwaitable(nonces?.current(), (valid) => {
    if (valid !== undefined && nonce !== valid.current && nonce !== valid.before) return 'use_dpop_nonce';
    if (claim === undefined) return undefined;
    return mapAwaitable(tokenDigest(`${cached.boundTo}/${String(jti)}`), (digest) =>
      mapAwaitable(claim(digest), (isFirst) => (isFirst ? undefined : 'invalid_dpop_proof')),
    );
  });
}

/** The maximum proofs in a replay cache. */
const maxProofs = 50_000;
const ttlMs = 2 * proofAge * 1000;

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

/** The lifetime of a DPoP nonce. */
const slotMs = 5 * 60_000;
const encoder = new TextEncoder();

/** Stateless nonces: an HMAC of the time slot with a shared secret. The current and the previous one are valid. */
export class Nonces {
  readonly #secret: Uint8Array;
  #key: webcrypto.CryptoKey | undefined;
  #now: { slot: number; current: string; before: string } | undefined;

  /** Default secret: a random one for this process, or for all of its workers. */
  constructor(secret: string | undefined) {
    const own = (): Uint8Array => thisWorker()?.secret ?? crypto.getRandomValues(new Uint8Array(32));
    this.#secret = secret === undefined ? own() : encoder.encode(secret);
  }

  /** The last computed nonce; set once a proof was checked. */
  get latest(): string | undefined {
    return this.#now?.current;
  }

  /** The valid nonces. */
  current(): Awaitable<{ readonly current: string; readonly before: string }> {
    const slot = Math.floor(Date.now() / slotMs);
    if (this.#now?.slot === slot) return this.#now;
    if (node === undefined) return this.#makeByWebCrypto(slot);
    const make = (of: number): string =>
      node.createHmac('sha256', this.#secret).update(label(of)).digest('base64url').slice(0, 32);
    this.#now = { slot, current: make(slot), before: make(slot - 1) };
    return this.#now;
  }

  async #makeByWebCrypto(slot: number): Promise<{ current: string; before: string }> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key ??= await crypto.subtle.importKey('raw', this.#secret, algorithm, false, ['sign']);
    const key = this.#key;
    const make = async (of: number): Promise<string> =>
      toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(label(of))))).slice(0, 32);
    const [current, before] = await Promise.all([make(slot), make(slot - 1)]);
    this.#now = { slot, current, before };
    return this.#now;
  }
}

function label(slot: number): string {
  return `dpop-nonce/${slot}`;
}
