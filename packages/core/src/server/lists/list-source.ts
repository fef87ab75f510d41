import type { Meta } from '../../protocol/meta.ts';
import type { Operation } from '../call/operation.ts';

/** Fills the lists of a server from elsewhere, such as another server, when they are first requested. */
export interface ListSource {
  /**
   * Called before a list is served. Returns a promise while entries are loading: the response waits for it, so it must
   * be bounded. Whether it resolves or rejects, the registered entries are served.
   */
  fill(operation: Operation): Promise<unknown> | undefined;
  /** Added to `_meta` of the list, such as a note that it may be out of date; undefined: nothing. */
  meta?(operation: Operation): Meta | undefined;
}

/** Fills all sources, and returns the pending ones. */
export function fillAll(sources: readonly ListSource[], operation: Operation): Promise<unknown>[] {
  return sources.map((source) => source.fill(operation)).filter((promise) => promise !== undefined);
}
