import type { CredentialsRequest } from '../../../../auth/server/authenticator.ts';
import { limits } from '../../../../limits.ts';
import type { Auth } from '../../../../server/exchange.ts';
import { type Held, type Quota, shareOf, unlimited, Usage, type UsageTerms } from '../../../../server/quotas/quota.ts';
import { networkOf } from './network.ts';
import type { PlaceKeeper } from './shared-places.ts';

/** What is known of a request when its caller is to be named. */
export interface CallerRequest extends CredentialsRequest {
  /** Who the caller is, where that was established. */
  readonly auth: Auth | undefined;
}

/** Gives the name of a caller; undefined: as if it were not asked. */
export type CallerOf = (request: CallerRequest) => string | undefined;

/** How much there may be of everything, and how much of that one caller may hold. */
export interface CallersOptions {
  whole: Quota;
  /** In percent. */
  share: number;
  callerOf?: CallerOf | undefined;
  terms?: UsageTerms | undefined;
  /** Lets quotas hold for all instances together. */
  places?: PlaceKeeper | undefined;
}

/** A caller over HTTP: what they hold, and how long they were served in this turn. */
export class HttpCaller extends Usage {
  /** The turn in which they were served last. */
  turn = 0;
  /** How many requests they sent in it. */
  requests = 0;
  /** For how many milliseconds they were served in it, where somebody looked at the clock. */
  servedMs = 0;
  /** What waits for its turn. */
  queue: (() => void)[] | undefined;
  declare readonly within?: HttpCaller;

  /**
   * Whom sessions belong to: a principal, a caller with a name, or an address, since sessions cost nothing to begin.
   * Undefined where nothing is known of the caller.
   */
  get owner(): string | undefined {
    if (this.within?.scope !== 'address') return this.key;
    return this.within.quota === unlimited ? undefined : this.within.key;
  }

  /** A new session must not be a new rate. */
  override get rateKey(): string {
    return this.owner ?? this.key;
  }
}

/** Nobody has a session with an id of another length, and longer texts are not kept. */
const idLength = 36;
/** What `callerOf` takes from a header may be of any length. */
const longestName = 200;
const maxKept = limits.http.callers.value;

/** The callers of an endpoint. */
export class Callers {
  /** What all callers hold together. */
  readonly all: HttpCaller;
  readonly #quota: Quota;
  readonly #addressQuota: Quota;
  readonly #callerOf: CallerOf | undefined;
  readonly #named = new Map<string, HttpCaller>();
  readonly #principals = new Map<string, HttpCaller>();
  readonly #sessions = new Map<string, HttpCaller>();
  /** What all callers from an address hold who don't say who they are. Those without a session are the one in it. */
  readonly #addresses = new Map<string, AddressCallers>();
  readonly #unknown: AddressCallers;

  readonly #places: PlaceKeeper | undefined;

  constructor({ whole, share, callerOf, terms, places }: CallersOptions) {
    this.#places = places;
    this.all = new HttpCaller('all', 'server', whole, undefined, terms);
    this.#quota = sharesOf(whole, share);
    // Sessions cost nothing to begin: many of them must not get more than a few callers do.
    this.#addressQuota = sharesOf(whole, share >= 100 ? 100 : Math.max(share, limits.http.addressShare.value));
    this.#callerOf = callerOf;
    this.#unknown = this.#addressCallers('unknown', unlimited);
  }

  /** Who sends a request: the principal, else the session, else the address; or whom `callerOf` names. */
  of(request: CredentialsRequest, auth: Auth | undefined): HttpCaller {
    const { method, path, address } = request;
    const name = this.#callerOf?.({ method, path, address, header: (given) => request.header(given), auth });
    if (name !== undefined) return this.#called(name);
    if (auth !== undefined) {
      const { principal } = auth;
      return (
        this.#principals.get(principal) ?? this.#add(this.#principals, principal, `principal ${principal}`, this.all)
      );
    }
    const session = request.header('mcp-session-id');
    if (session?.length !== idLength) return this.#addressOf(request.address).single;
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    // Nothing is won by making up ids: all that come from one address are counted together.
    return this.#add(this.#sessions, session, `session ${session}`, this.#addressOf(request.address).all);
  }

  #called(text: string): HttpCaller {
    const name = text.slice(0, longestName);
    return this.#named.get(name) ?? this.#add(this.#named, name, `caller ${name}`, this.all);
  }

  #addressOf(address: string | undefined): AddressCallers {
    if (address === undefined) return this.#unknown;
    const network = networkOf(address);
    const known = this.#addresses.get(network);
    if (known !== undefined) return known;
    makeRoom(this.#addresses);
    const made = this.#addressCallers(`address ${network}`, this.#addressQuota);
    this.#addresses.set(network, made);
    return made;
  }

  #addressCallers(key: string, quota: Quota): AddressCallers {
    const all = new HttpCaller(key, 'address', quota, this.all);
    const single = new HttpCaller(key, 'caller', quota === unlimited ? unlimited : this.#quota, all);
    this.#places?.share(all);
    this.#places?.share(single);
    return { all, single };
  }

  #add(among: Map<string, HttpCaller>, name: string, key: string, within: HttpCaller): HttpCaller {
    makeRoom(among);
    const caller = new HttpCaller(key, 'caller', this.#quota, within);
    this.#places?.share(caller);
    among.set(name, caller);
    return caller;
  }
}

interface AddressCallers {
  all: HttpCaller;
  single: HttpCaller;
}

/** Forgets somebody who holds nothing, where many are remembered. */
function makeRoom(among: Map<string, HttpCaller | AddressCallers>): void {
  if (among.size < maxKept) return;
  for (const [name, known] of among) {
    if (!('all' in known ? known.all : known).idle) continue;
    among.delete(name);
    return;
  }
}

function sharesOf(whole: Quota, percent: number): Quota {
  const share = (what: Held): number => shareOf(whole[what], percent);
  return {
    calls: share('calls'),
    waiting: share('waiting'),
    streams: share('streams'),
    watched: share('watched'),
    incoming: share('incoming'),
  };
}
