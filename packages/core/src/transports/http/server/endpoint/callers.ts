import type { CredentialsRequest } from '../../../../auth/server/authenticator.ts';
import type { Auth } from '../../../../server/peer.ts';
import { type CountedResource, type Quota, shareOf, unlimited, Usage } from '../../../../features/quotas/quota.ts';
import type { RateTerms } from '../../../../features/rate-limit/rate-limit.ts';
import type { SharedQuotas } from '../../../../features/quotas/shared-quotas.ts';

/** The share of all anonymous callers from one address, in percent. */
const addressShare = 50;

/** A request whose caller is to be named. */
export interface CallerRequest extends CredentialsRequest {
  /** The authenticated caller. */
  readonly auth: Auth | undefined;
}

/** Names the caller of a request; undefined: the default applies. */
export type CallerOf = (request: CallerRequest) => string | undefined;

/** The limits of an endpoint, and the share of one caller. */
export interface CallersOptions {
  whole: Quota;
  /** In percent. */
  share: number;
  callerOf?: CallerOf | undefined;
  terms?: RateTerms | undefined;
  /** Makes quotas hold over all instances. */
  shared?: SharedQuotas | undefined;
}

/** A caller over HTTP: its quota, and its time in the current turn of the scheduler. */
export class HttpCaller extends Usage {
  /** The turn in which it was served last. */
  turn = 0;
  /** Requests in that turn. */
  requests = 0;
  /** Milliseconds in that turn, where requests were timed. */
  servedMs = 0;
  /** Requests that are scheduled for later turns. */
  queue: (() => void)[] | undefined;
  declare readonly within?: HttpCaller;

  /**
   * The owner of the caller's sessions: a principal, a named caller, or an address, since creating sessions is free.
   * Undefined if nothing is known of the caller.
   */
  get owner(): string | undefined {
    if (this.within?.scope !== 'address') return this.key;
    return this.within.quota === unlimited ? undefined : this.within.key;
  }

  /** A new session must not reset the rate limit. */
  override get rateKey(): string {
    return this.owner ?? this.key;
  }
}

/** The length of every session id. */
const idLength = 36;
/** A name from `callerOf` may come from a header of any length. */
const longestName = 200;
/** Maximum number of cached idle callers of each kind: their usage in this turn of the event loop must count. */
const maxKept = 1000;
/** Maximum number of callers that are checked to find an idle one. */
const maxLooks = 8;

/** The callers of an endpoint. */
export class Callers {
  /** The usage of all callers together. */
  readonly all: HttpCaller;
  readonly #quota: Quota;
  readonly #addressQuota: Quota;
  readonly #callerOf: CallerOf | undefined;
  readonly #named = new Map<string, HttpCaller>();
  readonly #principals = new Map<string, HttpCaller>();
  readonly #sessions = new Map<string, HttpCaller>();
  /** Anonymous callers by address. */
  readonly #addresses = new Map<string, AddressCallers>();
  readonly #unknown: AddressCallers;

  readonly #shared: SharedQuotas | undefined;

  constructor({ whole, share, callerOf, terms, shared }: CallersOptions) {
    this.#shared = shared;
    this.all = new HttpCaller('all', 'server', whole, undefined, terms);
    this.#quota = sharesOf(whole, share);
    // Creating sessions is free: many of them must not get more than a few callers do.
    this.#addressQuota = sharesOf(whole, share >= 100 ? 100 : Math.max(share, addressShare));
    this.#callerOf = callerOf;
    this.#unknown = this.#addressCallers('unknown', unlimited);
  }

  /** The caller of a request: as `callerOf` names it, else the principal, the session or the address. */
  of(request: CredentialsRequest, auth: Auth | undefined): HttpCaller {
    const name = this.#callerOf === undefined ? undefined : callerName(this.#callerOf, request, auth);
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
    // Making up ids gains nothing: all of one address count together.
    return this.#add(this.#sessions, session, `session ${session}`, this.#addressOf(request.address).all);
  }

  #called(text: string): HttpCaller {
    const name = text.slice(0, longestName);
    return this.#named.get(name) ?? this.#add(this.#named, name, `caller ${name}`, this.all);
  }

  #addressOf(address: string | undefined): AddressCallers {
    if (address === undefined) return this.#unknown;
    const network = address.includes(':') ? networkOf(address) : address;
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
    this.#shared?.share(all);
    this.#shared?.share(single);
    return {
      all,
      single,
      get idle() {
        return all.idle;
      },
    };
  }

  #add(among: Map<string, HttpCaller>, name: string, key: string, within: HttpCaller): HttpCaller {
    makeRoom(among);
    const caller = new HttpCaller(key, 'caller', this.#quota, within);
    this.#shared?.share(caller);
    among.set(name, caller);
    return caller;
  }
}

function callerName(callerOf: CallerOf, request: CredentialsRequest, auth: Auth | undefined): string | undefined {
  const { method, path, address } = request;
  return callerOf({ method, path, address, header: (given) => request.header(given), auth });
}

interface AddressCallers {
  readonly all: HttpCaller;
  readonly single: HttpCaller;
  readonly idle: boolean;
}

/** Forgets idle callers where many are remembered. Those in use become the newest, so that few are looked at again. */
function makeRoom<T extends { readonly idle: boolean }>(among: Map<string, T>): void {
  let looks = 0;
  for (const [name, known] of among) {
    if (among.size < maxKept || ++looks > maxLooks) return;
    among.delete(name);
    if (!known.idle) among.set(name, known);
  }
}

function sharesOf(whole: Quota, percent: number): Quota {
  const share = (what: CountedResource): number => shareOf(whole[what], percent);
  return {
    calls: share('calls'),
    waiting: share('waiting'),
    streams: share('streams'),
    subscriptions: share('subscriptions'),
    incoming: share('incoming'),
  };
}

/**
 * The network of an address: itself, or of IPv6 the first half, since a client may choose the second half
 * of its address as it likes.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : undefined;
  if (plain !== undefined) return plain;
  const [before = '', after] = (address.split('%')[0] as string).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: gap }, () => '0'), ...tail];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
