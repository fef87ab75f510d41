import type { Hub, Visit } from './hub.ts';
import { isRefused, membership } from './membership.ts';
import { refuse, sendEmpty } from './refusal.ts';

/** Ends a session at its client's wish. */
export async function remove(hub: Hub, visit: Visit): Promise<void> {
  const id = visit.http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'DELETE ends a session, and Mcp-Session-Id is missing';
    return refuse(visit, { status: 405, message, headers: { Allow: 'POST' } });
  }
  const member = await membership(hub, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  await hub.sessions.end(id);
  sendEmpty(visit, 204);
}
