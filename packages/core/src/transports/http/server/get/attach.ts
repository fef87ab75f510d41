import { deliver, eventsAfter, eventsFrom, type StreamPosition, streamTopic, type Told } from '../streams/event-log.ts';
import { inBackground } from '../../../../server/in-background.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { endAtExpiry } from '../endpoint/expiry.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { Stream } from '../streams/streams.ts';

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

/** Connects a client to a stream of its session: sends the events after a position, and then those that come. */
export async function attach(endpoint: Endpoint, visit: Visit, attachment: Attachment): Promise<Stream> {
  const connection = endpoint.streams.open(visit);
  connection.onEnd(endAtExpiry(endpoint, visit, () => connection.end()));
  try {
    await serve(endpoint, connection, attachment);
  } catch (error) {
    connection.end();
    throw error;
  }
  return connection;
}

async function serve(
  endpoint: Endpoint,
  connection: Stream,
  { live, place, slot, by, begin }: Attachment,
): Promise<void> {
  const { session, stream } = place;
  let last = place.position;
  let waiting: Told[] | undefined = [];
  const write = ({ kept, position }: Told): void => {
    if (position <= last) return;
    last = position;
    deliver(connection, kept, position);
  };
  const ignore = live.onNews((news) => {
    const takenUp = news.kind === 'taken-up' && news.stream === slot && news.by !== by;
    if (takenUp || news.kind === 'ended') connection.end();
  });
  connection.onEnd(ignore);
  const hear = (message: string): void => {
    const told = JSON.parse(message) as Told;
    if (waiting === undefined) write(told);
    else waiting.push(told);
  };
  /** What was heard goes after all that is read, or it would seem that the client had that already. */
  const writeHeard = (): void => {
    for (const told of waiting ?? []) write(told);
    waiting = undefined;
  };
  let isCurrent = false;
  let missed = false;
  let reading = 0;
  const readOn = async (): Promise<void> => {
    let lost: Told[] | undefined;
    try {
      lost = await eventsAfter(endpoint, { session, stream, position: last });
    } finally {
      reading -= 1;
      // Some are gone, or can't be read: the client hears so when it comes back, unless it saw what came after them.
      if (lost === undefined) connection.end();
      else for (const told of lost) write(told);
      if (reading === 0 && lost !== undefined) writeHeard();
    }
  };
  const catchUp = (): void => {
    missed = true;
    if (!isCurrent) return;
    waiting ??= [];
    reading += 1;
    inBackground(endpoint.server, readOn);
  };
  const stop = await endpoint.store.subscribe(streamTopic(session, stream), hear, catchUp);
  connection.onEnd(stop);
  begin?.();
  await endpoint.sessions.tell(session, { kind: 'taken-up', stream: slot, by });
  const before = place.position === 0 ? [] : await eventsFrom(endpoint, place);
  for (const told of before ?? []) write(told);
  isCurrent = true;
  if (missed) catchUp();
  else writeHeard();
  // Also where nothing followed because the place was the end.
  if (before === undefined || before.some(({ kept }) => kept.last)) connection.end();
}
