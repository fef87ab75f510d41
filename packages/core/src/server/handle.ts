import { brief, ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import {
  type Message,
  type Notification,
  PreparedResult,
  type Request,
  type RequestId,
  type Response,
} from '../jsonrpc/message.ts';
import { callerOf, claimsStateless } from '../revisions/admit.ts';
import type { Caller } from '../revisions/revision.ts';
import { validatorLoading } from '../schema/validator.ts';
import { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { restoreAnswers } from './questions.ts';
import { notificationMethods, requestMethods } from './methods/index.ts';
import { openSession } from './methods/initialize.ts';
import { cancelRunning } from './methods/notifications/cancelled.ts';
import type { Outcome, Server } from './server.ts';

type Reply = Response | undefined;

/** Serves one message. Stays synchronous where the method does. Never throws, never rejects. */
export function handle(server: Server, message: Message, exchange: Exchange): Reply | Promise<Reply> {
  if (!('method' in message)) {
    exchange.settle?.(message);
    return undefined;
  }
  if ('id' in message) return answer(server, message, exchange);
  notice(server, message, exchange);
  return undefined;
}

function answer(server: Server, request: Request, exchange: Exchange): Reply | Promise<Reply> {
  let call: Call | undefined;
  try {
    admit(server, request, exchange);
    call = new Call(server, callerFor(server, request, exchange), request, exchange);
    if (!isServed(call)) throw notFound(request.method);
    // Requests that come while one waits for the validator don't overtake it: they may count on its effect.
    const loading = validatorLoading() ?? requestMethods.get(request.method)?.prepare?.(call);
    const outcome = loading === undefined ? start(call) : startAfter(call, loading);
    return outcome instanceof Promise ? answerLater(call, outcome) : respond(call, outcome);
  } catch (error) {
    return call === undefined ? server.refusal(request.id, error) : call.refuse(error);
  }
}

function start(call: Call): Outcome | Promise<Outcome> {
  return isRetry(call) ? restoreAnswers(call).then(() => call.server.run(call)) : call.server.run(call);
}

function startAfter(call: Call, loading: Promise<void>): Promise<Outcome> {
  const go = (): Outcome | Promise<Outcome> => (call.done ? {} : start(call));
  return loading.then(go, go);
}

/** Ids are unique among running requests, and there is a limit to how many may run. */
function admit(server: Server, { id, method }: Request, { running }: Exchange): void {
  if (running.size === 0) return;
  if (running.has(id)) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: another request with this id is still running');
  }
  if (running.size >= server.maxRunning && method !== 'ping') {
    throw new ProtocolError(
      ErrorCode.InternalError,
      `Server busy: ${running.size} requests are running on this connection; try again when some have been answered`,
    );
  }
}

function callerFor(server: Server, request: Request, exchange: Exchange): Caller {
  if (request.method === 'initialize' && !claimsStateless(request.params))
    return openSession(server, request, exchange);
  return callerOf(request, exchange.session);
}

function isServed({ server, revision, method }: Call): boolean {
  if (!revision.requests.has(method)) return false;
  const { needs } = requestMethods.get(method) ?? {};
  return needs === undefined || server.offers(needs);
}

/** The second round of a request that was answered with questions. */
function isRetry({ revision, params }: Call): boolean {
  return revision.asksBy === 'result' && (params.requestState !== undefined || params.inputResponses !== undefined);
}

/** The innermost step of serving a call: its method. */
export function run(call: Call): Outcome | Promise<Outcome> {
  const method = requestMethods.get(call.method) ?? notificationMethods.get(call.method);
  if (method === undefined) throw notFound(call.method);
  return method.run(call);
}

function answerLater(call: Call, outcome: Promise<Outcome>): Promise<Reply> {
  return new Promise((resolve) => {
    call.track(resolve);
    outcome.then(
      (result) => call.settle(attempt(call, result)),
      (error: unknown) => {
        if (!call.done) call.settle(call.refuse(error));
      },
    );
  });
}

/** A result that can't be told to this caller is a refusal. */
function attempt(call: Call, outcome: Outcome): Reply {
  if (call.done) return undefined;
  try {
    return respond(call, outcome);
  } catch (error) {
    return call.refuse(error);
  }
}

function respond(call: Call, outcome: Outcome): Response {
  if (!(outcome instanceof PreparedResult)) return call.respond(outcome);
  return { jsonrpc: '2.0', id: call.requestId as RequestId, result: outcome };
}

function notice(server: Server, notification: Notification, exchange: Exchange): void {
  if (notification.method === 'notifications/cancelled') {
    cancelRunning(notification, exchange);
    return;
  }
  const { session } = exchange;
  if (session?.revision === undefined || claimsStateless(notification.params)) return;
  if (!session.revision.notifications.has(notification.method)) return;
  const call = new Call(server, session as Caller, notification, exchange);
  const fail = (error: unknown): void => server.reportError(`Unexpected error in ${notification.method}`, error);
  try {
    const outcome = server.run(call);
    if (outcome instanceof Promise) outcome.catch(fail);
  } catch (error) {
    fail(error);
  }
}

function notFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${brief(method)}`);
}
