import { attach } from './attach.ts';
import { eventsFrom, isStanding, type Place, placeOf } from './event-log.ts';
import type { Hub, Visit } from './hub.ts';
import { isRefused, membership } from './membership.ts';
import { later, refuse } from './refusal.ts';
import { openStanding } from './standing.ts';

/** Opens a stream of a session: one that was broken off, or the standing one for what belongs to no request. */
export async function get(hub: Hub, visit: Visit): Promise<void> {
  const { http, accepts } = visit;
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'GET opens a stream of a session, and Mcp-Session-Id is missing: send messages with POST';
    return refuse(visit, { status: 405, message, headers: { Allow: 'POST' } });
  }
  if (!accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  const member = await membership(hub, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  if (hub.streams.full) return refuse(visit, later('Too many open streams', 5));
  const lastEvent = http.header('last-event-id');
  if (lastEvent === undefined) return openStanding(hub, visit, id);

  const place = placeOf(id, lastEvent);
  if (place === undefined || (await eventsFrom(hub, place)) === undefined) {
    const message = 'Last-Event-ID is not known, or what followed it is gone: send the request again';
    return refuse(visit, { status: 400, message });
  }
  return isStanding(place.stream) ? openStanding(hub, visit, id, place) : resume(hub, visit, place);
}

async function resume(hub: Hub, visit: Visit, place: Place): Promise<void> {
  const { live, release } = await hub.sessions.hold(place.session);
  try {
    const by = crypto.randomUUID();
    const connection = await attach(hub, visit, { live, place, slot: place.stream, by });
    connection.onEnd(release);
  } catch (error) {
    release();
    throw error;
  }
}
