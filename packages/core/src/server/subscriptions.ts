import { invalidParams, type ProtocolError } from '../jsonrpc/errors.ts';
import { limits } from '../limits.ts';
import type { Budget } from './quotas/budget.ts';

/** The addresses that one client watches. */
export interface Subscriptions {
  has(uri: string): boolean;
  /** Throws an error for the client where it watches too much already. `inAll` is what all clients may watch. */
  add(uri: string, inAll?: Budget): void;
  delete(uri: string): void;
  /** All of them. */
  uris(): Iterable<string>;
  /** The client is gone. */
  clear(): void;
}

const maxAddress = limits.server.address.value;

/** What one client may watch. */
export const watchBounds: { readonly count: number; readonly length: number } = {
  count: limits.server.subscriptions.value,
  length: limits.server.watchedLength.value,
};

/** What one request may name. Each address is looked up, so it is far less than a body has room for. */
const listenBounds = {
  count: limits.server.listenAddresses.value,
  length: limits.server.listenLength.value,
};

/** What an address takes in memory beside its characters. */
const perAddress = 64;

/** False for what is too long to be an address. */
export function isAddress(uri: string): boolean {
  return uri.length <= maxAddress;
}

/** Refuses an address that is too long to be read or watched. */
export function checkAddress(uri: string): void {
  if (!isAddress(uri)) throw invalidParams(`The address is too long: at most ${maxAddress} characters`);
}

/** The refusal of one subscription too many. */
function tooMany(): ProtocolError {
  return invalidParams(`Too many subscriptions: at most ${watchBounds.count} for one client`);
}

/** The refusal where addresses are too long together. */
function tooLong(): ProtocolError {
  const { length } = watchBounds;
  return invalidParams(`Too many subscriptions: their addresses may have ${length} characters for one client`);
}

/** The refusal of a request that names too much. */
function tooManyAtOnce(bound: string): ProtocolError {
  return invalidParams(`Too many subscriptions: ${bound}; send several`);
}

/** The refusal where others watch so much that there is no room. */
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
  readonly #uris = new Set<string>();
  #length = 0;
  #inAll: Budget | undefined;

  get size(): number {
    return this.#uris.size;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  add(uri: string, inAll?: Budget): void {
    if (this.#uris.has(uri)) return;
    if (this.#uris.size >= watchBounds.count) throw tooMany();
    if (this.#length + uri.length > watchBounds.length) throw tooLong();
    this.#inAll ??= inAll;
    if (this.#inAll?.take(uri.length + perAddress) === false) throw noRoom();
    this.#uris.add(uri);
    this.#length += uri.length;
  }

  delete(uri: string): void {
    if (!this.#uris.delete(uri)) return;
    this.#length -= uri.length;
    this.#inAll?.give(uri.length + perAddress);
  }

  uris(): Iterable<string> {
    return this.#uris;
  }

  clear(): void {
    this.#inAll?.give(this.#length + perAddress * this.#uris.size);
    this.#uris.clear();
    this.#length = 0;
  }
}

/** The addresses of one request, as a set, and what they take of what all clients may watch. */
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
