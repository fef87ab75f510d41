import { ErrorCode, ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { Response } from '../../../../jsonrpc/message.ts';
import type { Exchange } from '../../../../server/exchange.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Reply } from './reply.ts';

type Answers = Response | Response[] | undefined;

/** Gives answers to the reply, at once where they are there at once. While they are awaited the server can be stopped. */
export function deliver(
  endpoint: Endpoint,
  answers: Awaitable<Answers>,
  exchange: Exchange,
  reply: Reply,
): Awaitable<void> {
  return answers instanceof Promise ? giveLater(endpoint, answers, exchange, reply) : give(reply, answers);
}

async function giveLater(
  endpoint: Endpoint,
  answers: Promise<Answers>,
  exchange: Exchange,
  reply: Reply,
): Promise<void> {
  const done = track(endpoint, exchange);
  try {
    await give(reply, await answers);
  } finally {
    done();
  }
}

function give(reply: Reply, answers: Answers): Awaitable<void> {
  return answers === undefined ? reply.abandon() : reply.finish(answers);
}

/** Lets the requests of an exchange be ended when the handler is closed, until the function returned is called. */
export function track(endpoint: Endpoint, { running }: Exchange): () => void {
  const { server } = endpoint;
  const request = {
    close() {
      for (const call of running.values()) if (call.standing) call.close();
    },
    giveUp() {
      const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
      for (const [id, call] of running) {
        call.settle(server.refusal(id, reason));
        call.stop(reason);
      }
    },
  };
  endpoint.running.add(request);
  if (endpoint.closing) request.close();
  return () => endpoint.running.delete(request);
}
