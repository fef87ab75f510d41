import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { ProtocolError } from '../../jsonrpc/errors.ts';
import type { CallerUsage, CallResource } from '../../server/peer.ts';
import { retryLater } from '../../server/retry-later.ts';
import type { RateCounter, RatedUsage, RateTerms } from '../rate-limit/rate-limit.ts';

/** The counted resources of a caller: those of calls, queued requests, and streams. */
export type CountedResource = CallResource | 'waiting' | 'streams';

/** The maximum of each. */
export type Quota = Readonly<Record<CountedResource, number>>;

/** Whose limit it is: one caller's, that of all anonymous callers from an address, or the server's. */
export type UsageScope = 'caller' | 'address' | 'server';

/** Why a request is rejected: a quota is exceeded, a rate limit is exceeded, or the server is overloaded. */
export type RejectionReason = CountedResource | 'rate' | 'busy';

/** Quotas shared by all instances; the others protect a single process. */
export type Shareable = 'calls' | 'streams';

/** The part of a shared quota that this instance has leased. */
export interface SharedLease extends Readonly<Record<Shareable, number>> {
  /** Set when the caller sends a request, so that the lease is kept. */
  touched: boolean;
  /** Leases more than is used. True if there is room for one more now. */
  grow(what: Shareable): Awaitable<boolean>;
}

const noTerms: RateTerms = {};

/** A quota that is never used up. */
export const unlimited: Quota = {
  calls: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  streams: Number.POSITIVE_INFINITY,
  subscriptions: Number.POSITIVE_INFINITY,
  incoming: Number.POSITIVE_INFINITY,
};

/** The usage of a caller, which counts towards that of its address, which counts towards that of the server. */
export class Usage implements CallerUsage, RatedUsage, Record<CountedResource, number> {
  calls = 0;
  waiting = 0;
  streams = 0;
  subscriptions = 0;
  incoming = 0;

  readonly terms: RateTerms;
  /** This instance's part of the quota; undefined if instances don't share it. */
  lease: SharedLease | undefined;

  constructor(
    /** Identifies the caller on all instances. */
    readonly key: string,
    readonly scope: UsageScope,
    readonly quota: Quota,
    readonly within?: Usage,
    terms?: RateTerms,
  ) {
    this.terms = terms ?? within?.terms ?? noTerms;
  }

  /** Returns whose quota is used up, the caller's own first; undefined if there is room for `more`. */
  full(what: CountedResource, more = 1): Usage | undefined {
    if (this[what] + more > this.quota[what]) return this;
    return this.within?.full(what, more);
  }

  /** Number of rejected requests by reason and scope; only the outermost usage counts them. */
  rejections: Map<`${RejectionReason} ${UsageScope}`, number> | undefined;

  /** Counts a request that was rejected. */
  countRejection(reason: RejectionReason, scope: UsageScope): void {
    if (this.within !== undefined) return this.within.countRejection(reason, scope);
    this.rejections ??= new Map();
    const key = `${reason} ${scope}` as const;
    this.rejections.set(key, (this.rejections.get(key) ?? 0) + 1);
  }

  /** Returns whose lease must grow before one more can be acquired; undefined if none must. */
  findExhausted(what: Shareable): Usage | undefined {
    if (this.lease !== undefined) {
      this.lease.touched = true;
      if (this[what] >= this.lease[what]) return this;
    }
    return this.within?.findExhausted(what);
  }

  /** Requests with the same key share a rate limit. */
  get rateKey(): string {
    return this.key;
  }

  take(what: CountedResource, count = 1): void {
    this[what] += count;
    this.within?.take(what, count);
  }

  release(what: CountedResource, count = 1): void {
    this.take(what, -count);
  }

  overload(what: CountedResource, count = 1): ProtocolError | undefined {
    const full = this.full(what, count);
    return full === undefined ? undefined : overload(full, what);
  }

  /** True if nothing is in use, and no part of a shared quota is leased. */
  get idle(): boolean {
    if (this.lease !== undefined && (this.lease.calls > 0 || this.lease.streams > 0)) return false;
    return (
      this.calls === 0 && this.waiting === 0 && this.streams === 0 && this.subscriptions === 0 && this.incoming === 0
    );
  }
}

/** For error messages: the resource and the remedy. */
const descriptions = {
  calls: ['calls are running', 'try again when some have been answered'],
  waiting: ['requests are waiting for their turn', 'try again when some have been answered'],
  streams: ['streams are open', 'close some, or try again later'],
  incoming: ['bytes of long requests are being read and served', 'try again when some have been answered'],
  subscriptions: ['bytes of subscribed URIs are held', 'subscribe to less, or try again later'],
} satisfies Record<CountedResource, [string, string]>;

/** Retry-After of requests over a quota. */
const retryAfterMs = 1000;
const streamRetryAfterMs = 5 * retryAfterMs;

/** Creates the error of a request over a quota; the message says whose limit it is. */
export function overload(full: Usage, what: CountedResource): ProtocolError {
  full.countRejection(what, full.scope);
  const [state, remedy] = descriptions[what];
  const held = `${full[what]} ${state}`;
  const messages = {
    caller: `Too much at once: ${held} for you, and one caller may have no more; ${remedy}`,
    address: `Too much at once: ${held} for anonymous callers from your address; ${remedy}`,
    server: `Server busy: ${held}; ${remedy}`,
  };
  return retryLater(messages[full.scope], {
    retryAfterMs: what === 'streams' ? streamRetryAfterMs : retryAfterMs,
    limit: full.scope,
  });
}

/** Proceeds as soon as this instance's lease has room for one more, or with the usage whose quota is used up. */
export function acquire<T>(
  usage: Usage,
  what: Shareable,
  proceed: (full: Usage | undefined) => Awaitable<T>,
): Awaitable<T> {
  const exhausted = usage.findExhausted(what);
  if (exhausted?.lease === undefined) return proceed(undefined);
  const grown = exhausted.lease.grow(what);
  // Another request may have used the room meanwhile, so it is checked again in the same turn.
  const retry = (hasGrown: boolean): Awaitable<T> => (hasGrown ? acquire(usage, what, proceed) : proceed(exhausted));
  return grown instanceof Promise ? grown.then(retry) : retry(grown);
}

let connections = 0;

/** Creates the usage of a caller that has its own connection. */
export function connectionUsage(rates?: RateCounter): Usage {
  connections += 1;
  return new Usage(`connection ${connections}`, 'caller', unlimited, undefined, { rates });
}

/** The share of a total that one caller may use: at least one. `percent` is 100 without quotas. */
export function shareOf(whole: number, percent: number): number {
  return percent >= 100 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((whole * percent) / 100));
}
