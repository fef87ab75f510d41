import {
  deliver,
  eventsAfter,
  eventsFrom,
  type LoggedEvent,
  type StreamEvent,
  type StreamPosition,
  streamTopic,
} from '../streams/event-log.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Auth } from '../../../../server/peer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { endWhenCredentialsExpire } from '../endpoint/credentials-expiry.ts';
import type { LiveSession } from '../sessions/session-hub.ts';
import type { Stream, StreamReader } from '../streams/streams.ts';

/** The client of a GET. */
export interface StreamClient extends StreamReader {
  readonly auth: Auth | undefined;
}

/** How a client is connected to a stream of its session. */
export interface Attachment {
  live: LiveSession;
  /** The position to resume from; 0 for a new stream. */
  place: StreamPosition;
  /** The key that only one connection can have at a time. The previous one closes, on any instance. */
  slot: string;
  /** The id of this connection. */
  by: string;
  /** Called once no event can be missed. */
  begin?: () => void;
}

/**
 * Connects a client to a stream of its session: sends the events after a position, then new ones. The response starts
 * once no event can be missed.
 */
export async function attach(endpoint: Endpoint, client: StreamClient, attachment: Attachment): Promise<Stream> {
  const { live, place, slot, by, begin } = attachment;
  const { session, stream } = place;
  let connection: Stream | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    connection?.end();
  };
  const events = new InOrder(endpoint, place, {
    write: (kept, at) => connection && deliver(connection, kept, at),
    end,
  });
  const removeListener = live.onEvent((event) => {
    const isTakenUp = event.kind === 'taken-up' && event.stream === slot && event.by !== by;
    if (isTakenUp || event.kind === 'ended') end();
  });
  let stop: () => void;
  try {
    stop = await endpoint.store.subscribe(streamTopic(session, stream), events.receive, events.replayMissed);
  } catch (error) {
    removeListener();
    throw error;
  }
  begin?.();
  connection = endpoint.streams.open(client);
  connection.onEnd(removeListener);
  connection.onEnd(stop);
  connection.onEnd(endWhenCredentialsExpire(endpoint, client, end));
  try {
    await endpoint.sessions.publish(session, { kind: 'taken-up', stream: slot, by });
    const logged = place.position === 0 ? [] : await eventsFrom(endpoint, place);
    events.start(logged ?? []);
    // The position may be that of the last event.
    if (isOver || logged === undefined || logged.some(({ kept }) => kept.last)) connection.end();
  } catch (error) {
    connection.end();
    throw error;
  }
  return connection;
}

/** Where events go. */
interface Sink {
  write(kept: StreamEvent, position: number): void;
  /** Called if some are evicted or can't be read: the client learns so when it reconnects. */
  end(): void;
}

/** Writes the events of a stream after a position, in order and without duplicates: first logged, then published ones. */
class InOrder {
  readonly #endpoint: Endpoint;
  readonly #place: StreamPosition;
  readonly #sink: Sink;
  #last: number;
  /** Published events, held back until all logged ones are written. */
  #pending: LoggedEvent[] | undefined = [];
  #isCurrent = false;
  #missed = false;
  #reading = 0;

  constructor(endpoint: Endpoint, place: StreamPosition, sink: Sink) {
    this.#endpoint = endpoint;
    this.#place = place;
    this.#sink = sink;
    this.#last = place.position;
  }

  /** Receives a published event. */
  readonly receive = (message: string): void => {
    const published = JSON.parse(message) as LoggedEvent;
    if (this.#pending === undefined) this.#write(published);
    else this.#pending.push(published);
  };

  /** Reads the log again, because published events may have been missed. */
  readonly replayMissed = (): void => {
    this.#missed = true;
    if (!this.#isCurrent) return;
    this.#pending ??= [];
    this.#reading += 1;
    runInBackground(this.#endpoint.server, () => this.#readLog());
  };

  /** Writes the logged events, and from now on the published ones. */
  start(logged: readonly LoggedEvent[]): void {
    for (const each of logged) this.#write(each);
    this.#isCurrent = true;
    if (this.#missed) this.replayMissed();
    else this.#writePending();
  }

  async #readLog(): Promise<void> {
    let missed: LoggedEvent[] | undefined;
    try {
      missed = await eventsAfter(this.#endpoint, { ...this.#place, position: this.#last });
    } finally {
      this.#reading -= 1;
      if (missed === undefined) this.#sink.end();
      else for (const each of missed) this.#write(each);
      if (this.#reading === 0 && missed !== undefined) this.#writePending();
    }
  }

  #writePending(): void {
    for (const each of this.#pending ?? []) this.#write(each);
    this.#pending = undefined;
  }

  #write({ kept, position }: LoggedEvent): void {
    if (position <= this.#last) return;
    this.#last = position;
    this.#sink.write(kept, position);
  }
}
