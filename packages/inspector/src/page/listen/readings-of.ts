import type { HeardResource } from '../model/heard.ts';
import type { Call, World } from '../model/world.ts';

/** The readings of a resource around a change of it. */
export interface Readings {
  /** The last one before that has a result. */
  readonly before: Call | undefined;
  /** The first one since, as far as it has come. */
  readonly after: Call | undefined;
}

/** Finds the last reading before a resource changed, and the first one since. */
export function readingsOf({ calls }: World, { connection, uri, n, last }: HeardResource): Readings {
  let before: Call | undefined;
  for (const call of calls.values()) {
    const { start, end } = call;
    if (start.method !== 'resources/read' || start.connection !== connection || start.subject !== uri) continue;
    if (start.n > last) return { before, after: call };
    if (start.n < n && end?.outcome === 'ok') before = call;
  }
  return { before, after: undefined };
}
