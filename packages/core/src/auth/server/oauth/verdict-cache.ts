import type { AuthRejection } from '../authenticator.ts';
import type { NamedCaller, OAuthCaller } from './options.ts';
import type { PublicKey } from './public-key.ts';

/** The maximum cached callers; the claims of others are parsed for each request. */
const maxCallers = 128;

/** The maximum cached verdicts on valid tokens. */
const maxVerdicts = 10_000;
/** The maximum length of all their claims, in characters. */
const maxLength = 2_800_000;
/** The maximum cached rejections. */
const maxRejected = 1000;
/** How long a rejection is cached. */
const rejectedMs = 5 * 1000;

/** The source of a verdict: an issuer's key or introspection response. */
export interface Source {
  readonly issuer: string;
  /** True once it is revoked. */
  readonly retired: boolean;
}

/** The caller of a frequently used verdict. */
export interface CachedCaller {
  readonly caller: OAuthCaller;
  /** The thumbprint of the key that the token is bound to. */
  readonly boundTo: string | undefined;
  /** The key of its last proof, for the next one. */
  proofKey?: PublicKey;
}

/** The verdict on a valid token. Small, since there are many. */
export interface Verdict {
  /** Its claims, as JSON. */
  readonly text: string;
  readonly source: Source;
  readonly named: NamedCaller;
  /** Until when it is fresh, as for `performance.now()`. */
  readonly freshUntil: number;
  /** When it expires, in seconds since 1970, leeway included. */
  readonly endsAt: number;
  cachedCaller: CachedCaller | undefined;
}

/**
 * Caches verdicts by token digest; the tokens themselves are not stored. Evicts the oldest; only recently used verdicts
 * keep their caller.
 */
export class VerdictCache {
  readonly #good = new Map<string, Verdict>();
  readonly #rejected = new Map<string, { rejection: AuthRejection; until: number }>();
  readonly #recent: (Verdict | undefined)[] = [];
  #next = 0;
  #length = 0;

  /** The verdict on a valid token, even if it is stale. */
  good(digest: string): Verdict | undefined {
    return this.#good.get(digest);
  }

  /** The cached rejection of a token. */
  rejected(digest: string): AuthRejection | undefined {
    const found = this.#rejected.get(digest);
    return found !== undefined && found.until > performance.now() ? found.rejection : undefined;
  }

  keep(digest: string, verdict: Verdict): void {
    this.forget(digest);
    this.#rejected.delete(digest);
    this.#good.set(digest, verdict);
    this.#length += verdict.text.length;
    for (const oldest of this.#good.keys()) {
      if (this.#good.size <= maxVerdicts && this.#length <= maxLength) break;
      this.forget(oldest);
    }
  }

  keepRejected(digest: string, rejection: AuthRejection): void {
    this.forget(digest);
    this.#rejected.delete(digest);
    this.#rejected.set(digest, { rejection, until: performance.now() + rejectedMs });
    const [oldest] = this.#rejected.keys();
    if (oldest !== undefined && this.#rejected.size > maxRejected) this.#rejected.delete(oldest);
  }

  forget(digest: string): void {
    const known = this.#good.get(digest);
    if (known === undefined) return;
    this.#good.delete(digest);
    this.#length -= known.text.length;
  }

  /** Caches the caller of a verdict and evicts the oldest one. */
  cacheCaller(verdict: Verdict, cached: CachedCaller): CachedCaller {
    const before = this.#recent[this.#next];
    if (before !== undefined) before.cachedCaller = undefined;
    this.#recent[this.#next] = verdict;
    this.#next = (this.#next + 1) % maxCallers;
    verdict.cachedCaller = cached;
    return cached;
  }
}

/** Whether a verdict is fresh, not expired, and its key not revoked. */
export function isCurrent({ freshUntil, endsAt, source }: Verdict): boolean {
  return performance.now() < freshUntil && Date.now() < endsAt * 1000 && !source.retired;
}
