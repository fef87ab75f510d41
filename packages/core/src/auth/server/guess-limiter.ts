import { limits } from '../../limits.ts';

/** What is known of one address. */
interface Source {
  wrong: number;
  /** When counting begins anew, as `performance.now()` counts. */
  until: number;
  /** Who has been let in from there. */
  readonly known: Set<string>;
}

const windowMs = limits.apiKeys.windowMs.value;
const maxSources = limits.apiKeys.addresses.value;

/**
 * Counts wrong keys by the address they come from. Above the limit nobody new is let in from there for a while, whatever
 * key they have, so that trying keys leads nowhere; who has been let in from there before is not hindered.
 */
export class GuessLimiter {
  readonly #limit: number;
  readonly #sources = new Map<string, Source>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes note of an attempt, and says for how many seconds to keep the sender out; 0 where it counts. */
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
