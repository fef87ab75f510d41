import { invalidParams, type ProtocolError } from '../jsonrpc/errors.ts';
import type { Budget } from './budget.ts';

/** Their addresses together, in characters. */
const listenLength = 128 * 1024;

/** Resources that one `subscriptions/listen` names. */
const listenAddresses = 1000;

/** Their addresses together, for one client, in characters. */
const watchedLength = 1024 * 1024;

/** Resources that one client watches. */
const maxSubscriptions = 10_000;

/** The addresses that one client watches. */
export interface Subscriptions {
  has(uri: string): boolean;
  /** Throws an error for the client if it watches too much already. `inAll` is what all clients may watch. */
  add(uri: string, inAll?: Budget): void;
  delete(uri: string): void;
  /** All of them. */
  uris(): Iterable<string>;
  /** The client disconnected. */
  clear(): void;
}

/** The maximum length of a resource's URI, in characters. */
export const maxUriLength = 8192;

/** What one client may watch. */
export const watchBounds: { readonly count: number; readonly length: number } = {
  count: maxSubscriptions,
  length: watchedLength,
};

/** What one request may name. Each address is looked up, so it is far less than a body has room for. */
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

/** Rejects an address that is too long to be read or watched. */
export function checkAddress(uri: string): void {
  if (!isAddress(uri)) throw invalidParams(`The address is too long: at most ${maxUriLength} characters`);
}

/** The rejection of one subscription too many. */
function tooManySubscriptions(): ProtocolError {
  return invalidParams(`Too many subscriptions: at most ${watchBounds.count} for one client`);
}

/** The rejection where addresses are too long together. */
function tooLong(): ProtocolError {
  const { length } = watchBounds;
  return invalidParams(`Too many subscriptions: their addresses may have ${length} characters for one client`);
}

/** The rejection of a request that names too much. */
function tooManyAtOnce(bound: string): ProtocolError {
  return invalidParams(`Too many subscriptions: ${bound}; send several`);
}

/** The error when all clients together reached the limit of subscriptions. */
export function noRoom(): ProtocolError {
  return invalidParams('Too many subscriptions: the server can not watch more for all of its clients; try again later');
}

/** The same where it is known only that one of the three is so. */
export function noRoomInSession(): ProtocolError {
  const { count, length } = watchBounds;
  return invalidParams(
    `Too many subscriptions: at most ${count} for one client, of ${length} characters together, and as far as there is ` +
      'room for one caller, and for all: unsubscribe from others first',
  );
}

/** The addresses that a client watches, where they are kept in this process only. */
export class WatchList implements Subscriptions {
  /** Created when it is needed: most clients watch nothing. */
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
    if (this.size >= watchBounds.count) throw tooManySubscriptions();
    if (this.#length + uri.length > watchBounds.length) throw tooLong();
    this.#inAll ??= inAll;
    if (this.#inAll?.take(uri.length + perAddress) === false) throw noRoom();
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
export function watchedSet(uris: readonly string[]): { set: ReadonlySet<string>; bytes: number } {
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
