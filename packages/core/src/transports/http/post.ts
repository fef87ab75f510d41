import { ProtocolError } from '../../jsonrpc/errors.ts';
import { type Parsed, parse, type Request } from '../../jsonrpc/message.ts';
import { eraOf } from '../../revisions/index.ts';
import { type Awaitable, onceThere } from './awaitable.ts';
import { bodyProblem, contentProblem } from './body.ts';
import type { Hub, Visit } from './hub.ts';
import { postBatch } from './post-batch.ts';
import { postHandshake } from './post-handshake.ts';
import { postNotification } from './post-notification.ts';
import { postResponse } from './post-response.ts';
import { postStateless } from './post-stateless.ts';
import { later, refuse, sendError, sendJson } from './refusal.ts';

type RequestOrNotification = Extract<Parsed, { kind: 'request' | 'notification' }>;

/** Serves a message that was posted. */
export function post(hub: Hub, visit: Visit): Awaitable<void> {
  const { http, accepts } = visit;
  const problem = contentProblem(http);
  if (problem !== undefined) return refuse(visit, problem);
  if (!accepts.json && !accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow application/json or text/event-stream' });
  }
  return onceThere(http.body(hub.maxBody), (body) =>
    'problem' in body ? refuse(visit, bodyProblem(body, hub.maxBody)) : serve(hub, visit, parse(body.text)),
  );
}

function serve(hub: Hub, visit: Visit, parsed: Parsed): Awaitable<void> {
  switch (parsed.kind) {
    case 'invalid':
      return sendError(visit, 400, parsed.answer);
    case 'batch':
      return postBatch(hub, visit, parsed.items);
    case 'response':
      return postResponse(hub, visit, parsed.message);
    default:
      return postMessage(hub, visit, parsed);
  }
}

/** A message that contradicts itself or its headers is refused as such: with 400. */
function postMessage(hub: Hub, visit: Visit, { kind, message }: RequestOrNotification): Awaitable<void> {
  try {
    return kind === 'request' ? postRequest(hub, visit, message) : postNotification(hub, visit, message);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const id = kind === 'request' ? { id: message.id } : {};
    sendJson(visit, 400, JSON.stringify({ jsonrpc: '2.0', ...id, error: error.toBody() }));
  }
}

function postRequest(hub: Hub, visit: Visit, request: Request): Awaitable<void> {
  const { id, method } = request;
  if (hub.running.size >= hub.maxRunning && method !== 'ping') {
    return refuse(visit, { ...later(`Server busy: ${hub.running.size} requests are running`, 1), id });
  }
  const era = eraOf(request, visit.http.header('mcp-protocol-version'));
  return (era === 'stateless' ? postStateless : postHandshake)(hub, visit, request);
}
