import { ErrorCode } from '../jsonrpc/errors.ts';
import { type Classified, type ErrorResponse, parse, type RequestId, type Response } from '../jsonrpc/message.ts';
import { claimsStateless } from '../revisions/admit.ts';
import { whenThere } from '../jsonrpc/awaitable.ts';
import { BatchAnswers, unservedInBatch } from './batch-responses.ts';
import type { EncodedResponse, Responses } from './call/encode-responses.ts';
import type { Exchange } from './exchange.ts';
import type { Engine } from './engine.ts';
import { logRejection } from './observe/log-rejection.ts';
import { checkBatchScopes } from './scopes/batch-scopes.ts';
import { isLimited } from './scopes/check-scopes.ts';
import { limits } from '../limits.ts';

const maxBatch = limits.server.maxBatch.value;

/** Takes one text from a client and gives its answer. Never throws, never rejects. */
export function receive(server: Engine, text: string, exchange: Exchange): Responses | Promise<Responses> {
  const parsed = parse(text);
  switch (parsed.kind) {
    case 'invalid':
      return refuseInvalid(server, parsed, exchange);
    case 'batch':
      return receiveBatch(server, parsed.items, exchange);
    default:
      return server.handle(parsed.message, exchange);
  }
}

/** The answer to what is no message; none for a notification. */
function refuseInvalid(
  server: Engine,
  { answer, isNotification }: Classified & { kind: 'invalid' },
  exchange: Exchange,
): Response | undefined {
  if (isNotification) return undefined;
  logRejection(server, answer, exchange);
  return answer;
}

/** Takes the messages of a batch, where the client's revision has batches, and gives their answers together. */
export function receiveBatch(server: Engine, items: Classified[], exchange: Exchange): Responses | Promise<Responses> {
  const problem = batchProblem(items, exchange);
  if (problem !== undefined) return refuse(server, exchange, null, problem);

  if (server.scoped && isLimited(exchange)) {
    const lacking = checkBatchScopes(server, items, exchange);
    return whenThere(lacking, (refusal) => refusal ?? serveItems(server, items, exchange));
  }
  return serveItems(server, items, exchange);
}

function batchProblem(items: Classified[], { session }: Exchange): string | undefined {
  if (session?.revision?.batches !== true) return 'this protocol revision has no batches';
  if (items.length > maxBatch) return `a batch may hold at most ${maxBatch} messages`;
  return items.some(isStateless) ? 'a request that names its protocol version stands alone' : undefined;
}

function serveItems(server: Engine, items: Classified[], exchange: Exchange): Responses | Promise<Responses> {
  const ids = new Set<RequestId>();
  const answers = new BatchAnswers(server, exchange.usage);
  const replies = items.map((item) => {
    if (answers.isFull && item.kind === 'request') {
      return answers.encode(server.refusal(item.message.id, unservedInBatch()));
    }
    const reply = receiveItem(server, item, exchange, ids);
    if (reply instanceof Promise) return reply.then((late) => late && answers.hold(answers.encode(late)));
    return reply && answers.encode(reply);
  });
  if (!replies.some((reply) => reply instanceof Promise)) return gather(replies as (EncodedResponse | undefined)[]);
  const held = replies.map(async (reply) => (reply instanceof Promise ? reply : reply && answers.hold(reply)));
  return Promise.all(held)
    .then(gather)
    .finally(() => answers.release());
}

function receiveItem(
  server: Engine,
  item: Classified,
  exchange: Exchange,
  ids: Set<RequestId>,
): Response | undefined | Promise<Response | undefined> {
  if (item.kind === 'invalid') return refuseInvalid(server, item, exchange);
  if (item.kind === 'request') {
    const { id, method } = item.message;
    const problem =
      method === 'initialize'
        ? '"initialize" must not be part of a batch'
        : ids.has(id) && 'two requests of a batch have the same id';
    if (problem) return refuse(server, exchange, id, problem);
    ids.add(id);
  }
  return server.handle(item.message, exchange);
}

function gather(replies: (EncodedResponse | undefined)[]): Responses {
  const responses = replies.filter((reply) => reply !== undefined);
  return responses.length === 0 ? undefined : responses;
}

function isStateless(item: Classified): boolean {
  return (item.kind === 'request' || item.kind === 'notification') && claimsStateless(item.message.params);
}

function refuse(server: Engine, exchange: Exchange, id: RequestId | null, why: string): ErrorResponse {
  const error = { code: ErrorCode.InvalidRequest, message: `Invalid request: ${why}` };
  const answer: ErrorResponse = { jsonrpc: '2.0', id, error };
  logRejection(server, answer, exchange);
  return answer;
}
