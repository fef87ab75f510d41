import type { AuthRefusal } from '../../../auth/server/authenticator.ts';
import { challengeBy } from '../../../auth/server/authenticator.ts';
import { type Awaitable, isThenable } from '../../../jsonrpc/awaitable.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import { type ErrorResponse, type Notification, type Parsed, parse, type Request } from '../../../jsonrpc/message.ts';
import { readCaller } from '../../../revisions/admit.ts';
import type { Caller } from '../../../revisions/revision.ts';
import { validatorLoading } from '../../../schema/validator.ts';
import type { Auth } from '../../../server/exchange.ts';
import { runInBackground } from '../../../server/run-in-background.ts';
import { logRejection } from '../../../server/observe/log-rejection.ts';
import { StoreFailure } from '../../../server/store-failure.ts';
import { comeBack, later, type Refusal, refuse, refuseWith, tooMuch, withHeaders } from './answer/refusal.ts';
import { type Addressee, noHeaders, sendJson } from './answer/send.ts';
import type { Body, HttpRequest, HttpResponder } from './bindings/binding.ts';
import { serveDocument } from './document.ts';
import type { Endpoint, HttpMethod, Route, ServeVisit, Visit } from './endpoint/endpoint.ts';
import { tellHealth } from './endpoint/health.ts';
import { pressureOf } from './endpoint/pressure.ts';
import { noRoomFor, untilServed } from './bindings/incoming.ts';
import { acceptable } from './gate/accept.ts';
import { bodyProblem, contentProblem } from './gate/body.ts';
import { findRoute } from './endpoint/place.ts';
import { postBatch } from './post/batch.ts';
import { postHandshake } from './post/handshake.ts';
import { postNotification } from './post/notification.ts';
import { postResponse } from './post/response.ts';
import { postStateless } from './post/stateless.ts';

/*
 * The steps of an HTTP request, in the order in which they are taken:
 * guard, authenticate, limit, and for a POST read, admit, serve; `post/reply.ts` answers.
 * Each is synchronous where it can be: a plain call is answered in the turn in which it came.
 */

/** Serves one HTTP request. */
export function serveRequest(endpoint: Endpoint, http: HttpRequest, responder: HttpResponder): Awaitable<void> {
  const document = endpoint.documents?.get(http.path);
  if (document !== undefined) return serveDocument(document, http, responder);
  const to: Sender = { http, responder, headers: endpoint.guard.cors(http), visit: undefined };
  const route = guard(endpoint, to);
  if (route === undefined) return;
  endpoint.work.begin();
  try {
    const caller = authenticate(endpoint, http);
    const serving = isThenable(caller)
      ? Promise.resolve(caller).then((known) => enter(endpoint, to, route, known))
      : enter(endpoint, to, route, caller);
    if (serving instanceof Promise) {
      return serving.catch((error: unknown) => fail(endpoint, to, error)).finally(() => endpoint.work.end());
    }
  } catch (error) {
    fail(endpoint, to, error);
  }
  endpoint.work.end();
}

/** An addressee, with the request that it sent. */
type Sender = Addressee & {
  readonly http: HttpRequest;
  /** Set once they were let in. */
  visit: Visit | undefined;
};

/** Lets a caller in who is known by now, and serves them in their turn. */
function enter(endpoint: Endpoint, to: Sender, route: Route, caller: Auth | AuthRefusal | undefined): Awaitable<void> {
  const { http, responder } = to;
  const refusal = refusalOf(endpoint, http, caller) ?? limit(endpoint, http, route);
  if (refusal !== undefined) return refuse(to, refusal);
  const more = endpoint.auth?.answerHeaders?.(http);
  const { headers } = more === undefined ? to : withHeaders(to, more);
  // Written out: spread would cost a twentieth of the whole request.
  const auth = caller as Auth | undefined;
  const usage = endpoint.callers.of(http, auth);
  const accepts = acceptable(http.header('accept'));
  const visit: Visit = { http, responder, headers, accepts, auth, usage, request: undefined };
  to.visit = visit;
  return inTurn(endpoint, visit, route[http.method as HttpMethod] as ServeVisit);
}

/**
 * Refuses what comes from a stranger's page, or to a path where nothing is. Gives the route of anything else. Whether the
 * server is well is told to whoever asks: a probe calls it by an address that nobody could have allowed.
 */
function guard(endpoint: Endpoint, to: Sender): Route | undefined {
  const { guard, routes, nowhere } = endpoint;
  const { http, responder, headers } = to;
  const refusal = guard.check(http);
  const route = findRoute(routes, http);
  if ((refusal !== undefined || route === undefined) && tellHealth(endpoint, http, responder)) return undefined;
  if (refusal !== undefined) {
    // Whoever is not let in learns nothing that a page could read.
    refuse({ responder, headers: noHeaders }, refusal);
  } else if (route === undefined) {
    refuse(to, nowhere(http));
  } else if (http.method === 'OPTIONS' && guard.answersPreflights) {
    responder.send(204, [...headers, ...guard.preflight(http)]);
  } else {
    return route;
  }
  return undefined;
}

/** Finds out who calls. */
function authenticate({ auth, starting }: Endpoint, http: HttpRequest): Awaitable<Auth | AuthRefusal | undefined> {
  const caller = auth?.authenticate(http);
  // While the validator loads, bodies stay with those who send them: a flood of them would only wait here.
  const waiting = starting ?? validatorLoading()?.catch(() => {});
  return waiting === undefined ? caller : Promise.all([caller, waiting]).then(([known]) => known);
}

/** Refuses who shows something wrong, and who shows nothing where that is not enough. */
function refusalOf({ auth }: Endpoint, http: HttpRequest, caller: Auth | AuthRefusal | undefined): Refusal | undefined {
  if (caller !== undefined) return 'principal' in caller ? undefined : caller;
  if (auth === undefined || auth.anonymous === true) return undefined;
  return challengeBy(auth, http, { needed: [], caller });
}

/** Refuses a method that the route does not serve, and what is not taken any more while the handler closes. */
function limit({ closing, refusing }: Endpoint, { method }: HttpRequest, route: Route): Refusal | undefined {
  if (refusing || (closing && method === 'GET')) return shuttingDown();
  if (Object.hasOwn(route, method)) return undefined;
  const allow = Object.keys(route).join(', ');
  return { status: 405, message: `${method} is not served: use ${allow}`, headers: { Allow: allow } };
}

function shuttingDown(): Refusal {
  return later('The server is shutting down', 5);
}

/**
 * Serves what a caller sends at once, unless they send so much that others would have to wait. `length` is that of a body
 * that was read already.
 */
function inTurn(endpoint: Endpoint, visit: Visit, serve: ServeVisit, length = 0): Awaitable<void> {
  const { turns } = endpoint;
  const { usage } = visit;
  if (turns === undefined || turns.atOnce(usage)) return serve(endpoint, visit);
  const full = usage.full('waiting');
  if (full !== undefined) return refuse(visit, tooMuch(full, 'waiting'));
  const unheld = noRoomFor(usage, length);
  if (unheld !== undefined) return refuse(visit, tooMuch(unheld, 'incoming'));
  usage.take('incoming', length);
  return turns.serve(usage, () => {
    usage.release('incoming', length);
    return serve(endpoint, visit);
  });
}

/** Reads the message that was posted, and serves it. */
export function post(endpoint: Endpoint, visit: Visit): Awaitable<void> {
  const { http, accepts } = visit;
  const problem = contentProblem(http);
  if (problem !== undefined) return refuse(visit, problem);
  if (!accepts.json && !accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow application/json or text/event-stream' });
  }
  const body = http.body(endpoint.maxBody, visit.usage);
  if (!(body instanceof Promise)) return take(endpoint, visit, body);
  // It came in a turn of its own, and what is done with it may take long.
  return body.then((late) => {
    const length = 'text' in late ? late.text.length : 0;
    return inTurn(endpoint, visit, () => take(endpoint, visit, late), length);
  });
}

/** Takes what was read for a message, and serves it. */
function take(endpoint: Endpoint, visit: Visit, body: Body): Awaitable<void> {
  if ('problem' in body) return refuse(visit, bodyProblem(body, endpoint.maxBody));
  // Its body may have come later than the server could wait for it.
  if (endpoint.refusing) return refuse(visit, shuttingDown());
  const { text } = body;
  const parsed = parse(text);
  const full = noRoomFor(visit.usage, text.length);
  if (full !== undefined && (parsed.kind === 'request' || parsed.kind === 'batch')) {
    const id = parsed.kind === 'request' ? { id: parsed.message.id } : {};
    return refuse(visit, { ...tooMuch(full, 'incoming'), ...id });
  }
  const serving = serve(endpoint, visit, parsed);
  if (!(serving instanceof Promise) || stands(endpoint, parsed)) return serving;
  return untilServed(visit.usage, serving, text);
}

/** True for a request that lasts: what was long about it is not kept. */
function stands({ server }: Endpoint, parsed: Parsed): boolean {
  return parsed.kind === 'request' && server.methods.of(parsed.message.method).stands === true;
}

/** Serves a message by its kind. Answers 400 where it contradicts itself or its headers. */
function serve(endpoint: Endpoint, visit: Visit, parsed: Parsed): Awaitable<void> {
  try {
    switch (parsed.kind) {
      case 'request': {
        visit.request = parsed.message;
        const caller = admit(endpoint, visit, parsed.message);
        if (caller !== undefined && 'status' in caller) return refuse(visit, caller);
        // Whatever was long about it would be kept for as long as it lasts.
        if (stands(endpoint, parsed)) visit.request = undefined;
        if (caller === undefined) return postHandshake(endpoint, visit, parsed.message);
        return postStateless(endpoint, visit, parsed.message, caller);
      }
      case 'notification':
        return postNotification(endpoint, visit, parsed.message);
      case 'response':
        return postResponse(endpoint, visit, parsed.message);
      case 'batch': {
        visit.batch = parsed.items.flatMap((item) => (item.kind === 'request' ? [item.message] : []));
        const refusal = busy(endpoint, visit);
        if (refusal !== undefined) {
          visit.usage.refused('busy', 'server');
          return refuse(visit, refusal);
        }
        return postBatch(endpoint, visit, parsed.items);
      }
      case 'invalid':
        logRefused(endpoint, visit, parsed.answer);
        return refuseWith(visit, 400, parsed.answer);
    }
  } catch (error) {
    if (!(error instanceof ProtocolError) || error instanceof StoreFailure) throw error;
    const id = parsed.kind === 'request' ? { id: parsed.message.id } : {};
    const answer = { jsonrpc: '2.0', ...id, error: error.toBody() } as ErrorResponse;
    logRefused(endpoint, visit, answer);
    sendJson(visit, 400, JSON.stringify(answer));
  }
}

/** Logs what was refused; a client with a session hears of it on its standing stream. */
function logRefused({ server, sessions }: Endpoint, { http, auth }: Visit, answer: ErrorResponse): void {
  if (server.options.logRefusals !== true) return;
  const id = http.header('mcp-session-id');
  runInBackground(server, async () => {
    const session = id === undefined ? undefined : await sessions.find(id, auth?.principal);
    if (id === undefined || session === undefined) return logRejection(server, answer);
    const tell = (notification: Notification): void =>
      runInBackground(server, () => sessions.tell(id, { kind: 'notify', notification }));
    logRejection(server, answer, { session, tell });
  });
}

/** Decides whether there is room for a request, and who sends it; a handshake client is known by its session. */
function admit(endpoint: Endpoint, visit: Visit, request: Request): Caller | undefined | Refusal {
  const refusal = busy(endpoint, visit);
  if (refusal !== undefined && !endpoint.server.methods.of(request.method).urgent) {
    visit.usage.refused('busy', 'server');
    return { ...refusal, id: request.id };
  }
  const { http } = visit;
  return readCaller(request, { version: http.header('mcp-protocol-version'), session: http.header('mcp-session-id') });
}

function busy({ running, maxRunning, memory, server }: Endpoint, visit: Visit): Refusal | undefined {
  if (running.size >= maxRunning) return later(`Server busy: ${running.size} requests are running`, 1);
  const pressure = pressureOf(memory, visit, server.methods);
  return pressure === undefined ? undefined : later(`Server busy: ${pressure}`, 1);
}

function fail({ server }: Endpoint, to: Sender, error: unknown): void {
  if (error instanceof StoreFailure) {
    const request = to.visit?.request;
    return refuse(to, { ...comeBack(error), ...(request !== undefined && { id: request.id }) });
  }
  server.reportError('Unexpected error in an HTTP request', error);
  refuse(to, { status: 500, message: 'Internal error', code: ErrorCode.InternalError });
}
