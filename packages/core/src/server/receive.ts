import { ErrorCode } from '../jsonrpc/errors.ts';
import { type Classified, type ErrorResponse, type RequestId, type Response } from '../jsonrpc/message.ts';
import { parse } from '../jsonrpc/parse.ts';
import { claimsStateless } from '../revisions/read-caller.ts';
import { mapAwaitable } from '../jsonrpc/awaitable.ts';
import { BatchAnswers, batchFullError } from './batch-responses.ts';
import type { EncodedResponse, Responses } from './call/encode-responses.ts';
import type { Peer } from './peer.ts';
import type { Engine } from './engine.ts';
import { logRejection } from './log/log-rejection.ts';

/** Maximum messages of a batch. */
const maxBatch = 100;

/** Parses and serves one text of a client, and returns the response. Never throws, never rejects. */
export function receive(server: Engine, text: string, peer: Peer): Responses | Promise<Responses> {
  const parsed = parse(text);
  switch (parsed.kind) {
    case 'invalid':
      return rejectInvalid(server, parsed, peer);
    case 'batch':
      return receiveBatch(server, parsed.items, peer);
    default:
      return server.handle(parsed.message, peer);
  }
}

/** The error response to an invalid message; none for a notification. */
function rejectInvalid(
  server: Engine,
  { answer, isNotification }: Classified & { kind: 'invalid' },
  peer: Peer,
): Response | undefined {
  if (isNotification) return undefined;
  logRejection(server, answer, peer);
  return answer;
}

/** Serves the messages of a batch, if the client's revision has batches, and returns their responses together. */
export function receiveBatch(server: Engine, items: Classified[], peer: Peer): Responses | Promise<Responses> {
  const problem = batchProblem(items, peer);
  if (problem !== undefined) return reject(server, peer, null, problem);

  return mapAwaitable(server.authorizeBatch(items, peer), (denied) => denied ?? serveItems(server, items, peer));
}

function batchProblem(items: Classified[], { session }: Peer): string | undefined {
  if (session?.revision?.batches !== true) return 'this protocol revision has no batches';
  if (items.length > maxBatch) return `a batch may hold at most ${maxBatch} messages`;
  return items.some(isStateless) ? 'a request that names its protocol version stands alone' : undefined;
}

function serveItems(server: Engine, items: Classified[], peer: Peer): Responses | Promise<Responses> {
  const ids = new Set<RequestId>();
  const answers = new BatchAnswers(server, peer.usage);
  const replies = items.map((item) => {
    if (answers.isFull && item.kind === 'request') {
      return answers.encode(server.errorResponse(item.message.id, batchFullError()));
    }
    const reply = receiveItem(server, item, peer, ids);
    if (reply instanceof Promise) return reply.then((late) => late && answers.countPending(answers.encode(late)));
    return reply && answers.encode(reply);
  });
  if (!replies.some((reply) => reply instanceof Promise)) return gather(replies as (EncodedResponse | undefined)[]);
  const pending = replies.map(async (reply) =>
    reply instanceof Promise ? reply : reply && answers.countPending(reply),
  );
  return Promise.all(pending)
    .then(gather)
    .finally(() => answers.release());
}

function receiveItem(
  server: Engine,
  item: Classified,
  peer: Peer,
  ids: Set<RequestId>,
): Response | undefined | Promise<Response | undefined> {
  if (item.kind === 'invalid') return rejectInvalid(server, item, peer);
  if (item.kind === 'request') {
    const { id, method } = item.message;
    const problem =
      method === 'initialize'
        ? '"initialize" must not be part of a batch'
        : ids.has(id) && 'two requests of a batch have the same id';
    if (problem) return reject(server, peer, id, problem);
    ids.add(id);
  }
  return server.handle(item.message, peer);
}

function gather(replies: (EncodedResponse | undefined)[]): Responses {
  const responses = replies.filter((reply) => reply !== undefined);
  return responses.length === 0 ? undefined : responses;
}

function isStateless(item: Classified): boolean {
  return (item.kind === 'request' || item.kind === 'notification') && claimsStateless(item.message.params);
}

function reject(server: Engine, peer: Peer, id: RequestId | null, why: string): ErrorResponse {
  const error = { code: ErrorCode.InvalidRequest, message: `Invalid request: ${why}` };
  const answer: ErrorResponse = { jsonrpc: '2.0', id, error };
  logRejection(server, answer, peer);
  return answer;
}
