import type { EventPayloads, EventType, InspectorEvent } from '../../shared/events.ts';
import { safeStringify } from '@ccmcp/core/recording';
import { isTaskFinished } from '../../shared/calls.ts';

/** Maximum number of stored events; the oldest are evicted. */
const maxEvents = 100_000;

/** Maximum total length of stored events; the oldest are evicted. */
const maxEventsLength = 256 * 1024 * 1024;

/** A stored event: number and JSON. */
export interface StoredEvent {
  readonly n: number;
  readonly json: string;
}

/** Receives each event, with its full text. */
export type LogListener = (event: InspectorEvent, whole: string | undefined) => void;

/**
 * Numbered log of all events, starting at 1. Evicts the oldest events beyond its limits, but retains those that describe the current
 * state.
 */
export class EventLog {
  /** Identifies this run of the inspector. */
  readonly run: string = crypto.randomUUID().slice(0, 8);
  readonly texts: FullTexts = new FullTexts();
  readonly #listeners = new Set<LogListener>();
  readonly #wakers = new Set<() => void>();
  readonly #maxEvents: number;
  readonly #maxLength: number;
  /** Total length of the JSON, in characters. */
  #length = 0;
  /** Number of the first event in `#events`. */
  #before = 1;
  #events: string[] = [];
  /** Number of the latest state event, by key. */
  readonly #latest = new Map<string, number>();
  /** Evicted state events that are still current. */
  readonly #retained = new Map<number, string>();

  constructor(most: number = maxEvents, longest: number = maxEventsLength) {
    this.#maxEvents = most;
    this.#maxLength = longest;
  }

  get first(): number {
    return this.#before;
  }

  get last(): number {
    return this.#before + this.#events.length - 1;
  }

  /** Adds an event. `whole` is the full text of which the event has a preview. */
  add<Type extends EventType>(type: Type, payload: EventPayloads[Type], whole?: string): InspectorEvent<Type> {
    const event = { n: this.last + 1, at: now(), type, ...payload } as unknown as InspectorEvent<Type>;
    const json = safeStringify(event);
    this.#events.push(json);
    this.#length += json.length;
    if (whole !== undefined) this.texts.add(event.n, whole);
    this.#compact(event);
    for (const listener of this.#listeners) listener(event, whole);
    if (this.#events.length > this.#maxEvents || this.#length > this.#maxLength) this.#evict();
    for (const onNext of this.#wakers) onNext();
    this.#wakers.clear();
    return event;
  }

  /** JSON of an event; undefined if evicted. */
  at(n: number): string | undefined {
    return this.#events[n - this.#before] ?? this.#retained.get(n);
  }

  /** Stored events after a number, in order. */
  *after(n: number): Generator<StoredEvent, void, undefined> {
    if (n < this.#before) {
      const old = [...this.#retained].filter(([number]) => number > n).sort(([one], [other]) => one - other);
      for (const [number, json] of old) yield { n: number, json };
    }
    for (let next = Math.max(n + 1, this.#before); next <= this.last; next = Math.max(next + 1, this.#before)) {
      const json = this.#events[next - this.#before];
      if (json !== undefined) yield { n: next, json };
    }
  }

  /** Calls back once on the next event. */
  wake(waker: () => void): () => void {
    this.#wakers.add(waker);
    return () => void this.#wakers.delete(waker);
  }

  listen(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #compact(event: InspectorEvent): void {
    const { key, superseded, supersededPrefix } = compactionOf(event);
    const withPrefix =
      supersededPrefix === undefined
        ? []
        : [...this.#latest.keys()].filter((each) => each.startsWith(supersededPrefix));
    for (const done of [...superseded, ...withPrefix]) {
      const before = this.#latest.get(done);
      if (before === undefined) continue;
      this.#retained.delete(before);
      this.#latest.delete(done);
    }
    if (key === undefined) return;
    const before = this.#latest.get(key);
    if (before !== undefined) this.#retained.delete(before);
    this.#latest.set(key, event.n);
  }

  /** Number of events to evict, with some headroom; never the newest. */
  #countToEvict(): number {
    let count = this.#events.length > this.#maxEvents ? Math.max(1, Math.floor(this.#maxEvents / 10)) : 0;
    if (this.#length <= this.#maxLength) return count;
    let left = this.#length;
    for (let at = 0; at < this.#events.length - 1 && left > this.#maxLength * 0.9; at += 1) {
      left -= (this.#events[at] as string).length;
      count = Math.max(count, at + 1);
    }
    return count;
  }

  /** Evicts a tenth at once: evicting one at a time would copy the array each time. */
  #evict(): void {
    const count = this.#countToEvict();
    if (count === 0) return;
    const end = this.#before + count;
    for (const n of this.#latest.values()) {
      if (n < this.#before || n >= end) continue;
      this.#retained.set(n, this.#events[n - this.#before] as string);
    }
    for (const json of this.#events.slice(0, count)) this.#length -= json.length;
    this.#events = this.#events.slice(count);
    this.#before = end;
    this.texts.dropBefore(end, this.#retained);
    this.add('dropped', { before: end });
  }
}

/** Current time with sub-millisecond precision; monotonic within a run. */
export function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000) / 1000;
}

/** Generates ids that are unique within a run: a letter for the kind, and a number. */
export class IdGenerator {
  readonly #counts = new Map<string, number>();

  next(letter: string): string {
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    return `${letter}${count}`;
  }
}

/** Maximum total length of full texts; beyond it the oldest are evicted, and only their previews remain. */
const maxTotalLength = 128 * 1024 * 1024;
/** Maximum length of a stored text; a longer one is truncated. */
const maxTextLength = 16 * 1024 * 1024;

/** A stored text, possibly truncated. */
interface FullText {
  readonly text: string;
  readonly truncated?: true;
}

/** Full texts of events with a preview, by event number. Evicts the oldest beyond the limit. */
export class FullTexts {
  readonly #texts = new Map<number, FullText>();
  #length = 0;

  add(n: number, text: string): void {
    const stored: FullText =
      text.length > maxTextLength ? { text: text.slice(0, maxTextLength), truncated: true } : { text };
    this.#texts.set(n, stored);
    this.#length += stored.text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= maxTotalLength || oldest === n) return;
      this.#drop(oldest);
    }
  }

  get(n: number): FullText | undefined {
    return this.#texts.get(n);
  }

  /** Drops texts of evicted events. */
  dropBefore(n: number, but: ReadonlyMap<number, unknown>): void {
    for (const each of this.#texts.keys()) {
      if (each >= n) return;
      if (!but.has(each)) this.#drop(each);
    }
  }

  #drop(n: number): void {
    this.#length -= this.#texts.get(n)?.text.length ?? 0;
    this.#texts.delete(n);
  }
}

/** Rounds milliseconds to three decimals. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The key of which an event is the latest state, and the keys it supersedes. */
interface Compaction {
  readonly key: string | undefined;
  readonly superseded: readonly string[];
  /** Supersedes every key with this prefix. */
  readonly supersededPrefix?: string;
}

/** Log compaction: an event that describes a state is retained until a newer one supersedes it; other events may be evicted. */
function compactionOf(event: InspectorEvent): Compaction {
  switch (event.type) {
    case 'targets':
    case 'collection':
    case 'recording':
    case 'model':
      return supersede(event.type, false);
    case 'connection':
      return supersede(`${connectionPrefix(event.connection.id)}connection`, false);
    case 'forgotten':
      return { key: undefined, superseded: [], supersededPrefix: connectionPrefix(event.connection) };
    case 'list':
      return supersede(`${connectionPrefix(event.connection)}list ${event.kind}`, false);
    case 'skills':
      return supersede(`${connectionPrefix(event.connection)}skills`, false);
    case 'skill':
      return supersede(`${connectionPrefix(event.connection)}skill ${event.uri}`, false);
    case 'task':
      return supersede(`${connectionPrefix(event.connection)}task ${event.task}`, isTaskFinished(event.status));
    case 'subscription':
      return supersede(`subscription ${event.subscription}`, event.state !== 'open' && event.state !== 'opening');
    case 'call':
    case 'call-end':
      return supersede(`call ${event.call}`, event.type === 'call-end');
    case 'question':
    case 'question-end':
      return event.type === 'question'
        ? supersede(`question ${event.question}`, false)
        : {
            key: undefined,
            superseded: [`question ${event.question}`, `ask ${event.question}`, `asked ${event.question}`],
          };
    case 'model-ask':
      return supersede(`ask ${event.question}`, false);
    case 'model-end':
      // Only drafts and failures that the user has yet to see.
      return event.outcome === 'drafted' || event.outcome === 'failed'
        ? supersede(`asked ${event.question}`, false)
        : supersede(`ask ${event.question}`, true);
    case 'auto-answer':
      return supersede(`${connectionPrefix(event.connection)}by-itself`, false);
    case 'sign-in':
      return supersede(`sign-in ${event.flow}`, event.status === 'done' || event.status === 'cancelled');
    default:
      return { key: undefined, superseded: [] };
  }
}

function supersede(key: string, isOver: boolean): Compaction {
  return isOver ? { key: undefined, superseded: [key] } : { key, superseded: [] };
}

/** Key prefix of a connection. */
function connectionPrefix(connection: string): string {
  return `of ${connection} `;
}
