import type { Readable, Writable } from 'node:stream';
import { endpointRateLimit } from '../../../features/rate-limit/limit-rate.ts';
import { provideServing } from '../../../features/load-serving.ts';
import { rateCounter } from '../../../features/rate-limit/rate-counter.ts';
import type { RateSpec } from '../../../features/rate-limit/rate-spec.ts';
import { connectionUsage } from '../../../features/quotas/quota.ts';
import { serving } from '../../../features/serving.ts';
import { createFraming, type FramingName } from '../../../jsonrpc/framing/detect.ts';
import type { Engine } from '../../../server/engine.ts';
import { serveStreams, type StreamConnection } from './connection.ts';
import type { EarlyEvents } from './early-handshake.ts';
import type { Write } from './write-buffer.ts';

/** Options of a connection on stdio. */
export interface ConnectOptions {
  input: Readable;
  output: Writable;
  write: Write;
  framing: FramingName;
  maxMessage: number;
  grace: number;
  rates: RateSpec | undefined;
  /** The events before the connection. */
  early: EarlyEvents | undefined;
}

/** Serves a pair of streams, with all that serves calls. Loaded late. */
export function connect(engine: Engine, options: ConnectOptions): StreamConnection {
  const { framing, maxMessage, rates, early } = options;
  provideServing(serving);
  if (rates !== undefined) engine.plug(endpointRateLimit);
  return serveStreams(engine, {
    ...options,
    framing: createFraming(early?.handshake === undefined ? framing : 'newline', maxMessage),
    usage: connectionUsage(rateCounter(rates)),
  });
}
