import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { type Classified, encode, type RequestId, type Response } from '../../../../jsonrpc/message.ts';
import type { Responses } from '../../../../server/call/encode-responses.ts';
import { receiveBatch } from '../../../../server/receive.ts';
import { handshakeExchange } from './exchange.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, sessionOf } from '../sessions/session-of-message.ts';
import { cancel } from './notification.ts';
import { refuse } from '../answer/refusal.ts';
import { isTooDeep } from './response.ts';
import { Reply } from './reply.ts';
import { deliver } from './deliver.ts';
import { servedInSession } from './in-session.ts';

/** Serves several messages of a handshake client together, where its revision has batches. */
export async function postBatch(endpoint: Endpoint, visit: Visit, items: Classified[]): Promise<void> {
  const member = await sessionOf(endpoint.sessions, visit, { changes: mayChange(endpoint, items) });
  if (isRefused(member)) return refuse(visit, member);
  const { id, save } = member;
  const reply = new Reply(endpoint, visit, { session: id, batch: true, statusOf });
  const exchange = handshakeExchange(endpoint, visit, member, reply);
  const answers = receiveBatch(endpoint.server, items, exchange);
  if (id === undefined) return deliver(endpoint, answers, exchange, reply);
  const kept = (async () => {
    for (const item of items) await pass(endpoint, id, item);
    const done = await answers;
    const problem = await save?.();
    return problem === undefined ? done : withProblem(endpoint, items, done, problem);
  })();
  return servedInSession(endpoint, id, exchange, deliver(endpoint, kept, exchange, reply) as Promise<void>);
}

/** Only what may change the session needs it from the store. */
function mayChange({ server }: Endpoint, items: Classified[]): boolean {
  return items.some(
    (item) =>
      item.kind === 'notification' ||
      (item.kind === 'request' && server.methods.of(item.message.method).changesSession === true),
  );
}

/** What concerns other requests of the session is told wherever they run. */
async function pass(endpoint: Endpoint, id: string, item: Classified): Promise<void> {
  if (item.kind === 'response' && !isTooDeep(item.message))
    await endpoint.sessions.tell(id, { kind: 'answer', response: item.message });
  if (item.kind === 'notification') await cancel(endpoint, id, item.message);
}

/** What a batch wanted to watch is kept together: where there is no room, all who wanted something are told. */
function withProblem(
  { server }: Endpoint,
  items: Classified[],
  responses: Responses,
  problem: ProtocolError,
): Responses {
  const subscribing = new Set<unknown>();
  for (const item of items) {
    if (item.kind === 'request' && item.message.method === 'resources/subscribe') subscribing.add(item.message.id);
  }
  if (!Array.isArray(responses)) return responses;
  return responses.map((response) => {
    if (!subscribing.has(response.id)) return response;
    return { id: response.id, json: encode(server.refusal(response.id as RequestId, problem)) };
  });
}

/** A batch that is refused as a whole gets one error. */
function statusOf(response: Response): number {
  return 'error' in response ? 400 : 200;
}
