import type { Request } from '../../../../jsonrpc/message.ts';
import { type Awaitable, whenThere } from '../../../../jsonrpc/awaitable.ts';
import { handshakeExchange } from './exchange.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, type MessageSession, sessionOf } from '../sessions/session-of-message.ts';
import { postInitialize } from './initialize.ts';
import { refuse } from '../answer/refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './deliver.ts';
import { servedInSession } from './in-session.ts';

/** Serves a request of a handshake client. */
export function postHandshake(endpoint: Endpoint, visit: Visit, request: Request): Awaitable<void> {
  if (request.method === 'initialize') return postInitialize(endpoint, visit, request);
  const { changesSession: changes = false } = endpoint.server.methods.of(request.method);
  return whenThere(sessionOf(endpoint.sessions, visit, { changes }), (member) =>
    isRefused(member) ? refuse(visit, { ...member, id: request.id }) : serve(endpoint, visit, request, member),
  );
}

function serve(endpoint: Endpoint, visit: Visit, request: Request, member: MessageSession): Awaitable<void> {
  const { id, session, save } = member;
  const reply = new Reply(endpoint, visit, { session: id, primes: session.revision?.primesStreams });
  const exchange = handshakeExchange(endpoint, visit, member, reply);
  const answer = endpoint.server.handle(request, exchange);
  const kept = save === undefined ? answer : Promise.resolve(answer).then((response) => save().then(() => response));
  const serving = deliver(endpoint, kept, exchange, reply);
  return serving instanceof Promise && id !== undefined ? servedInSession(endpoint, id, exchange, serving) : serving;
}
