import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import type { Request, Response } from '../../../../jsonrpc/message.ts';
import type { Caller } from '../../../../revisions/revision.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { ReplyExchange } from './exchange.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { endAtExpiry } from '../endpoint/expiry.ts';
import { checkArguments, checkMethod, checkName } from '../gate/mirrored-headers.ts';
import { refuse, tooMuch } from '../answer/refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './deliver.ts';

/** Serves a request of the stateless era. Cancels it where the client goes away. */
export function postStateless(endpoint: Endpoint, visit: Visit, request: Request, caller: Caller): Awaitable<void> {
  const { http, responder, accepts } = visit;
  const facts = endpoint.server.methods.of(request.method);
  checkMethod(http, request);
  checkName(http, request, facts);
  checkArguments(http, request, facts, endpoint.server);

  const reply = new Reply(endpoint, visit, { statusOf });
  if (facts.stands && !reply.streams) {
    const full = accepts.events ? visit.usage.full('streams') : undefined;
    const unread = { status: 406, message: 'Accept must allow text/event-stream' };
    return refuse(visit, { ...(full === undefined ? unread : tooMuch(full, 'streams')), id: request.id });
  }
  const exchange = new ReplyExchange(reply, visit, caller);
  const answer = endpoint.server.handle(request, exchange);
  if (answer instanceof Promise) {
    responder.onGone(() => {
      for (const call of exchange.running.values()) call.cancel('The client went away');
    });
  }
  if (!facts.stands || !(answer instanceof Promise)) return deliver(endpoint, answer, exchange, reply);
  const callOff = endAtExpiry(endpoint, visit, () => {
    for (const call of exchange.running.values()) call.close();
  });
  return Promise.resolve(deliver(endpoint, answer, exchange, reply)).finally(callOff);
}

/** Most errors are answers like others; these concern the request as such. */
function statusOf(response: Response): number {
  if (!('error' in response)) return 200;
  switch (response.error.code) {
    case ErrorCode.MethodNotFound:
      return 404;
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingClientCapability:
    case ErrorCode.UnsupportedVersion:
      return 400;
    default:
      return 200;
  }
}
