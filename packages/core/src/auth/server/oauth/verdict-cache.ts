import { limits } from '../../../limits.ts';
import type { AuthRefusal } from '../authenticator.ts';
import type { NamedCaller, OAuthCaller } from './options.ts';
import type { VerifyKey } from './verify-key.ts';

const maxVerdicts = limits.oauth.verdicts.value;
const maxLength = limits.oauth.verdictLength.value;
const maxRefused = limits.oauth.refused.value;
const refusedMs = limits.oauth.refusedMs.value;

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
  proofKey?: VerifyKey;
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
  readonly #refused = new Map<string, { refusal: AuthRefusal; until: number }>();
  readonly #recent: (Verdict | undefined)[] = [];
  #next = 0;
  #length = 0;

  /** The verdict on a valid token, even if it is stale. */
  good(digest: string): Verdict | undefined {
    return this.#good.get(digest);
  }

  /** The cached refusal of a token. */
  refused(digest: string): AuthRefusal | undefined {
    const found = this.#refused.get(digest);
    return found !== undefined && found.until > performance.now() ? found.refusal : undefined;
  }

  keep(digest: string, verdict: Verdict): void {
    this.forget(digest);
    this.#refused.delete(digest);
    this.#good.set(digest, verdict);
    this.#length += verdict.text.length;
    for (const oldest of this.#good.keys()) {
      if (this.#good.size <= maxVerdicts && this.#length <= maxLength) break;
      this.forget(oldest);
    }
  }

  keepRefused(digest: string, refusal: AuthRefusal): void {
    this.forget(digest);
    this.#refused.delete(digest);
    this.#refused.set(digest, { refusal, until: performance.now() + refusedMs });
    const [oldest] = this.#refused.keys();
    if (oldest !== undefined && this.#refused.size > maxRefused) this.#refused.delete(oldest);
  }

  forget(digest: string): void {
    const known = this.#good.get(digest);
    if (known === undefined) return;
    this.#good.delete(digest);
    this.#length -= known.text.length;
  }

  /** Caches the caller of a verdict and evicts the oldest one. */
  cacheCaller(verdict: Verdict, atHand: CachedCaller): CachedCaller {
    const before = this.#recent[this.#next];
    if (before !== undefined) before.cachedCaller = undefined;
    this.#recent[this.#next] = verdict;
    this.#next = (this.#next + 1) % limits.oauth.callersAtHand.value;
    verdict.cachedCaller = atHand;
    return atHand;
  }
}

/** Whether a verdict is fresh, not expired, and its key not revoked. */
export function isCurrent({ freshUntil, endsAt, source }: Verdict): boolean {
  return performance.now() < freshUntil && Date.now() < endsAt * 1000 && !source.retired;
}
