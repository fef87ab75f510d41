import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { type Classified, encode, type RequestId } from '../../../../jsonrpc/message.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Responses } from '../../../../server/call/encode-responses.ts';
import { receiveBatch } from '../../../../server/receive.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { cancelRequest } from './notification.ts';
import { respond, respondLater } from './respond.ts';
import { isTooDeep } from './response.ts';

/** Serves a batch of a handshake client, where its revision has batches. */
export function serveBatch(context: HttpContext, items: Classified[]): Awaitable<void> {
  const { endpoint, member } = context;
  const responses = receiveBatch(endpoint.server, items, context);
  if (member?.id === undefined) {
    return responses instanceof Promise ? respondLater(context, responses) : respond(context, responses);
  }
  return respondLater(context, finish(endpoint, member.id, items, { responses, save: member.save }));
}

/** Returns the responses when other instances got their messages and the session is saved. */
async function finish(
  endpoint: Endpoint,
  session: string,
  items: Classified[],
  {
    responses,
    save,
  }: { responses: Awaitable<Responses>; save: (() => Promise<ProtocolError | undefined>) | undefined },
): Promise<Responses> {
  for (const item of items) await forward(endpoint, session, item);
  const done = await responses;
  const problem = await save?.();
  return problem === undefined ? done : withProblem(endpoint, items, done, problem);
}

/** Forwards what concerns other requests of the session to the instances where they run. */
async function forward(endpoint: Endpoint, id: string, item: Classified): Promise<void> {
  if (item.kind === 'response' && !isTooDeep(item.message))
    await endpoint.sessions.publish(id, { kind: 'answer', response: item.message });
  if (item.kind === 'notification') await cancelRequest(endpoint, id, item.message);
}

/** The subscriptions of a batch are saved together: where that fails, each request for one gets the error. */
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
    return { id: response.id, json: encode(server.errorResponse(response.id as RequestId, problem)) };
  });
}
