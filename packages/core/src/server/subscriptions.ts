import { invalidParams, type ProtocolError } from '../jsonrpc/errors.ts';
import { maxUriLength } from '../protocol/listing.ts';
import type { Budget } from './budget.ts';

/** Maximum total length of the URIs of one `subscriptions/listen`, in characters. */
const listenLength = 128 * 1024;

/** Maximum resources of one `subscriptions/listen`. */
const listenAddresses = 1000;

/** Maximum total length of the URIs that one client subscribes to, in characters. */
const maxSubscriptionLength = 1024 * 1024;

/** Maximum resources that one client subscribes to. */
const maxSubscriptions = 10_000;

/** The URIs that one client subscribed to. */
export interface Subscriptions {
  has(uri: string): boolean;
  /** Throws an error if the client exceeds a limit. `inAll` is the budget of all clients. */
  add(uri: string, inAll?: Budget): void;
  delete(uri: string): void;
  /** All subscribed URIs. */
  uris(): Iterable<string>;
  /** Removes all of them: the client disconnected. */
  clear(): void;
}

/** The limits of one client. */
export const subscriptionBounds: { readonly count: number; readonly length: number } = {
  count: maxSubscriptions,
  length: maxSubscriptionLength,
};

/** The limits of one request. Each URI is looked up, so they are far below the size of a body. */
const listenBounds = {
  count: listenAddresses,
  length: listenLength,
};

/** Memory of a URI besides its characters. */
const perAddress = 64;

/** False for a text that is too long to be a URI. */
export function isAddress(uri: string): boolean {
  return uri.length <= maxUriLength;
}

/** Rejects a URI that is too long. */
export function checkAddress(uri: string): void {
  if (!isAddress(uri)) throw invalidParams(`The address is too long: at most ${maxUriLength} characters`);
}

/** The error for too many subscriptions. */
function tooManySubscriptions(): ProtocolError {
  return invalidParams(`Too many subscriptions: at most ${subscriptionBounds.count} for one client`);
}

/** The error for too many characters of URIs. */
function tooLong(): ProtocolError {
  const { length } = subscriptionBounds;
  return invalidParams(`Too many subscriptions: their addresses may have ${length} characters for one client`);
}

/** The error for a request with too many URIs. */
function tooManyAtOnce(bound: string): ProtocolError {
  return invalidParams(`Too many subscriptions: ${bound}; send several`);
}

/** The error when all clients together reached the limit of subscriptions. */
export function subscriptionBudgetError(): ProtocolError {
  return invalidParams('Too many subscriptions: the server can not watch more for all of its clients; try again later');
}

/** The error if it is unknown which limit was exceeded. */
export function sessionSubscriptionError(): ProtocolError {
  const { count, length } = subscriptionBounds;
  return invalidParams(
    `Too many subscriptions: at most ${count} for one client, of ${length} characters together, and as far as there is ` +
      'room for one caller, and for all: unsubscribe from others first',
  );
}

/** The URIs that a client subscribed to, in the memory of this process. */
export class WatchList implements Subscriptions {
  /** Created lazily: most clients subscribe to nothing. */
  #uris: Set<string> | undefined;
  #length = 0;
  #inAll: Budget | undefined;

  get size(): number {
    return this.#uris?.size ?? 0;
  }

  has(uri: string): boolean {
    return this.#uris?.has(uri) === true;
  }

  add(uri: string, inAll?: Budget): void {
    if (this.has(uri)) return;
    if (this.size >= subscriptionBounds.count) throw tooManySubscriptions();
    if (this.#length + uri.length > subscriptionBounds.length) throw tooLong();
    this.#inAll ??= inAll;
    if (this.#inAll?.take(uri.length + perAddress) === false) throw subscriptionBudgetError();
    this.#uris ??= new Set();
    this.#uris.add(uri);
    this.#length += uri.length;
  }

  delete(uri: string): void {
    if (this.#uris?.delete(uri) !== true) return;
    this.#length -= uri.length;
    this.#inAll?.give(uri.length + perAddress);
  }

  uris(): Iterable<string> {
    return this.#uris ?? [];
  }

  clear(): void {
    this.#inAll?.give(this.#length + perAddress * this.size);
    this.#uris = undefined;
    this.#length = 0;
  }
}

/** The URIs of one request as a set, and their size towards the limit of all subscriptions. */
export function toUriSet(uris: readonly string[]): { set: ReadonlySet<string>; bytes: number } {
  if (uris.length > listenBounds.count) throw tooManyAtOnce(`at most ${listenBounds.count} for one request`);
  const set = new Set(uris);
  let length = 0;
  for (const uri of set) {
    checkAddress(uri);
    length += uri.length;
  }
  if (length > listenBounds.length)
    throw tooManyAtOnce(`their addresses may have ${listenBounds.length} characters for one request`);
  return { set, bytes: length + perAddress * set.size };
}
