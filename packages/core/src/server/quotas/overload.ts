import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { limits } from '../../limits.ts';
import type { Exchange } from '../exchange.ts';
import type { Rated, RateCounter } from './rate-limit.ts';
import type { Held, Usage, UsageScope } from './quota.ts';

/** What the error of a request says that may be sent again later: when, and whose limit it was. */
export interface RetryHint {
  retryAfterMs: number;
  limit: UsageScope;
}

/** Of each thing: how it is told that there are so many, and what to do. */
const words = {
  calls: ['calls are running', 'try again when some have been answered'],
  waiting: ['requests are waiting for their turn', 'try again when some have been answered'],
  streams: ['streams are open', 'close some, or try again later'],
  incoming: ['bytes of long requests are being read and served', 'try again when some have been answered'],
  watched: ['bytes of addresses are watched', 'listen to less, or try again later'],
} satisfies Record<Held, [string, string]>;

const soonMs = limits.server.retryMs.value;
const laterMs = 5 * soonMs;

/** The error of a request that finds no room, in words that say whose limit it is. */
export function overload(full: Usage, what: Held): ProtocolError {
  full.refused(what, full.scope);
  const [are, remedy] = words[what];
  const held = `${full[what]} ${are}`;
  const told = {
    caller: `Too much at once: ${held} for you, and one caller may have no more; ${remedy}`,
    address: `Too much at once: ${held} for callers from your address who don't say who they are; ${remedy}`,
    server: `Server busy: ${held}; ${remedy}`,
  };
  return later(told[full.scope], { retryAfterMs: what === 'streams' ? laterMs : soonMs, limit: full.scope });
}

/** The error of a request on a connection that has too many running. */
export function crowdedConnection(running: number): ProtocolError {
  const message = `Server busy: ${running} requests are running on this connection; try again when some have been answered`;
  return later(message, { retryAfterMs: soonMs, limit: 'caller' });
}

/**
 * Counts a call of whoever is behind an exchange. Throws, or rejects, with an error that says when to come back where it is one
 * too many; a promise only where others have to be asked first.
 */
export function countCall(counter: RateCounter, exchange: Exchange, what: string): void | Promise<void> {
  const { usage, auth } = exchange;
  const rated = counter.take(usage?.rateKey ?? auth?.principal ?? '', usage?.terms.store);
  if (!(rated instanceof Promise)) return judge(counter, exchange, what, rated);
  return rated.then((late) => judge(counter, exchange, what, late));
}

function judge(counter: RateCounter, exchange: Exchange, what: string, rated: Rated): void {
  exchange.rated?.(counter, rated);
  const { waitMs } = rated;
  if (waitMs === 0) return;
  exchange.usage?.refused('rate', 'caller');
  throw later(`Too many ${what}: try again in ${waitMs} ms`, { retryAfterMs: waitMs, limit: 'caller' });
}

/** The error of a request that may be sent again later. */
export function later(message: string, hint: RetryHint, options?: ErrorOptions): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, hint, options);
}
