import { limits } from '@ccmcp/core';
import type { Happening, Happenings, InspectorEvent } from '../../shared/events.ts';
import { standing } from './compaction.ts';
import { WholeTexts } from './full-texts.ts';
import { written } from './safe-stringify.ts';

/** An event as it is kept: its number, and its JSON. */
export interface KeptEvent {
  readonly n: number;
  readonly json: string;
}

/** Hears of each event, with its text whole. */
export type LogListener = (event: InspectorEvent, whole: string | undefined) => void;

/**
 * Everything that happens, in order and numbered from 1. The oldest events are given up where there are too many; those that still
 * say how something is are kept as long as they do.
 */
export class EventLog {
  /** Names this run of the inspector. */
  readonly run: string = crypto.randomUUID().slice(0, 8);
  readonly texts: WholeTexts = new WholeTexts();
  readonly #listeners = new Set<LogListener>();
  readonly #wakers = new Set<() => void>();
  readonly #most: number;
  readonly #longest: number;
  /** In characters of JSON, together. */
  #length = 0;
  /** The number of an event less that of its place here. */
  #before = 1;
  #events: string[] = [];
  /** Events that say how something is now, by what they are about. */
  readonly #standing = new Map<string, number>();
  /** Of these, those that were too old to stay with the others. */
  readonly #kept = new Map<number, string>();

  constructor(most: number = limits.inspector.events.value, longest: number = limits.inspector.eventsLength.value) {
    this.#most = most;
    this.#longest = longest;
  }

  get first(): number {
    return this.#before;
  }

  get last(): number {
    return this.#before + this.#events.length - 1;
  }

  /** Says that something happened. `whole` is a text of which the event has the beginning only. */
  add<Type extends Happening>(type: Type, happening: Happenings[Type], whole?: string): InspectorEvent<Type> {
    const event = { n: this.last + 1, at: now(), type, ...happening } as unknown as InspectorEvent<Type>;
    const json = written(event);
    this.#events.push(json);
    this.#length += json.length;
    if (whole !== undefined) this.texts.keep(event.n, whole);
    this.#note(event);
    for (const listener of this.#listeners) listener(event, whole);
    if (this.#events.length > this.#most || this.#length > this.#longest) this.#giveUp();
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
    return event;
  }

  /** The JSON of an event; undefined where it is not known any more. */
  at(n: number): string | undefined {
    return this.#events[n - this.#before] ?? this.#kept.get(n);
  }

  /** The events after a number, in order, as far as they are known. */
  *after(n: number): Generator<KeptEvent, void, undefined> {
    if (n < this.#before) {
      const old = [...this.#kept].filter(([number]) => number > n).sort(([one], [other]) => one - other);
      for (const [number, json] of old) yield { n: number, json };
    }
    for (let next = Math.max(n + 1, this.#before); next <= this.last; next = Math.max(next + 1, this.#before)) {
      const json = this.#events[next - this.#before];
      if (json !== undefined) yield { n: next, json };
    }
  }

  /** Calls once when there is something new. */
  wake(waker: () => void): () => void {
    this.#wakers.add(waker);
    return () => void this.#wakers.delete(waker);
  }

  listen(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #note(event: InspectorEvent): void {
    const { key, over, allOver } = standing(event);
    const gone = allOver === undefined ? [] : [...this.#standing.keys()].filter((each) => each.startsWith(allOver));
    for (const done of [...over, ...gone]) {
      const before = this.#standing.get(done);
      if (before === undefined) continue;
      this.#kept.delete(before);
      this.#standing.delete(done);
    }
    if (key === undefined) return;
    const before = this.#standing.get(key);
    if (before !== undefined) this.#kept.delete(before);
    this.#standing.set(key, event.n);
  }

  /** How many of the oldest have to go, so that there is room for a while; never the newest. */
  #tooMany(): number {
    let count = this.#events.length > this.#most ? Math.max(1, Math.floor(this.#most / 10)) : 0;
    if (this.#length <= this.#longest) return count;
    let left = this.#length;
    for (let at = 0; at < this.#events.length - 1 && left > this.#longest * 0.9; at += 1) {
      left -= (this.#events[at] as string).length;
      count = Math.max(count, at + 1);
    }
    return count;
  }

  /** Gives up a tenth at once: to give up one at a time would move all others each time. */
  #giveUp(): void {
    const count = this.#tooMany();
    if (count === 0) return;
    const end = this.#before + count;
    for (const n of this.#standing.values()) {
      if (n < this.#before || n >= end) continue;
      this.#kept.set(n, this.#events[n - this.#before] as string);
    }
    for (const json of this.#events.slice(0, count)) this.#length -= json.length;
    this.#events = this.#events.slice(count);
    this.#before = end;
    this.texts.forgetBefore(end, this.#kept);
    this.add('dropped', { before: end });
  }
}

/** The time of day, to fractions of a millisecond, which never goes back while the inspector runs. */
export function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000) / 1000;
}
