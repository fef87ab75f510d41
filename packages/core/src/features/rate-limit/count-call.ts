import type { BeforeTool } from '../../server/define/tool-entry.ts';
import type { Peer, Rated } from '../../server/peer.ts';
import { retryLater } from '../../server/retry-later.ts';
import { rateCounter } from './rate-counter.ts';
import type { RateCounter, RatedUsage } from './rate-limit.ts';
import type { RateSpec } from './rate-spec.ts';

/** Counts the calls of a tool against its own rate limit. */
export function countToolCalls(spec: RateSpec, name: string): BeforeTool {
  const counter = rateCounter(spec) as RateCounter;
  return (peer) => countCall(counter, peer, `calls of "${name}"`);
}

/**
 * Counts a call of a peer's caller. Above the limit it throws, or rejects, with an error that says when to retry; a
 * promise is returned only if other instances must be asked first.
 */
export function countCall(counter: RateCounter, peer: Peer, what: string): void | Promise<void> {
  const { auth } = peer;
  const usage: Partial<RatedUsage> | undefined = peer.usage;
  const rated = counter.take(usage?.rateKey ?? auth?.principal ?? '', usage?.terms?.store);
  if (!(rated instanceof Promise)) return checkRate(counter, peer, what, rated);
  return rated.then((result) => checkRate(counter, peer, what, result));
}

function checkRate(counter: RateCounter, peer: Peer, what: string, rated: Rated): void {
  peer.onRateCounted?.(counter, rated);
  const { waitMs } = rated;
  if (waitMs === 0) return;
  const usage: Partial<RatedUsage> | undefined = peer.usage;
  usage?.countRejection?.('rate', 'caller');
  throw retryLater(`Too many ${what}: try again in ${waitMs} ms`, { retryAfterMs: waitMs, limit: 'caller' });
}
