import type { AuthRefusal } from '../../../auth/server/authenticator.ts';
import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import { type Parsed, parse, type Request } from '../../../jsonrpc/message.ts';
import { readCaller } from '../../../revisions/admit.ts';
import type { Caller } from '../../../revisions/revision.ts';
import type { Auth } from '../../../server/exchange.ts';
import { later, type Refusal, refuse, refuseWith } from './answer/refusal.ts';
import { type Addressee, noHeaders, sendJson } from './answer/send.ts';
import type { HttpRequest, HttpResponder } from './bindings/binding.ts';
import type { Endpoint, HttpMethod, Route, ServeVisit, Visit } from './endpoint/endpoint.ts';
import { acceptable } from './gate/accept.ts';
import { bodyProblem, contentProblem } from './gate/body.ts';
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
  const to = { http, responder, headers: endpoint.guard.cors(http) };
  const route = guard(endpoint, to);
  if (route === undefined) return;
  endpoint.work.begin();
  try {
    const serving = whenThere(authenticate(endpoint, http), (caller) => {
      const refusal = refusalOf(caller) ?? limit(endpoint, http, route);
      if (refusal !== undefined) return refuse(to, refusal);
      // Written out: spread would cost a twentieth of the whole request.
      const { headers } = to;
      const auth = caller as Auth | undefined;
      const visit = { http, responder, headers, accepts: acceptable(http.header('accept')), auth };
      return (route[http.method as HttpMethod] as ServeVisit)(endpoint, visit);
    });
    if (serving instanceof Promise) {
      return serving.catch((error: unknown) => fail(endpoint, to, error)).finally(() => endpoint.work.end());
    }
  } catch (error) {
    fail(endpoint, to, error);
  }
  endpoint.work.end();
}

/** An addressee, with the request that it sent. */
type Sender = Addressee & { readonly http: HttpRequest };

/** Refuses what comes from a stranger's page, or to a path where nothing is. Gives the route of anything else. */
function guard({ guard, routes }: Endpoint, to: Sender): Route | undefined {
  const { http, responder, headers } = to;
  const refusal = guard.check(http);
  const route = routes.get(http.path);
  if (refusal !== undefined) {
    // Whoever is not let in learns nothing that a page could read.
    refuse({ responder, headers: noHeaders }, refusal);
  } else if (route === undefined) {
    refuse(to, notFound(routes));
  } else if (http.method === 'OPTIONS') {
    responder.send(204, [...headers, ...guard.preflight(http)]);
  } else {
    return route;
  }
  return undefined;
}

/** Finds out who calls. */
function authenticate({ auth, starting }: Endpoint, http: HttpRequest): Awaitable<Auth | AuthRefusal | undefined> {
  const caller = auth?.authenticate(http);
  return starting === undefined ? caller : Promise.all([caller, starting]).then(([known]) => known);
}

function refusalOf(caller: Auth | AuthRefusal | undefined): Refusal | undefined {
  return caller === undefined || 'principal' in caller ? undefined : caller;
}

/** Refuses a method that the route does not serve, and everything while the handler closes. */
function limit({ closing }: Endpoint, { method }: HttpRequest, route: Route): Refusal | undefined {
  if (closing) return later('The server is shutting down', 5);
  if (Object.hasOwn(route, method)) return undefined;
  const allow = Object.keys(route).join(', ');
  return { status: 405, message: `${method} is not served: use ${allow}`, headers: { Allow: allow } };
}

/** Reads the message that was posted, and serves it. */
export function post(endpoint: Endpoint, visit: Visit): Awaitable<void> {
  const { http, accepts } = visit;
  const problem = contentProblem(http);
  if (problem !== undefined) return refuse(visit, problem);
  if (!accepts.json && !accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow application/json or text/event-stream' });
  }
  return whenThere(http.body(endpoint.maxBody), (body) =>
    'problem' in body ? refuse(visit, bodyProblem(body, endpoint.maxBody)) : serve(endpoint, visit, parse(body.text)),
  );
}

/** Serves a message by its kind. Answers 400 where it contradicts itself or its headers. */
function serve(endpoint: Endpoint, visit: Visit, parsed: Parsed): Awaitable<void> {
  try {
    switch (parsed.kind) {
      case 'request': {
        const caller = admit(endpoint, visit, parsed.message);
        if (caller === 'busy') return refuse(visit, { ...busy(endpoint), id: parsed.message.id });
        if (caller === undefined) return postHandshake(endpoint, visit, parsed.message);
        return postStateless(endpoint, visit, parsed.message, caller);
      }
      case 'notification':
        return postNotification(endpoint, visit, parsed.message);
      case 'response':
        return postResponse(endpoint, visit, parsed.message);
      case 'batch':
        return postBatch(endpoint, visit, parsed.items);
      case 'invalid':
        return refuseWith(visit, 400, parsed.answer);
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const id = parsed.kind === 'request' ? { id: parsed.message.id } : {};
    sendJson(visit, 400, JSON.stringify({ jsonrpc: '2.0', ...id, error: error.toBody() }));
  }
}

/** Decides whether there is room for a request, and who sends it; a handshake client is known by its session. */
function admit(
  { server, running, maxRunning }: Endpoint,
  { http }: Visit,
  request: Request,
): Caller | undefined | 'busy' {
  if (running.size >= maxRunning && !server.methods.of(request.method).urgent) return 'busy';
  return readCaller(request, { version: http.header('mcp-protocol-version') });
}

function busy({ running }: Endpoint): Refusal {
  return later(`Server busy: ${running.size} requests are running`, 1);
}

function fail({ server }: Endpoint, to: Addressee, error: unknown): void {
  server.reportError('Unexpected error in an HTTP request', error);
  refuse(to, { status: 500, message: 'Internal error', code: ErrorCode.InternalError });
}

function notFound(routes: Endpoint['routes']): Refusal {
  const [path] = routes.keys();
  return { status: 404, message: `Not found: the endpoint is ${path}` };
}
