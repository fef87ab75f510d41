import { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { type Parsed, parse, type Request } from '../../../../jsonrpc/message.ts';
import { eraOf } from '../../../../revisions/admit.ts';
import { type Awaitable, whenThere } from '../../../../jsonrpc/awaitable.ts';
import { bodyProblem, contentProblem } from '../gate/body.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { postBatch } from './batch.ts';
import { postHandshake } from './handshake.ts';
import { postNotification } from './notification.ts';
import { postResponse } from './response.ts';
import { postStateless } from './stateless.ts';
import { later, refuse, sendError, sendJson } from '../answer/refusal.ts';

type RequestOrNotification = Extract<Parsed, { kind: 'request' | 'notification' }>;

/** Serves a message that was posted. */
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

function serve(endpoint: Endpoint, visit: Visit, parsed: Parsed): Awaitable<void> {
  switch (parsed.kind) {
    case 'invalid':
      return sendError(visit, 400, parsed.answer);
    case 'batch':
      return postBatch(endpoint, visit, parsed.items);
    case 'response':
      return postResponse(endpoint, visit, parsed.message);
    default:
      return postMessage(endpoint, visit, parsed);
  }
}

/** A message that contradicts itself or its headers is refused as such: with 400. */
function postMessage(endpoint: Endpoint, visit: Visit, { kind, message }: RequestOrNotification): Awaitable<void> {
  try {
    return kind === 'request' ? postRequest(endpoint, visit, message) : postNotification(endpoint, visit, message);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const id = kind === 'request' ? { id: message.id } : {};
    sendJson(visit, 400, JSON.stringify({ jsonrpc: '2.0', ...id, error: error.toBody() }));
  }
}

function postRequest(endpoint: Endpoint, visit: Visit, request: Request): Awaitable<void> {
  const { id, method } = request;
  if (endpoint.running.size >= endpoint.maxRunning && method !== 'ping') {
    return refuse(visit, { ...later(`Server busy: ${endpoint.running.size} requests are running`, 1), id });
  }
  const era = eraOf(request, visit.http.header('mcp-protocol-version'));
  return (era === 'stateless' ? postStateless : postHandshake)(endpoint, visit, request);
}
