/** The attempts from one address. */
interface Source {
  wrong: number;
  /** When the count resets, as for `performance.now()`. */
  until: number;
  /** Principals that authenticated from there. */
  readonly known: Set<string>;
}

/** The window of the rate limit. */
const windowMs = 10 * 1000;
/** The maximum tracked addresses. */
const maxSources = 10_000;

/**
 * Rate limit for wrong keys, by address. Above the limit, no new caller can authenticate from there for a while, even with
 * a valid key, which stops guessing; principals that authenticated from there before are not affected.
 */
export class GuessLimiter {
  readonly #limit: number;
  readonly #sources = new Map<string, Source>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records an attempt, and returns for how many seconds to block the sender; 0 if it is not blocked. */
  secondsBlocked(address: string, attempt: { principal: string | undefined; empty: boolean }): number {
    const now = performance.now();
    const source = this.#sourceOf(address);
    const { principal } = attempt;
    if (source.until <= now) {
      source.wrong = 0;
      source.until = now + windowMs;
    }
    if (principal !== undefined && source.known.has(principal)) return 0;
    if (source.wrong >= this.#limit) return Math.ceil((source.until - now) / 1000);
    if (principal !== undefined) source.known.add(principal);
    else if (!attempt.empty) source.wrong += 1;
    return 0;
  }

  #sourceOf(address: string): Source {
    const known = this.#sources.get(address);
    if (known !== undefined) return known;
    const source = { wrong: 0, until: 0, known: new Set<string>() };
    const [oldest] = this.#sources.keys();
    if (oldest !== undefined && this.#sources.size >= maxSources) this.#sources.delete(oldest);
    this.#sources.set(address, source);
    return source;
  }
}
