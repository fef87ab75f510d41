import type { Meta } from '../../protocol/meta.ts';
import type { Operation } from '../call/operation.ts';
import type { Server } from '../server.ts';

/** Fills the lists of a server from elsewhere, such as another server, when they are first requested. */
export interface ListSource {
  /**
   * Called before a list is served. Returns a promise while entries are loading: the response waits for it, so it must
   * be bounded. Whether it resolves or rejects, the registered entries are served.
   */
  fill(operation: Operation): Promise<unknown> | undefined;
  /** Added to `_meta` of the list, such as a note that it may be stale; undefined: nothing. */
  meta?(operation: Operation): Meta | undefined;
  /**
   * Whether an unlisted resource may exist at a URI: `compose` reads it there, from a part where it is `known` first.
   * Default: undefined, no.
   */
  unlisted?(uri: string): 'known' | 'likely' | undefined;
  /**
   * Why its entries are unknown, such as an unreachable server: `compose` adds it to the error for an unknown name.
   * Default: undefined, they are known.
   */
  unknown?(): string | undefined;
  /**
   * A server with the entries that only this caller gets, beside those for all callers: its lists are appended to the
   * last page, and it serves its entries. Undefined: the caller has none.
   */
  forCaller?(operation: Operation): Server | undefined;
}

/** Fills all sources, and returns the pending ones. */
export function fillAll(sources: readonly ListSource[], operation: Operation): Promise<unknown>[] {
  return sources.map((source) => source.fill(operation)).filter((promise) => promise !== undefined);
}
