import type { Request } from '../../jsonrpc/message.ts';
import { type Awaitable, onceThere } from './awaitable.ts';
import { handshakeExchange } from './exchange.ts';
import type { Hub, Visit } from './hub.ts';
import { isRefused, type Membership, membership } from './membership.ts';
import { postInitialize } from './post-initialize.ts';
import { refuse } from './refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './serving.ts';
import { within } from './within.ts';

/** Methods after which something about a session must be kept. */
const changing = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** Serves a request of a handshake client. */
export function postHandshake(hub: Hub, visit: Visit, request: Request): Awaitable<void> {
  if (request.method === 'initialize') return postInitialize(hub, visit, request);
  const changes = changing.has(request.method);
  return onceThere(membership(hub, visit, { changes }), (member) =>
    isRefused(member) ? refuse(visit, { ...member, id: request.id }) : serve(hub, visit, request, member),
  );
}

function serve(hub: Hub, visit: Visit, request: Request, member: Membership): Awaitable<void> {
  const { id, session, save } = member;
  const reply = new Reply(hub, visit, { session: id, primes: session.revision?.primesStreams });
  const exchange = handshakeExchange(hub, visit, member, reply);
  const answer = hub.server.handle(request, exchange);
  const kept = save === undefined ? answer : Promise.resolve(answer).then((response) => save().then(() => response));
  const serving = deliver(hub, kept, exchange, reply);
  return serving instanceof Promise && id !== undefined ? within(hub, id, exchange, serving) : serving;
}
