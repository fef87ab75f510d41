import { acquire } from '../../../../server/quotas/quota.ts';
import { attach } from './attach.ts';
import { eventsFrom, isStanding, type StreamPosition, readEventId } from '../streams/event-log.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, sessionOf } from '../sessions/session-of-message.ts';
import { refuse, tooMuch } from '../answer/refusal.ts';
import { openStanding } from './standing-stream.ts';

/** Serves GET: takes up a stream of a session that broke off, or opens its standing stream. */
export async function get(endpoint: Endpoint, visit: Visit): Promise<void> {
  const { http, accepts } = visit;
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'GET opens a stream of a session, and Mcp-Session-Id is missing: send messages with POST';
    return refuse(visit, { status: 405, message, headers: { Allow: 'POST' } });
  }
  if (!accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  const member = await sessionOf(endpoint.sessions, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  return acquire(visit.usage, 'streams', (lacking) => {
    const full = lacking ?? visit.usage.full('streams');
    return full === undefined ? openCounted(endpoint, visit, id) : refuse(visit, tooMuch(full, 'streams'));
  });
}

/** Opens a stream, which counts from now on: it takes a while until it is there. */
async function openCounted(endpoint: Endpoint, visit: Visit, id: string): Promise<void> {
  visit.usage.take('streams');
  visit.reserved = true;
  try {
    await open(endpoint, visit, id);
  } finally {
    if (visit.reserved) visit.usage.release('streams');
  }
}

async function open(endpoint: Endpoint, visit: Visit, id: string): Promise<void> {
  const { http } = visit;
  const lastEvent = http.header('last-event-id');
  if (lastEvent === undefined) return openStanding(endpoint, visit, id);

  const place = readEventId(id, lastEvent);
  if (place === undefined || (await eventsFrom(endpoint, place)) === undefined) {
    const message = 'Last-Event-ID is not known, or what followed it is gone: send the request again';
    return refuse(visit, { status: 400, message });
  }
  return isStanding(place.stream) ? openStanding(endpoint, visit, id, place) : resume(endpoint, visit, place);
}

async function resume(endpoint: Endpoint, visit: Visit, place: StreamPosition): Promise<void> {
  const { live, release } = await endpoint.sessions.hold(place.session);
  try {
    const by = crypto.randomUUID();
    const connection = await attach(endpoint, visit, { live, place, slot: place.stream, by });
    connection.onEnd(release);
  } catch (error) {
    release();
    throw error;
  }
}
