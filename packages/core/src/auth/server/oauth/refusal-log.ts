import { limits } from '../../../limits.ts';
import { sanitize } from '../../auth-error.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';

const intervalMs = limits.oauth.refusalLogMs.value;

/** Hints by reason. */
const remedies: Readonly<Record<string, string>> = {
  audience: 'Where that is right, name it in the option "audience" of oauth (--audience)',
  time: 'Where it is off by little, compare the clocks, or set "leewayMs" of oauth',
  issuer: 'Only those count that the option "issuer" of oauth (--oauth) names, letter by letter',
};

/**
 * Logs why tokens were refused, which their senders do not learn: the first of each kind, then a count, at most once a
 * minute.
 */
export class RefusalLog {
  readonly #log: ProtectedEndpoint['log'];
  readonly #logged = new Map<string, { at: number; more: number }>();

  constructor(log: ProtectedEndpoint['log']) {
    this.#log = log;
  }

  /** Logs a refusal and returns a request id. The response has an id even if no line was logged. */
  record(kind: string, detail: string): string {
    const id = crypto.randomUUID().slice(0, 8);
    const before = this.#logged.get(kind);
    const now = performance.now();
    if (before !== undefined && now - before.at < intervalMs) {
      before.more += 1;
      return id;
    }
    this.#logged.set(kind, { at: now, more: 0 });
    const more =
      before === undefined || before.more === 0 ? '' : ` ${before.more} more were refused for such a reason.`;
    const remedy = remedies[kind] === undefined ? '' : `. ${remedies[kind]}`;
    this.#log('warning', `An access token was refused (request ${id}): ${sanitize(detail)}${remedy}.${more}`);
    return id;
  }

  /** Logs an internal error, which refuses the token. */
  recordFailure(error: unknown): string {
    const name = error instanceof Error ? error.name : typeof error;
    return this.record(`failed ${name}`.slice(0, 50), `checking it failed with ${name}`);
  }
}
