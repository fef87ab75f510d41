import { ProtocolError } from '../../jsonrpc/errors.ts';
import { type Notification, type Parsed, parse, type Request } from '../../jsonrpc/message.ts';
import { eraOf } from '../../revisions/index.ts';
import type { Awaitable } from './awaitable.ts';
import { bodyProblem, contentProblem } from './body.ts';
import type { Hub, Visit } from './hub.ts';
import { postBatch } from './post-batch.ts';
import { postHandshake } from './post-handshake.ts';
import { postNotification } from './post-notification.ts';
import { postResponse } from './post-response.ts';
import { postStateless } from './post-stateless.ts';
import { later, refuse, sendError, sendJson } from './refusal.ts';

/** Serves a message that was posted. */
export async function post(hub: Hub, visit: Visit): Promise<void> {
  const { http, accepts } = visit;
  const problem = contentProblem(http);
  if (problem !== undefined) return refuse(visit, problem);
  if (!accepts.json && !accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow application/json or text/event-stream' });
  }
  const body = await http.body(hub.maxBody);
  if ('problem' in body) return refuse(visit, bodyProblem(body, hub.maxBody));
  return serve(hub, visit, parse(body.text));
}

function serve(hub: Hub, visit: Visit, parsed: Parsed): Awaitable<void> {
  switch (parsed.kind) {
    case 'invalid':
      return sendError(visit, 400, parsed.answer);
    case 'batch':
      return postBatch(hub, visit, parsed.items);
    case 'response':
      return postResponse(hub, visit, parsed.message);
    case 'notification':
      return attempt(visit, parsed.message, () => postNotification(hub, visit, parsed.message));
    case 'request':
      return attempt(visit, parsed.message, () => postRequest(hub, visit, parsed.message));
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

/** A message that contradicts itself or its headers is refused as such: with 400. */
function attempt(visit: Visit, message: Request | Notification, work: () => Awaitable<void>): Awaitable<void> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const id = 'id' in message ? { id: message.id } : {};
    sendJson(visit, 400, JSON.stringify({ jsonrpc: '2.0', ...id, error: error.toBody() }));
  }
}
