import type { Request, Response } from '../../jsonrpc/message.ts';
import { Session } from '../../server/session.ts';
import type { Hub, Visit } from './hub.ts';
import { refuse } from './refusal.ts';
import { Reply } from './reply.ts';

/** Begins a session, where the handshake succeeds. */
export async function postInitialize(hub: Hub, visit: Visit, request: Request): Promise<void> {
  const { http, headers, auth } = visit;
  const given = http.header('mcp-session-id');
  if (given !== undefined && (await hub.sessions.find(given, auth?.principal)) !== undefined) {
    const message = 'The session is already initialized: leave Mcp-Session-Id out to begin another';
    return refuse(visit, { status: 400, message, id: request.id });
  }
  const session = new Session();
  const exchange = { ...(auth !== undefined && { auth }), session, running: new Map(), send: () => {} };
  const response = (await hub.server.handle(request, exchange)) as Response;
  if ('error' in response) return new Reply(hub, visit, {}).finish(response);
  const id = await hub.sessions.create(session, auth?.principal);
  return new Reply(hub, { ...visit, headers: [...headers, 'Mcp-Session-Id', id] }, {}).finish(response);
}
