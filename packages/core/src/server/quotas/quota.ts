import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Store } from '../../stores/store.ts';
import type { RateCounter } from './rate-limit.ts';

/**
 * What is counted for each caller: calls that run, requests that wait for their turn, streams, bytes of what is watched,
 * bytes of long requests that are being read and served.
 */
export type Held = 'calls' | 'waiting' | 'streams' | 'watched' | 'incoming';

/** How much of each there may be. */
export type Quota = Readonly<Record<Held, number>>;

/** Whose limit it is: the caller's own, that of all callers from an address who don't say who they are, or everybody's. */
export type UsageScope = 'caller' | 'address' | 'server';

/** Why a request is refused: there is too much of something, its caller comes too often, or everybody together does too much. */
export type RefusalReason = Held | 'rate' | 'busy';

/** What one caller may have in all instances together: the others are bounds of what one process can bear. */
export type Shareable = 'calls' | 'streams';

/** What an instance has of a quota that instances share. */
export interface SharedPlaces extends Readonly<Record<Shareable, number>> {
  /** True for this moment: the caller is there. */
  touched: boolean;
  /** Asks for more than are used. True where there is one more now. */
  grow(what: Shareable): Awaitable<boolean>;
}

/** What all callers of an endpoint have in common. */
export interface UsageTerms {
  /** Counts the requests of each caller, where the endpoint limits their rate. */
  rates?: RateCounter | undefined;
  /** Where limits are counted for all instances; undefined: this process is alone. */
  store?: Store | undefined;
}

const noTerms: UsageTerms = {};

/** A quota that is never used up. */
export const unlimited: Quota = {
  calls: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  streams: Number.POSITIVE_INFINITY,
  watched: Number.POSITIVE_INFINITY,
  incoming: Number.POSITIVE_INFINITY,
};

/** What is held at the moment: by one caller, within what several hold, within what all do. */
export class Usage implements Record<Held, number> {
  calls = 0;
  waiting = 0;
  streams = 0;
  watched = 0;
  incoming = 0;

  readonly terms: UsageTerms;
  /** This instance's part of the quota; undefined where it has all of it. */
  places: SharedPlaces | undefined;

  constructor(
    /** A text that is the same for one caller on all instances, and for no other. */
    readonly key: string,
    readonly scope: UsageScope,
    readonly quota: Quota,
    readonly within?: Usage,
    terms?: UsageTerms,
  ) {
    this.terms = terms ?? within?.terms ?? noTerms;
  }

  /** Whose quota is used up, the caller's own first; undefined where there is room for `more` of it. */
  full(what: Held, more = 1): Usage | undefined {
    if (this[what] + more > this.quota[what]) return this;
    return this.within?.full(what, more);
  }

  /** How many requests were refused, by reason and whose limit it was; kept by the outermost alone. */
  refusals: Map<`${RefusalReason} ${UsageScope}`, number> | undefined;

  /** Counts a request that was refused. */
  refused(reason: RefusalReason, scope: UsageScope): void {
    if (this.within !== undefined) return this.within.refused(reason, scope);
    this.refusals ??= new Map();
    const key = `${reason} ${scope}` as const;
    this.refusals.set(key, (this.refusals.get(key) ?? 0) + 1);
  }

  /** Who needs more than this instance has of a shared quota before there can be one more; undefined: nobody. */
  lacking(what: Shareable): Usage | undefined {
    if (this.places !== undefined) {
      this.places.touched = true;
      if (this[what] >= this.places[what]) return this;
    }
    return this.within?.lacking(what);
  }

  /** Whose requests are counted together where their rate is limited. */
  get rateKey(): string {
    return this.key;
  }

  take(what: Held, count = 1): void {
    this[what] += count;
    this.within?.take(what, count);
  }

  release(what: Held, count = 1): void {
    this.take(what, -count);
  }

  /** True where nothing is held. */
  get idle(): boolean {
    return this.calls === 0 && this.waiting === 0 && this.streams === 0 && this.watched === 0 && this.incoming === 0;
  }
}

/** Goes on as soon as this instance has a place for one more, or it is known whose quota is used up. */
export function acquire<T>(usage: Usage, what: Shareable, go: (full: Usage | undefined) => Awaitable<T>): Awaitable<T> {
  const lacking = usage.lacking(what);
  if (lacking?.places === undefined) return go(undefined);
  const grown = lacking.places.grow(what);
  // Where there is one, somebody else may be quicker: so it is looked at in the turn in which it is taken.
  const proceed = (isThere: boolean): Awaitable<T> => (isThere ? acquire(usage, what, go) : go(lacking));
  return grown instanceof Promise ? grown.then(proceed) : proceed(grown);
}

let connections = 0;

/** Makes the usage of a caller who has a connection for themselves. */
export function connectionUsage(rates?: RateCounter): Usage {
  connections += 1;
  return new Usage(`connection ${connections}`, 'caller', unlimited, undefined, { rates });
}

/** The share of a whole that one caller may hold: at least one. `percent` is 100 where there is no quota. */
export function shareOf(whole: number, percent: number): number {
  return percent >= 100 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((whole * percent) / 100));
}
