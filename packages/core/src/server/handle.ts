import { brief, ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { type Message, type Notification, type Request, type Response } from '../jsonrpc/message.ts';
import { declares, isInEra } from '../protocol/capabilities.ts';
import { callerInSession, readCaller } from '../revisions/admit.ts';
import { revisionOf } from '../revisions/history.ts';
import type { Caller } from '../revisions/revision.ts';
import type { Store } from '../stores/store.ts';
import { validatorLoading } from '../schema/validator.ts';
import { type Aside, type AsideCall, asideExchange, type KeptCall, outcomeOf } from './call/background-job.ts';
import { Call } from './call/call.ts';
import type { Engine, ServedOperation } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { logRejection } from './observe/log-rejection.ts';
import { missingExtension } from './extension.ts';
import { notificationMethods, requestMethods } from './methods/index.ts';
import { openSession } from './methods/initialize.ts';
import type { Method } from './methods/method.ts';
import { cancelRunning } from './methods/notifications/cancelled.ts';
import { type CallSlot, observeRequest } from './observe/observe-request.ts';
import type { Outcome } from './call/operation.ts';
import { countCall, crowdedConnection, overload } from './quotas/overload.ts';
import { restoreAnswers } from './call/questions.ts';
import type { RateCounter } from './quotas/rate-limit.ts';
import { idempotencyKey, runIdempotent } from './idempotency/idempotent-call.ts';
import { acquire } from './quotas/quota.ts';
import { respond, fail, complete } from './call/complete.ts';
import { demandScopes, isLimited } from './scopes/check-scopes.ts';

/** Serves one message. Stays synchronous where the method does. Never throws, never rejects. */
export function handle(
  server: Engine,
  message: Message,
  exchange: Exchange,
): Response | undefined | Promise<Response | undefined> {
  if (!('method' in message)) {
    exchange.settle?.(message);
    return undefined;
  }
  if (server.options.warnUninitialized === true) warnUninitialized(server, message.method, exchange);
  if ('id' in message) {
    if (server.observers.length === 0) return answer(server, message, exchange);
    return observeRequest(server, message, exchange, (slot) => answer(server, message, exchange, slot));
  }
  notice(server, message, exchange);
  return undefined;
}

/** Tells the operator, once for each client, of what came before the client said that it is ready. */
function warnUninitialized(server: Engine, method: string, { session }: Exchange): void {
  if (session?.revision === undefined || session.initialized || session.isWarnedOf) return;
  if (method === 'notifications/initialized') return;
  session.isWarnedOf = true;
  server.note('warning', `"${brief(method)}" came before "notifications/initialized"`);
}

function answer(
  server: Engine,
  request: Request,
  exchange: Exchange,
  slot?: CallSlot,
): Response | undefined | Promise<Response | undefined> {
  try {
    const counted = limit(server, request, exchange);
    if (counted === undefined) return place(server, request, exchange, slot);
    return counted
      .then(() => (exchange.gone === true ? undefined : place(server, request, exchange, slot)))
      .catch((error: unknown) => refuse(server, request, exchange, error));
  } catch (error) {
    return refuse(server, request, exchange, error);
  }
}

/** The answer to a request that no middleware has seen. */
function refuse(server: Engine, request: Request, exchange: Exchange, error: unknown): Response {
  const response = server.refusal(request.id, error);
  logRejection(server, response, exchange, { message: request });
  return response;
}

type Answer = Response | undefined | Promise<Response | undefined>;

/** Serves a request as soon as this instance has a place for it. */
function place(server: Engine, request: Request, exchange: Exchange, slot?: CallSlot): Answer {
  const { usage } = exchange;
  const { method } = request;
  if (usage?.lacking('calls') === undefined || server.methods.of(method).urgent) {
    return admitted(server, request, exchange, slot);
  }
  return acquire(usage, 'calls', (full): Answer => {
    if (exchange.gone === true) return undefined;
    if (full === undefined) return admitted(server, request, exchange, slot);
    return refuse(server, request, exchange, overload(full, 'calls'));
  });
}

/** Serves a request that there is room for. Ids are unique among running requests. */
function admitted(
  server: Engine,
  request: Request,
  exchange: Exchange,
  slot?: CallSlot,
): Response | undefined | Promise<Response | undefined> {
  let call: Call | undefined;
  let isServed = false;
  try {
    // Here and not before: while this one waited for its turn, another may have begun.
    if (exchange.running.has(request.id)) throw sameId();
    call = new Call(server, callerOf(server, request, exchange), request, exchange);
    if (slot !== undefined) slot.call = call;
    const method = methodFor(call);
    // Before any middleware: whoever lacks something sets nothing in motion, and an answer has not begun.
    if (server.scoped && isLimited(exchange)) demandScopes(call, method.scopes?.(call));
    // Requests that come while one waits for the validator don't overtake it: they may count on its effect.
    const loading = validatorLoading() ?? method.prepare?.(call);
    isServed = true;
    const outcome = loading === undefined ? start(call) : startAfter(call, loading);
    return outcome instanceof Promise ? answerLater(call, outcome) : respond(call, outcome);
  } catch (error) {
    if (call === undefined) return refuse(server, request, exchange, error);
    const response = call.refuse(error);
    if (!isServed) logRejection(server, response, exchange, { message: request, call });
    return response;
  }
}

/** There is a limit to how many may run, and how often one may call. A promise where other instances have to be asked first. */
function limit(
  { maxRunning, methods, rates }: Engine,
  { method }: Request,
  exchange: Exchange,
): Promise<void> | undefined {
  const { running, usage } = exchange;
  const full = usage?.full('calls');
  const own = usage?.terms.rates;
  const isRated = rates !== undefined || own !== undefined;
  if (full === undefined && running.size < maxRunning && !isRated) return undefined;
  if (methods.of(method).urgent) return undefined;
  if (full !== undefined) throw overload(full, 'calls');
  if (running.size >= maxRunning) throw crowdedConnection(running.size);
  return isRated ? countAll(own, rates, exchange) : undefined;
}

/** Counts a request by the limits of its endpoint and of its server. */
function countAll(
  own: RateCounter | undefined,
  rates: RateCounter | undefined,
  exchange: Exchange,
): Promise<void> | undefined {
  const first = own === undefined ? undefined : countCall(own, exchange, 'requests');
  if (rates === undefined) return first ?? undefined;
  if (first === undefined) return countCall(rates, exchange, 'requests') ?? undefined;
  return first.then(() => countCall(rates, exchange, 'requests'));
}

/** Who sends a request and in which revision: as the transport found out, or the request says, or its session knows. */
function callerOf(server: Engine, request: Request, exchange: Exchange): Caller {
  if (exchange.caller !== undefined) return exchange.caller;
  const caller = readCaller(request);
  if (caller !== undefined) {
    if (exchange.session !== undefined) exchange.session.isStateless = true;
    return caller;
  }
  if (request.method === 'initialize') return openSession(server, request, exchange);
  return callerInSession(request, exchange.session, (method) => server.extensions.method(method) !== undefined);
}

/** Finds who serves a request: a method of its revision, or one of an extension that both sides have. */
function methodFor(call: Call): Pick<Method, 'prepare' | 'scopes'> {
  const { server, revision, method } = call;
  const served = revision.requests.has(method) ? requestMethods.get(method) : undefined;
  if (served !== undefined) {
    const { needs } = server.methods.of(method);
    if (needs !== undefined && !server.offers(needs)) throw notFound(method);
    call.served = served;
    return served;
  }
  const found = server.extensions.methodIn(method, revision);
  if (found === undefined) throw notFound(method);
  const { id } = found.extension;
  const isOwed = revision.era === 'handshake' || found.method.servesEveryone === true;
  if (!isOwed && !declares(call.clientCapabilities, id)) throw missingExtension(`"${method}"`, id);
  const { scopes } = found;
  return scopes === undefined ? {} : { scopes: ({ params }) => scopes.of(params) };
}

function start(call: Call): Outcome | Promise<Outcome> {
  const key = idempotencyKey(call);
  const outcome = key === undefined ? begin(call) : runIdempotent(call, key, () => begin(call));
  // Pipelined requests run in one turn: flush per call, so that each change is notified before its answer.
  if (!(outcome instanceof Promise)) call.server.feed.flush();
  return outcome;
}

function begin(call: Call): Outcome | Promise<Outcome> {
  return isRetry(call) ? restoreAnswers(call).then(() => call.server.run(call)) : call.server.run(call);
}

function startAfter(call: Call, loading: Promise<void>): Promise<Outcome> {
  const go = (): Outcome | Promise<Outcome> => (call.done ? {} : start(call));
  return loading.then(go, go);
}

/** The second round of a request that was answered with questions. */
function isRetry({ revision, params }: Call): boolean {
  return revision.asksBy === 'result' && (params.requestState !== undefined || params.inputResponses !== undefined);
}

/** The innermost step of serving an operation: its method. */
export function serveCall(operation: ServedOperation): Outcome | Promise<Outcome> {
  // Every operation is a call: this file makes them, and nobody else does.
  const call = operation as Call;
  const { method, server, revision } = call;
  const served = call.served ?? notificationMethods.get(method);
  if (served !== undefined) return served.run(call);
  const added = server.extensions.methodIn(method, revision);
  if (added !== undefined) return added.method.serve(call);
  const heard = server.extensions.notification(method)?.notification.receive?.(call);
  return heard instanceof Promise ? heard.then(() => ({})) : {};
}

function answerLater(call: Call, outcome: Promise<Outcome>): Promise<Response | undefined> {
  return new Promise((resolve) => {
    call.track(resolve);
    outcome.then(
      (result) => complete(call, result),
      (error: unknown) => fail(call, error),
    );
  });
}

/** Does the work of a call again that was kept. Not in this turn: whoever wants it gets hold of the call first. */
export function again(server: Engine, kept: KeptCall, aside: Aside, store: Store): AsideCall {
  const { method, params, auth, capabilities, clientInfo, answers } = kept;
  const revision = revisionOf(kept.revision);
  if (revision === undefined) throw new TypeError(`The call was kept in revision ${kept.revision}, which is not known`);
  const caller: Caller = { revision, capabilities, clientInfo, logLevel: undefined };
  const request: Request = { jsonrpc: '2.0', id: 0, method, params };
  const call = new Call(server, caller, request, asideExchange({ ...(auth && { auth }), store }));
  if (answers !== undefined) call.extras.answers = answers;
  call.goAside(aside);
  const work = async (): Promise<Outcome> => {
    const { prepare } = methodFor(call);
    await (validatorLoading() ?? prepare?.(call));
    return call.done ? {} : await server.run(call);
  };
  void answerLater(call, Promise.resolve().then(work)).then((response) => aside.end(outcomeOf(response)));
  return call;
}

function notice(server: Engine, notification: Notification, exchange: Exchange): void {
  const { method } = notification;
  if (method === 'notifications/cancelled') {
    cancelRunning(notification, exchange);
    return;
  }
  const fail = (error: unknown): void => server.reportError(`Unexpected error in ${method}`, error);
  try {
    const caller = exchange.caller ?? readCaller(notification) ?? exchange.session;
    if (caller?.revision === undefined || !isHeard(server, method, caller as Caller)) return;
    const outcome = server.run(new Call(server, caller as Caller, notification, exchange));
    if (outcome instanceof Promise) outcome.catch(fail);
  } catch (error) {
    // A notification has no answer: one that can't be read is nobody's fault on this side.
    if (!(error instanceof ProtocolError)) fail(error);
  }
}

/** True for what the client's revision has, and for what an extension takes that both sides have. */
function isHeard({ extensions }: Engine, method: string, { revision, capabilities }: Caller): boolean {
  if (revision.notifications.has(method)) return revision.era === 'handshake';
  const found = extensions.notification(method);
  if (found?.notification.receive === undefined || !isInEra(found.extension, revision.era)) return false;
  return revision.era === 'handshake' || declares(capabilities, found.extension.id);
}

function sameId(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: another request with this id is still running');
}

function notFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${brief(method)}`);
}
