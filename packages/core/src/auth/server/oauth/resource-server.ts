import { type Awaitable, mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { isWorkerd } from '../../../runtime/kind.ts';
import type { Auth } from '../../../server/peer.ts';
import type { AuthRejection, CredentialsRequest } from '../authenticator.ts';
import { tokenDigest } from '../key-digests.ts';
import { GuessLimiter } from '../guess-limiter.ts';
import { Issuers } from './issuer-keys.ts';
import { checkProof, memoryReplayCache, Nonces, storeReplayCache } from './dpop-proof.ts';
import type { OAuthCaller, OAuthEndpoint, OAuthSettings } from './options.ts';
import type { Rejections, Scheme } from './rejections.ts';
import { TokenCheck } from './token-check.ts';
import { type CachedCaller, isCurrent, type Verdict, VerdictCache } from './verdict-cache.ts';

/** The maximum length of a token, in characters. */
const maxToken = 16 * 1024;

/** A token and its scheme. */
interface Credentials {
  readonly scheme: Scheme;
  readonly token: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);
const form = /^([!#$%&'*+.^_`|~\w-]+) +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Parses the header `Authorization`: undefined if it is absent or has another scheme. Two headers are joined by a comma
 * and malformed.
 */
function readCredentials(header: string | undefined): Credentials | 'malformed' | undefined {
  if (header === undefined) return undefined;
  const [, name = '', token = ''] = form.exec(header) ?? [];
  if (token === '' || token.length > maxToken) return 'malformed';
  const scheme = schemes.get(name.toLowerCase());
  return scheme === undefined ? undefined : { scheme, token };
}

/** The usual form, for the fast path. */
const bearerPrefix = 'Bearer ';
/** The maximum length of a header that is cached per connection, in characters. */
const maxCachedHeader = 4 * 1024;
const failedAttempt = { principal: undefined, empty: false };
const peek = { principal: undefined, empty: true };

/** A header with its checked token. */
interface CachedHeader {
  readonly header: string;
  readonly credentials: Credentials;
  readonly verdict: Verdict;
  readonly digest: string;
}

/** Authenticates callers by their tokens. A known token costs a digest and a map lookup. */
export class ResourceServer {
  readonly #settings: OAuthSettings;
  readonly #endpoint: OAuthEndpoint;
  readonly #rejections: Rejections;
  readonly #issuers: Issuers;
  readonly #check: TokenCheck;
  readonly #verdicts = new VerdictCache();
  readonly #guessLimiter: GuessLimiter;
  readonly #nonces: Nonces | undefined;
  readonly #proofTerms;
  /** The last header per connection: most connections reuse their token, which then needs no digest. */
  readonly #lastHeader = new WeakMap<object, CachedHeader>();
  /** Checks in flight; concurrent requests with the same token share one. */
  readonly #inFlight = new Map<string, Promise<Verdict | AuthRejection>>();

  constructor(settings: OAuthSettings, endpoint: OAuthEndpoint, rejections: Rejections) {
    const { nonce, replay, algorithms, maxRejectedTokens } = settings;
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#rejections = rejections;
    this.#issuers = new Issuers(settings, endpoint.log);
    this.#check = new TokenCheck(settings, endpoint, { issuers: this.#issuers, rejections });
    this.#guessLimiter = new GuessLimiter(maxRejectedTokens);
    this.#nonces = nonce === false ? undefined : new Nonces(nonce === true ? undefined : nonce.secret);
    const claim = { process: memoryReplayCache, store: () => storeReplayCache(endpoint.store), off: () => undefined }[
      replay
    ]();
    this.#proofTerms = { algorithms, nonces: this.#nonces, claim };
  }

  /** Preloads the keys of the issuers. */
  async warmUp(): Promise<void> {
    await this.#issuers.warmUp();
  }

  /** Authenticates a request; undefined if it has no token. */
  authenticate(request: CredentialsRequest): Awaitable<Auth | AuthRejection | undefined> {
    const header = request.header('authorization');
    if (header === undefined) return undefined;
    const { connection } = request;
    const last = connection === undefined ? undefined : this.#lastHeader.get(connection);
    if (last?.header === header && isCurrent(last.verdict)) return this.#accept(request, last.credentials, last);
    // Fast path: most tokens are known.
    const early = header.startsWith(bearerPrefix) ? tokenDigest(header.slice(bearerPrefix.length)) : undefined;
    const known = typeof early === 'string' ? this.#verdicts.good(early) : undefined;
    if (typeof early === 'string' && known !== undefined && isCurrent(known)) {
      const credentials = { scheme: 'Bearer', token: header.slice(bearerPrefix.length) } as const;
      const found: CachedHeader = { header, credentials, verdict: known, digest: early };
      if (connection !== undefined && header.length <= maxCachedHeader) this.#lastHeader.set(connection, found);
      return this.#accept(request, credentials, found);
    }
    const credentials = readCredentials(header);
    if (credentials === undefined) return undefined;
    if (credentials === 'malformed') return this.#rejections.malformed();
    const isPlainBearer = early !== undefined && credentials.token.length === header.length - bearerPrefix.length;
    const digest = isPlainBearer ? early : tokenDigest(credentials.token);
    if (typeof digest !== 'string') return digest.then((known) => this.#evaluate(request, credentials, known));
    return this.#evaluate(request, credentials, digest);
  }

  /** The header with the current nonce. */
  nonceHeader(): Readonly<Record<string, string>> | undefined {
    const latest = this.#nonces?.latest;
    return latest === undefined ? undefined : { 'DPoP-Nonce': latest };
  }

  /** The metadata of the first issuer, for clients of the first revision. */
  async serverDocument(): Promise<{ readonly json: string } | AuthRejection> {
    try {
      const [first = ''] = this.#settings.issuers;
      return { json: JSON.stringify(await this.#issuers.of(first)?.document()) };
    } catch {
      return this.#rejections.unavailable();
    }
  }

  #evaluate(request: CredentialsRequest, credentials: Credentials, digest: string): Awaitable<Auth | AuthRejection> {
    const known = this.#verdicts.good(digest);
    if (known !== undefined && isCurrent(known)) return this.#accept(request, credentials, { verdict: known, digest });
    const rejected = this.#verdicts.rejected(digest);
    if (rejected !== undefined) return rejected;
    // Limits introspection only: checking a signature costs no more than a rejection, and other users of the address must
    // not be blocked. Known tokens are not affected.
    const asker = this.#check.needsIntrospection(credentials.token) ? request.address : undefined;
    const out = asker === undefined || known !== undefined ? 0 : this.#guessLimiter.secondsBlocked(asker, peek);
    if (out > 0) return this.#rejections.tooManyAttempts(out);
    return this.#checkToken(credentials, digest).then((verdict) => {
      if (!('status' in verdict)) return this.#accept(request, credentials, { verdict, digest });
      if (asker !== undefined && verdict.status === 401) this.#guessLimiter.secondsBlocked(asker, failedAttempt);
      return verdict;
    });
  }

  #checkToken({ token, scheme }: Credentials, digest: string): Promise<Verdict | AuthRejection> {
    const inFlight = this.#inFlight.get(digest);
    if (inFlight !== undefined && !isWorkerd) return inFlight;
    const checking = this.#check.run(token, scheme).then((verdict) => {
      this.#cacheVerdict(digest, verdict);
      return verdict;
    });
    this.#inFlight.set(digest, checking);
    return checking.finally(() => this.#inFlight.delete(digest));
  }

  #cacheVerdict(digest: string, verdict: Verdict | AuthRejection): void {
    if (!('status' in verdict)) {
      if (verdict.cachedCaller !== undefined) this.#verdicts.cacheCaller(verdict, verdict.cachedCaller);
      if (this.#settings.revalidateMs > 0) this.#verdicts.keep(digest, verdict);
    } else if (verdict.status < 500) this.#verdicts.keepRejected(digest, verdict);
  }

  /** Accepts a valid token, if its scheme and proof are correct. */
  #accept(
    request: CredentialsRequest,
    { scheme, token }: Credentials,
    { verdict, digest }: { verdict: Verdict; digest: string },
  ): Awaitable<Auth | AuthRejection> {
    const cached = verdict.cachedCaller ?? this.#verdicts.cacheCaller(verdict, this.#check.toCachedCaller(verdict));
    const { caller, boundTo } = cached;
    const isProven = scheme === 'DPoP';
    if (isProven !== (boundTo !== undefined) || (this.#settings.dpop === 'require' && !isProven)) {
      return this.#rejections.badToken(this.#settings.dpop === 'off' ? 'Bearer' : 'DPoP');
    }
    const authenticated = this.#settings.exposeToken ? { ...caller, token } : caller;
    return isProven ? this.#requireProof(request, { cached, digest }, authenticated) : authenticated;
  }

  #requireProof(
    request: CredentialsRequest,
    { cached, digest }: { cached: CachedCaller; digest: string },
    caller: OAuthCaller,
  ): Awaitable<Auth | AuthRejection> {
    const { method } = request;
    const proof = request.header('dpop');
    const problem = checkProof(proof, { method, url: this.#urlOf(request), token: digest, cached }, this.#proofTerms);
    return mapAwaitable(problem, (found) => {
      if (found === undefined) return caller;
      return mapAwaitable(this.#nonces?.current(), (nonce) => this.#rejections.badProof(found, nonce?.current));
    });
  }

  /** The public URL of a request, whatever proxies changed. */
  #urlOf({ path }: CredentialsRequest): string {
    const { resource, path: served } = this.#endpoint;
    return path.endsWith(served) ? resource : new URL(resource).origin + path;
  }
}
