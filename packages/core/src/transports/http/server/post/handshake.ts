import type { Request, Response } from '../../../../jsonrpc/message.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { handshakeExchange } from './exchange.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, type MessageSession, sessionOf } from '../sessions/session-of-message.ts';
import { postInitialize } from './initialize.ts';
import { type Refusal, refuse } from '../answer/refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './deliver.ts';
import { servedInSession } from './in-session.ts';

/** Serves a request of a handshake client. */
export function postHandshake(endpoint: Endpoint, visit: Visit, request: Request): Awaitable<void> {
  if (request.method === 'initialize') return postInitialize(endpoint, visit, request);
  const { changesSession: changes = false } = endpoint.server.methods.of(request.method);
  const member = sessionOf(endpoint.sessions, visit, { changes });
  if (member instanceof Promise) return member.then((found) => serve(endpoint, visit, request, found));
  return serve(endpoint, visit, request, member);
}

function serve(endpoint: Endpoint, visit: Visit, request: Request, member: MessageSession | Refusal): Awaitable<void> {
  if (isRefused(member)) return refuse(visit, { ...member, id: request.id });
  const { id, session, save } = member;
  const reply = new Reply(endpoint, visit, { session: id, primes: session.revision?.primesStreams });
  const exchange = handshakeExchange(endpoint, visit, member, reply);
  const answer = endpoint.server.handle(request, exchange);
  const kept = save === undefined ? answer : keep(endpoint, request, { answer, save });
  const serving = deliver(endpoint, kept, exchange, reply);
  return serving instanceof Promise && id !== undefined ? servedInSession(endpoint, id, exchange, serving) : serving;
}

/** Gives the answer when what was changed is kept; an error where it can't be. */
async function keep(
  { server }: Endpoint,
  { id }: Request,
  { answer, save }: { answer: Awaitable<Response | undefined>; save: NonNullable<MessageSession['save']> },
): Promise<Response | undefined> {
  const response = await answer;
  const problem = await save();
  return problem === undefined ? response : server.refusal(id, problem);
}
