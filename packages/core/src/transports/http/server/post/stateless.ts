import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import type { Request, Response } from '../../../../jsonrpc/message.ts';
import type { Caller } from '../../../../revisions/revision.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { acquire } from '../../../../server/quotas/quota.ts';
import { ReplyExchange } from './exchange.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { endAtExpiry } from '../endpoint/expiry.ts';
import { checkArguments, checkMethod, checkName } from '../gate/mirrored-headers.ts';
import { comeBack, refuse, tooMuch } from '../answer/refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './deliver.ts';

/** Serves a request of the stateless era. Cancels it where the client goes away. */
export function postStateless(endpoint: Endpoint, visit: Visit, request: Request, caller: Caller): Awaitable<void> {
  const { http, accepts } = visit;
  const facts = endpoint.server.methods.of(request.method);
  checkMethod(http, request);
  checkName(http, request, facts);
  checkArguments(http, request, facts, endpoint.server);

  if (!facts.stands || !accepts.events) return serve(endpoint, visit, request, caller);
  return acquire(visit.usage, 'streams', (full) =>
    full === undefined
      ? serve(endpoint, visit, request, caller)
      : refuse(visit, { ...tooMuch(full, 'streams'), id: request.id }),
  );
}

function serve(endpoint: Endpoint, visit: Visit, request: Request, caller: Caller): Awaitable<void> {
  const { responder, accepts } = visit;
  const { stands = false } = endpoint.server.methods.of(request.method);
  const reply = new Reply(endpoint, visit, { statusOf });
  if (stands && !reply.streams) {
    const full = accepts.events ? visit.usage.full('streams') : undefined;
    const unread = { status: 406, message: 'Accept must allow text/event-stream' };
    return refuse(visit, { ...(full === undefined ? unread : tooMuch(full, 'streams')), id: request.id });
  }
  // Nobody could tell this client what changes elsewhere.
  if (stands && endpoint.store.status?.().ready === false) {
    return refuse(visit, { ...comeBack(new StoreFailure()), id: request.id });
  }
  const exchange = new ReplyExchange(reply, visit, caller);
  const answer = endpoint.server.handle(request, exchange);
  if (answer instanceof Promise) {
    responder.onGone(() => {
      exchange.gone = true;
      for (const call of exchange.running.values()) if (!call.outlives) call.cancel('The client went away');
    });
  }
  if (!stands || !(answer instanceof Promise)) return deliver(endpoint, answer, exchange, reply);
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
