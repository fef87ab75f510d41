import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { Parsed, Request, Response } from '../../../../jsonrpc/message.ts';
import { acquire } from '../../../../features/quotas/quota.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import { overQuota, reject, retryLater } from '../answer/reject.ts';
import type { HttpContext } from '../endpoint/context.ts';
import { endWhenCredentialsExpire } from '../endpoint/credentials-expiry.ts';
import { serveBatch } from './batch.ts';
import { initialize } from './initialize.ts';
import { receiveNotification } from './notification.ts';
import { respond, respondLater } from './respond.ts';
import { receiveResponse } from './response.ts';

/** Gives the message to the server, and the response to the client. */
export function dispatch(context: HttpContext): Awaitable<void> {
  context.running ??= new Map();
  const message = context.message as Exclude<Parsed, { kind: 'invalid' }>;
  switch (message.kind) {
    case 'request': {
      const { server } = context.endpoint;
      const request = message.message;
      if (context.caller === undefined) return initialize(context, request);
      if (server.methods.of(request.method).longLived === true) return serveLongLived(context, request);
      const response = server.handle(request, context);
      if (response instanceof Promise || context.member?.save !== undefined) {
        return awaitResponse(context, request, response);
      }
      return respond(context, response);
    }
    case 'notification':
      return receiveNotification(context, message.message);
    case 'response':
      return receiveResponse(context, message.message);
    case 'batch':
      return serveBatch(context, message.items);
  }
}

/** Responds when the response is ready and the session is saved. */
function awaitResponse(
  context: HttpContext,
  request: Request,
  response: Awaitable<Response | undefined>,
): Promise<void> {
  const save = context.member?.save;
  if (save !== undefined) return respondLater(context, respondAfterSave(context, request, { response, save }));
  cancelOnDisconnect(context);
  return respondLater(context, response as Promise<Response | undefined>);
}

/** A client without a session cancels a request by closing its connection. */
function cancelOnDisconnect(context: HttpContext): void {
  if (context.session !== undefined) return;
  context.responder.onDisconnect(() => {
    context.disconnected = true;
    for (const call of context.running.values()) if (!call.survivesDisconnect) call.cancel('The client disconnected');
  });
}

/** Returns the response when the session is saved, or an error if that fails. */
async function respondAfterSave(
  { endpoint: { server } }: HttpContext,
  { id }: Request,
  { response, save }: { response: Awaitable<Response | undefined>; save: () => Promise<ProtocolError | undefined> },
): Promise<Response | undefined> {
  const done = await response;
  const problem = await save();
  return problem === undefined ? done : server.errorResponse(id, problem);
}

/** Serves a long-lived request, such as `subscriptions/listen`. */
function serveLongLived(context: HttpContext, request: Request): Awaitable<void> {
  // Otherwise its params would be retained as long as it runs.
  context.message = undefined;
  if (context.session !== undefined) return serveListener(context, request);
  const { accepts, usage, endpoint } = context;
  if (!accepts.events) {
    return reject(context, { status: 406, message: 'Accept must allow text/event-stream', id: request.id });
  }
  return acquire(usage, 'streams', (exceeded) => {
    const full = exceeded ?? usage.full('streams');
    if (full !== undefined) return reject(context, { ...overQuota(full, 'streams'), id: request.id });
    // Without the store, the client would miss changes on other instances.
    if (endpoint.store.status?.().ready === false) {
      return reject(context, { ...retryLater(new StoreFailure()), id: request.id });
    }
    return serveListener(context, request);
  });
}

function serveListener(context: HttpContext, request: Request): Awaitable<void> {
  const response = context.endpoint.server.handle(request, context);
  if (!(response instanceof Promise)) return respond(context, response);
  cancelOnDisconnect(context);
  const stop = endWhenCredentialsExpire(context.endpoint, context, () => {
    for (const call of context.running.values()) call.close();
  });
  return respondLater(context, response).finally(stop);
}
