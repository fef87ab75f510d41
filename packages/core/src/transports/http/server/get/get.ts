import { acquire } from '../../../../features/quotas/quota.ts';
import { attach, type StreamClient } from './attach.ts';
import { eventsFrom, isStandalone, type StreamPosition, readEventId } from '../streams/event-log.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { isRejected, sessionOf } from '../sessions/session-of-message.ts';
import { overQuota, reject } from '../answer/reject.ts';
import { openStandaloneStream } from './standalone-stream.ts';

/** Serves GET: resumes a stream of a session, or opens its standalone stream. */
export async function get(endpoint: Endpoint, context: HttpContext): Promise<void> {
  const { http, accepts } = context;
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'GET opens a stream of a session, and Mcp-Session-Id is missing: send messages with POST';
    return reject(context, { status: 405, message, headers: { Allow: 'POST' } });
  }
  if (!accepts.events) {
    return reject(context, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  const member = await sessionOf(endpoint.sessions, context, { changes: false });
  if (isRejected(member)) return reject(context, member);
  return acquire(context.usage, 'streams', (exceeded) => {
    const full = exceeded ?? context.usage.full('streams');
    return full === undefined ? openCounted(endpoint, context, id) : reject(context, overQuota(full, 'streams'));
  });
}

/** Opens a stream, which counts towards the quota before it is open. */
async function openCounted(endpoint: Endpoint, context: HttpContext, id: string): Promise<void> {
  const { http, responder, headers, usage, auth } = context;
  const client: StreamClient = { responder, headers, usage, auth, reserved: true };
  usage.take('streams');
  try {
    await open(endpoint, client, id, http.header('last-event-id'));
  } finally {
    if (client.reserved) usage.release('streams');
  }
}

async function open(
  endpoint: Endpoint,
  client: StreamClient,
  id: string,
  lastEvent: string | undefined,
): Promise<void> {
  if (lastEvent === undefined) return openStandaloneStream(endpoint, client, id);

  const place = readEventId(id, lastEvent);
  if (place === undefined || (await eventsFrom(endpoint, place)) === undefined) {
    const message = 'Last-Event-ID is not known, or later events were evicted: send the request again';
    return reject(client, { status: 400, message });
  }
  return isStandalone(place.stream)
    ? openStandaloneStream(endpoint, client, id, place)
    : resume(endpoint, client, place);
}

async function resume(endpoint: Endpoint, client: StreamClient, place: StreamPosition): Promise<void> {
  const { live, release } = await endpoint.sessions.acquire(place.session);
  try {
    const by = crypto.randomUUID();
    const connection = await attach(endpoint, client, { live, place, slot: place.stream, by });
    connection.onEnd(release);
  } catch (error) {
    release();
    throw error;
  }
}
