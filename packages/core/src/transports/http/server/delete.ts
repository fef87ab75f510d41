import type { Endpoint, Visit } from './endpoint/endpoint.ts';
import { isRefused, sessionOf } from './sessions/session-of-message.ts';
import { refuse } from './answer/refusal.ts';
import { sendEmpty } from './answer/send.ts';

/** Serves DELETE: ends the session that the client names. */
export async function remove(endpoint: Endpoint, visit: Visit): Promise<void> {
  const id = visit.http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'DELETE ends a session, and Mcp-Session-Id is missing';
    return refuse(visit, { status: 405, message, headers: { Allow: 'POST' } });
  }
  const member = await sessionOf(endpoint.sessions, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  await endpoint.sessions.end(id);
  sendEmpty(visit, 204);
}
