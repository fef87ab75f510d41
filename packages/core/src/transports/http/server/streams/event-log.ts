import { withTimeout } from '../../../../server/call/with-timeout.ts';
import { event } from './event.ts';
import type { Store } from '../../../../stores/store.ts';
import { sessionKey } from '../sessions/sessions.ts';
import type { Stream, DeliveryPolicy } from './streams.ts';

/** Maximum total length of the logged events of a session, in characters. */
const loggedLength = 4 * 1024 * 1024;

/** Maximum number of logged events of a session. */
const loggedEvents = 1000;

/** Timeout of logging an event; the call then continues without. */
const storeTimeoutMs = 250;
const bounds = { maxEntries: loggedEvents, maxLength: loggedLength };

/** The backlog beyond which droppable events are dropped. */
const maxBacklog = 100;

/** The store of the log, and where failures are reported. */
export interface EventLogOwner {
  readonly store: Store;
  readonly server: { reportError(message: string, error: unknown): void };
}

/** An event of a stream, as it is stored in the log and published. */
export interface StreamEvent {
  stream: string;
  data?: string;
  weight?: DeliveryPolicy;
  /** The event has no data: it gives the client an id to resume from, and the delay of a reconnect in milliseconds. */
  retry?: number;
  /** True for the last event of the stream. */
  last?: true;
}

/** An event and its number in the log. */
export interface LoggedEvent {
  kept: StreamEvent;
  position: number;
}

/** A position in a stream of a session. */
export interface StreamPosition {
  session: string;
  stream: string;
  position: number;
}

/**
 * The events of one stream of a session. They are numbered and logged, so that a client whose connection broke can
 * resume the stream with the id of the last event it saw, on any instance.
 */
export class EventLog {
  readonly stream: string;
  readonly #owner: EventLogOwner;
  readonly #session: string;
  readonly #waiting: { kept: StreamEvent; connection: Stream | undefined }[] = [];
  /** The data of waiting events that need not be sent twice. */
  readonly #mergeable = new Set<string | undefined>();
  #working: Promise<void> | undefined;
  #any = false;
  /** Events that a slow store logs in the background; undefined: none. */
  #late: Promise<void> | undefined;
  #lateCount = 0;
  readonly #lost: () => void;

  /** `lost` is called if an event could not be logged or published, so that it may not reach the client. */
  constructor(owner: EventLogOwner, session: string, stream: string, lost: () => void = () => {}) {
    this.#owner = owner;
    this.#session = session;
    this.stream = stream;
    this.#lost = lost;
  }

  /** True if the client may have an event id to resume from. */
  get any(): boolean {
    return this.#any;
  }

  /** True while the store does not keep up. */
  get backpressured(): boolean {
    return this.#waiting.length + this.#lateCount > maxBacklog;
  }

  /** Logs an event, and writes it to the connection of the stream. */
  add(given: Omit<StreamEvent, 'stream'>, connection?: Stream): void {
    const { weight, data } = given;
    if (weight === 'droppable' && this.backpressured) return;
    if (weight === 'mergeable') {
      if (this.#mergeable.has(data) && this.backpressured) return;
      this.#mergeable.add(data);
    }
    this.#any = true;
    this.#waiting.push({ kept: { ...given, stream: this.stream }, connection });
    this.#working ??= this.#work();
  }

  /** Resolves when all events so far are logged and written. */
  async settled(): Promise<void> {
    await this.#working;
    await this.#late;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#mergeable.delete(next.kept.data);
      await this.#log(next.kept, next.connection);
    }
    this.#working = undefined;
  }

  async #log(kept: StreamEvent, connection: Stream | undefined): Promise<void> {
    const stored = this.#late === undefined ? this.#append(kept) : this.#late.then(() => this.#append(kept));
    const position = await (connection?.open === true ? this.#positionSoon(kept, stored) : stored);
    if (connection !== undefined) deliver(connection, kept, position);
    if (position !== undefined) await this.#publish(kept, position);
  }

  #append(kept: StreamEvent): Promise<number | undefined> {
    const { store } = this.#owner;
    return this.#attempt(() => store.append(sessionKey(this.#session), JSON.stringify(kept), bounds));
  }

  async #publish(kept: StreamEvent, position: number): Promise<void> {
    const message = JSON.stringify({ kept, position } satisfies LoggedEvent);
    await this.#attempt(() => this.#owner.store.publish(streamTopic(this.#session, this.stream), message));
  }

  /**
   * The position of an event. Undefined if the store is slow: a connected client then gets the event without an id, and it
   * is logged in the background, before later ones. A client that resumes may get it twice, but misses nothing.
   */
  async #positionSoon(kept: StreamEvent, stored: Promise<number | undefined>): Promise<number | undefined> {
    if (this.#late === undefined) {
      const result = await withTimeout(stored, storeTimeoutMs).then(
        (position) => ({ position }),
        () => undefined,
      );
      if (result !== undefined) return result.position;
    }
    const late = stored.then((position) => (position === undefined ? undefined : this.#publish(kept, position)));
    this.#late = late;
    this.#lateCount += 1;
    void late.finally(() => {
      this.#lateCount -= 1;
      if (this.#late === late) this.#late = undefined;
      return undefined;
    });
    return undefined;
  }

  /** A connected client gets the event even if the store fails. */
  async #attempt<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#owner.server.reportError('An event could not be logged', error);
      this.#lost();
      return undefined;
    }
  }
}

/** Writes an event to a connection. Without a position it has no id: it can't be resumed from. */
export function deliver(connection: Stream, kept: StreamEvent, position: number | undefined): void {
  const { stream, data, weight = 'needed', retry, last } = kept;
  const id = position === undefined ? undefined : `${stream}-${position}`;
  if (retry !== undefined && id !== undefined) connection.write(event('', { id, retry }));
  if (data !== undefined) connection.send({ data, weight, ...(id !== undefined && { id }) });
  if (last) connection.end();
}

/** The topic on which the events of a stream are published. */
export function streamTopic(session: string, stream: string): string {
  return `stream/${session}/${stream}`;
}

/** A new id of a stream: the standalone one of a session, or that of a response. */
export function streamId(kind: 'standalone' | 'reply'): string {
  return kind[0] + crypto.randomUUID().slice(0, 8);
}

/** True for the id of a standalone stream. */
export function isStandalone(stream: string): boolean {
  return stream.startsWith('s');
}

/** Parses the id of an event. */
export function readEventId(session: string, eventId: string): StreamPosition | undefined {
  const [, stream, position] = /^([sr][0-9a-f]{8})-(\d{1,15})$/.exec(eventId) ?? [];
  return stream === undefined ? undefined : { session, stream, position: Number(position) };
}

/** Reads the events of a stream from a position on. Undefined if some were evicted, or the position does not exist. */
export async function eventsFrom({ store }: EventLogOwner, place: StreamPosition): Promise<LoggedEvent[] | undefined> {
  const entries = await store.after(sessionKey(place.session), place.position - 1);
  const events = entries?.map(({ entry, position }) => ({ kept: JSON.parse(entry) as StreamEvent, position })) ?? [];
  if (events[0]?.position !== place.position || events[0].kept.stream !== place.stream) return undefined;
  return events.filter(({ kept }) => kept.stream === place.stream);
}

/** Reads the events after a position; 0 is the beginning. Undefined if some were evicted. */
export async function eventsAfter({ store }: EventLogOwner, place: StreamPosition): Promise<LoggedEvent[] | undefined> {
  const entries = await store.after(sessionKey(place.session), place.position);
  // Before the first event there is no log.
  if (entries === undefined) return place.position === 0 ? [] : undefined;
  const events = entries.map(({ entry, position }) => ({ kept: JSON.parse(entry) as StreamEvent, position }));
  return events.filter(({ kept }) => kept.stream === place.stream);
}
