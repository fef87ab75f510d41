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
  /** Added to `_meta` of the list, such as a note that it may be out of date; undefined: nothing. */
  meta?(operation: Operation): Meta | undefined;
  /**
   * Whether there may be a resource that is not listed at an address: `compose` has it read there, first where it is `known`.
   * Default: undefined, no.
   */
  unlisted?(uri: string): 'known' | 'likely' | undefined;
  /**
   * Why its entries are not known, such as a server that can't be reached: `compose` adds it to the error of a call that names
   * something unknown. Default: undefined, they are.
   */
  unknown?(): string | undefined;
  /**
   * A server with what this caller alone is offered, beside what is registered for everybody: its lists end the last page,
   * and it serves what it lists. Undefined: the caller has none.
   */
  forCaller?(operation: Operation): Server | undefined;
}

/** Fills all sources, and returns the pending ones. */
export function fillAll(sources: readonly ListSource[], operation: Operation): Promise<unknown>[] {
  return sources.map((source) => source.fill(operation)).filter((promise) => promise !== undefined);
}
