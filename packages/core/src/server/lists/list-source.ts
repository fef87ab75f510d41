import type { Meta } from '../../protocol/meta.ts';
import type { Operation } from '../call/operation.ts';
import type { Server } from '../server.ts';

/** Fills the lists of a server from elsewhere, such as another server, when they are first asked for. */
export interface ListSource {
  /**
   * Called before a list is served. A promise where the list is not known yet: the answer waits for it, so it must be
   * bounded. Whether it resolves or rejects, what is registered then is served.
   */
  fill(operation: Operation): Promise<unknown> | undefined;
  /** Added to `_meta` of the list, such as a note that it may be out of date; undefined: nothing. */
  meta?(operation: Operation): Meta | undefined;
  /**
   * A server with what this caller alone is offered, beside what is registered for everybody: its lists end the last page,
   * and it serves what it lists. Undefined: the caller has none.
   */
  forCaller?(operation: Operation): Server | undefined;
}

/** Has all sources fill what they don't know yet: what has to be waited for. */
export function fillAll(sources: readonly ListSource[], operation: Operation): Promise<unknown>[] {
  return sources.map((source) => source.fill(operation)).filter((promise) => promise !== undefined);
}
