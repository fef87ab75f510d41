import { withTimeout } from '../../../../server/call/with-timeout.ts';
import { event } from './event.ts';
import type { Store } from '../../../../stores/store.ts';
import { sessionKey } from '../sessions/sessions.ts';
import type { Stream, Weight } from './streams.ts';
import { limits } from '../../../../limits.ts';

const knownMs = limits.http.knownMs.value;
const bounds = { maxEntries: limits.http.keptEvents.value, maxLength: limits.http.keptEventsLength.value };

/** Where more events wait for the store, only those are added that must be. */
const crowdedWaiting = 100;

/** Where events are kept, and who hears of failures. */
export interface EventKeeper {
  readonly store: Store;
  readonly server: { reportError(message: string, error: unknown): void };
}

/** One event of a stream, as it is kept and told to other instances. */
export interface Kept {
  stream: string;
  data?: string;
  weight?: Weight;
  /** The event has no data: it gives the client an id to come back with, and says after how many milliseconds. */
  retry?: number;
  /** Nothing follows. */
  last?: true;
}

/** A kept event with its number. */
export interface Told {
  kept: Kept;
  position: number;
}

/** A position in a stream of a session. */
export interface StreamPosition {
  session: string;
  stream: string;
  position: number;
}

/**
 * The events of one stream of a session. They are numbered and kept, so that a client whose connection broke can take
 * the stream up again with the id of the last event it saw, on any instance.
 */
export class EventLog {
  readonly stream: string;
  readonly #keeper: EventKeeper;
  readonly #session: string;
  readonly #waiting: { kept: Kept; connection: Stream | undefined }[] = [];
  /** What waits and needn't wait twice. */
  readonly #mergeable = new Set<string | undefined>();
  #working: Promise<void> | undefined;
  #any = false;
  /** Events that a slow store keeps in the background; undefined: none. */
  #late: Promise<void> | undefined;
  #lateCount = 0;
  readonly #lost: () => void;

  /** `lost` is told where an event could not be kept, or nobody told of it, so that it may not reach the client. */
  constructor(keeper: EventKeeper, session: string, stream: string, lost: () => void = () => {}) {
    this.#keeper = keeper;
    this.#session = session;
    this.stream = stream;
    this.#lost = lost;
  }

  /** True where a client may know an event to come back with. */
  get any(): boolean {
    return this.#any;
  }

  /** True while the store does not keep up. */
  get crowded(): boolean {
    return this.#waiting.length + this.#lateCount > crowdedWaiting;
  }

  /** Keeps an event, and writes it to a connection that has the stream. */
  add(given: Omit<Kept, 'stream'>, connection?: Stream): void {
    const { weight, data } = given;
    if (weight === 'droppable' && this.crowded) return;
    if (weight === 'mergeable') {
      if (this.#mergeable.has(data) && this.crowded) return;
      this.#mergeable.add(data);
    }
    this.#any = true;
    this.#waiting.push({ kept: { ...given, stream: this.stream }, connection });
    this.#working ??= this.#work();
  }

  /** Resolves when everything so far is kept and written. */
  async settled(): Promise<void> {
    await this.#working;
    await this.#late;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#mergeable.delete(next.kept.data);
      await this.#keep(next.kept, next.connection);
    }
    this.#working = undefined;
  }

  async #keep(kept: Kept, connection: Stream | undefined): Promise<void> {
    const stored = this.#late === undefined ? this.#append(kept) : this.#late.then(() => this.#append(kept));
    const position = await (connection?.open === true ? this.#positionSoon(kept, stored) : stored);
    if (connection !== undefined) deliver(connection, kept, position);
    if (position !== undefined) await this.#publish(kept, position);
  }

  #append(kept: Kept): Promise<number | undefined> {
    const { store } = this.#keeper;
    return this.#attempt(() => store.append(sessionKey(this.#session), JSON.stringify(kept), bounds));
  }

  async #publish(kept: Kept, position: number): Promise<void> {
    const told = JSON.stringify({ kept, position } satisfies Told);
    await this.#attempt(() => this.#keeper.store.publish(streamTopic(this.#session, this.stream), told));
  }

  /**
   * The position of an event. Undefined where the store is slow: a connected client gets the event without an id then, and it is
   * stored in the background, before those that follow. A client that comes back may get it twice, but misses nothing.
   */
  async #positionSoon(kept: Kept, stored: Promise<number | undefined>): Promise<number | undefined> {
    if (this.#late === undefined) {
      const result = await withTimeout(stored, knownMs).then(
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

  /** A store that fails must not keep the event from a client that is there. */
  async #attempt<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#keeper.server.reportError('An event could not be kept for later', error);
      this.#lost();
      return undefined;
    }
  }
}

/** Writes an event to a connection. One that could not be kept has no id: nobody can come back to it. */
export function deliver(connection: Stream, kept: Kept, position: number | undefined): void {
  const { stream, data, weight = 'needed', retry, last } = kept;
  const id = position === undefined ? undefined : `${stream}-${position}`;
  if (retry !== undefined && id !== undefined) connection.write(event('', { id, retry }));
  if (data !== undefined) connection.send({ data, weight, ...(id !== undefined && { id }) });
  if (last) connection.end();
}

/** Gives the topic under which instances tell each other the events of a stream. */
export function streamTopic(session: string, stream: string): string {
  return `stream/${session}/${stream}`;
}

/** An id for a stream: the standing one of a session, or that of a reply. */
export function streamId(kind: 'standing' | 'reply'): string {
  return kind[0] + crypto.randomUUID().slice(0, 8);
}

/** True for the id of a standing stream. */
export function isStanding(stream: string): boolean {
  return stream.startsWith('s');
}

/** Reads the id of an event of ours. */
export function readEventId(session: string, eventId: string): StreamPosition | undefined {
  const [, stream, position] = /^([sr][0-9a-f]{8})-(\d{1,15})$/.exec(eventId) ?? [];
  return stream === undefined ? undefined : { session, stream, position: Number(position) };
}

/** Reads the events of a stream after a position. Undefined where some are gone, or the position never was. */
export async function eventsFrom({ store }: EventKeeper, place: StreamPosition): Promise<Told[] | undefined> {
  const entries = await store.after(sessionKey(place.session), place.position - 1);
  const told = entries?.map(({ entry, position }) => ({ kept: JSON.parse(entry) as Kept, position })) ?? [];
  if (told[0]?.position !== place.position || told[0].kept.stream !== place.stream) return undefined;
  return told.filter(({ kept }) => kept.stream === place.stream);
}

/** The same for a stream of which everything before was seen; position 0 is its beginning. */
export async function eventsAfter({ store }: EventKeeper, place: StreamPosition): Promise<Told[] | undefined> {
  const entries = await store.after(sessionKey(place.session), place.position);
  // Before the first event there is no log.
  if (entries === undefined) return place.position === 0 ? [] : undefined;
  const told = entries.map(({ entry, position }) => ({ kept: JSON.parse(entry) as Kept, position }));
  return told.filter(({ kept }) => kept.stream === place.stream);
}
