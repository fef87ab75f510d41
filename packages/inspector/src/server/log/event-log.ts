import { limits } from '@ccmcp/core';
import type { EventType, EventPayloads, InspectorEvent } from '../../shared/events.ts';
import { compactionOf } from './compaction.ts';
import { FullTexts } from './full-texts.ts';
import { safeStringify } from './safe-stringify.ts';

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

  constructor(most: number = limits.inspector.events.value, longest: number = limits.inspector.eventsLength.value) {
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
  add<Type extends EventType>(type: Type, happening: EventPayloads[Type], whole?: string): InspectorEvent<Type> {
    const event = { n: this.last + 1, at: now(), type, ...happening } as unknown as InspectorEvent<Type>;
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
    const gone =
      supersededPrefix === undefined
        ? []
        : [...this.#latest.keys()].filter((each) => each.startsWith(supersededPrefix));
    for (const done of [...superseded, ...gone]) {
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
