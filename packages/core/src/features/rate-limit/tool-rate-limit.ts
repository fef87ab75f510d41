import type { ToolFeatures } from '../../server/define/feature-options.ts';
import type { BeforeTool } from '../../server/define/tool-entry.ts';
import type { Peer, Rated } from '../../server/peer.ts';
import { retryLater } from '../../server/retry-later.ts';
import { rateCounter } from './rate-counter.ts';
import type { RateCounter, RatedUsage } from './rate-limit.ts';

/** Counts the calls of a tool that has a limit of its own. */
export function toolRateLimit(
  { name, rateLimit }: Pick<ToolFeatures<[]>, 'rateLimit'> & { readonly name: string },
  server: string,
): BeforeTool | undefined {
  const counter = rateCounter(rateLimit, { name: 'tool', key: `${server}/${name}` });
  return counter && ((peer) => countCall(counter, peer, `calls of "${name}"`));
}

/**
 * Counts a call of the peer's caller. Throws or rejects with a retry hint if the limit is exceeded. Returns a promise
 * only if the store must be asked.
 */
export function countCall(counter: RateCounter, peer: Peer, what: string): void | Promise<void> {
  const { auth } = peer;
  const usage: Partial<RatedUsage> | undefined = peer.usage;
  const rated = counter.take(usage?.rateKey ?? auth?.principal ?? '', usage?.terms?.store);
  if (!(rated instanceof Promise)) return checkRate(counter, peer, what, rated);
  return rated.then((result) => checkRate(counter, peer, what, result));
}

function checkRate(counter: RateCounter, peer: Peer, what: string, rated: Rated): void {
  peer.rated?.(counter, rated);
  const { waitMs } = rated;
  if (waitMs === 0) return;
  const usage: Partial<RatedUsage> | undefined = peer.usage;
  usage?.countRejection?.('rate', 'caller');
  throw retryLater(`Too many ${what}: try again in ${waitMs} ms`, { retryAfterMs: waitMs, limit: 'caller' });
}
