import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Exchange } from '../../../../server/exchange.ts';
import type { Responses } from '../../../../server/call/encode-responses.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { trackRunning } from '../endpoint/track-running.ts';
import type { Reply } from './reply.ts';

/** Gives responses to the reply, at once where they are there. While they are awaited the server can be stopped. */
export function deliver(
  endpoint: Endpoint,
  responses: Awaitable<Responses>,
  exchange: Exchange,
  reply: Reply,
): Awaitable<void> {
  return responses instanceof Promise ? deliverLater(endpoint, responses, exchange, reply) : finish(reply, responses);
}

async function deliverLater(
  endpoint: Endpoint,
  responses: Promise<Responses>,
  exchange: Exchange,
  reply: Reply,
): Promise<void> {
  const done = trackRunning(endpoint, exchange);
  try {
    await finish(reply, await responses);
  } finally {
    done();
  }
}

function finish(reply: Reply, responses: Responses): Awaitable<void> {
  return responses === undefined ? reply.abandon() : reply.finish(responses);
}
