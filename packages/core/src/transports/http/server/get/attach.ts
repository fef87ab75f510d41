import { deliver, eventsFrom, type StreamPosition, streamTopic } from '../streams/event-log.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { endAtExpiry } from '../endpoint/expiry.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { Stream } from '../streams/streams.ts';
import { ToldInOrder } from './told-in-order.ts';

/** What is needed to connect a client to a stream of its session. */
export interface Attachment {
  live: LiveSession;
  /** Where the stream goes on; 0 where it begins. */
  place: StreamPosition;
  /** What only one connection can have at a time. The one that had it lets go, on whichever instance. */
  slot: string;
  /** Who has it now. */
  by: string;
  /** Called as soon as nothing can be missed any more. */
  begin?: () => void;
}

/**
 * Connects a client to a stream of its session: sends the events after a position, and then those that come. Its answer begins
 * when nothing can be missed any more, so a client that has seen it hears of everything that happens from then on.
 */
export async function attach(endpoint: Endpoint, visit: Visit, attachment: Attachment): Promise<Stream> {
  const { live, place, slot, by, begin } = attachment;
  const { session, stream } = place;
  let connection: Stream | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    connection?.end();
  };
  const told = new ToldInOrder(endpoint, place, {
    write: (kept, at) => connection && deliver(connection, kept, at),
    end,
  });
  const ignore = live.onNews((news) => {
    const takenUp = news.kind === 'taken-up' && news.stream === slot && news.by !== by;
    if (takenUp || news.kind === 'ended') end();
  });
  let stop: () => void;
  try {
    stop = await endpoint.store.subscribe(streamTopic(session, stream), told.hear, told.catchUp);
  } catch (error) {
    ignore();
    throw error;
  }
  begin?.();
  connection = endpoint.streams.open(visit);
  connection.onEnd(ignore);
  connection.onEnd(stop);
  connection.onEnd(endAtExpiry(endpoint, visit, end));
  try {
    await endpoint.sessions.tell(session, { kind: 'taken-up', stream: slot, by });
    const before = place.position === 0 ? [] : await eventsFrom(endpoint, place);
    told.goOnFrom(before ?? []);
    // Also where nothing followed because the place was the end.
    if (isOver || before === undefined || before.some(({ kept }) => kept.last)) connection.end();
  } catch (error) {
    connection.end();
    throw error;
  }
  return connection;
}
