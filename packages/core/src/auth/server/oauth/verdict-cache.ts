import { limits } from '../../../limits.ts';
import type { AuthRefusal } from '../authenticator.ts';
import type { NamedCaller, OAuthCaller } from './options.ts';
import type { VerifyKey } from './verify-key.ts';

const maxVerdicts = limits.oauth.verdicts.value;
const maxLength = limits.oauth.verdictLength.value;
const maxRefused = limits.oauth.refused.value;
const refusedMs = limits.oauth.refusedMs.value;

/** Who stands behind a token: an issuer, by a key or by its answer. */
export interface Source {
  readonly issuer: string;
  /** True once that counts no more. */
  readonly retired: boolean;
}

/** What is made of a verdict where it is used often. */
export interface CachedCaller {
  readonly caller: OAuthCaller;
  /** The fingerprint of the key that the token is bound to. */
  readonly boundTo: string | undefined;
  /** The key of its last proof: the next one has the same. */
  proofKey?: VerifyKey;
}

/** What was found out about a token that is good. It holds little, since there are many. */
export interface Verdict {
  /** Its claims, as JSON. */
  readonly text: string;
  readonly source: Source;
  readonly named: NamedCaller;
  /** Until when it need not be checked again, in milliseconds as `performance.now()` counts. */
  readonly freshUntil: number;
  /** When it ends, in seconds as `Date.now()` counts, leeway included. */
  readonly endsAt: number;
  cachedCaller: CachedCaller | undefined;
}

/**
 * Tokens that were checked, by their digests: the tokens themselves are not kept. Of too many, the oldest go; only the callers of
 * those that were used last are at hand.
 */
export class VerdictCache {
  readonly #good = new Map<string, Verdict>();
  readonly #refused = new Map<string, { refusal: AuthRefusal; until: number }>();
  readonly #recent: (Verdict | undefined)[] = [];
  #next = 0;
  #length = 0;

  /** The verdict about a good token, also where it must be looked at again. */
  good(digest: string): Verdict | undefined {
    return this.#good.get(digest);
  }

  /** The refusal of a token that was sent a moment ago. */
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

  /** Keeps what was made of a verdict, in place of what has been at hand for the longest time. */
  cacheCaller(verdict: Verdict, atHand: CachedCaller): CachedCaller {
    const before = this.#recent[this.#next];
    if (before !== undefined) before.cachedCaller = undefined;
    this.#recent[this.#next] = verdict;
    this.#next = (this.#next + 1) % limits.oauth.callersAtHand.value;
    verdict.cachedCaller = atHand;
    return atHand;
  }
}

/** Whether a verdict counts as it is: checked not long ago, not at its end, and by a key that is still good. */
export function isCurrent({ freshUntil, endsAt, source }: Verdict): boolean {
  return performance.now() < freshUntil && Date.now() < endsAt * 1000 && !source.retired;
}
