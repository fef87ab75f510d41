import type { InspectorEvent } from '../../shared/events.ts';
import type { ListEntries, ListKind } from '../../shared/lists.ts';
import type { RecordingHead } from '../../shared/work.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { wholeEvent } from './whole-event.ts';

/** Finds the entries of a version of a list, as far as they are still known. */
export type FindEntries = (connection: string, kind: ListKind, version: number) => ListEntries | undefined;

/** Writes events as they stand in a recording: with texts whole, and with the entries of each version of a list, once. */
export class RecordedEvents {
  readonly #log: EventLog;
  readonly #find: FindEntries;
  readonly #listed = new Set<string>();

  constructor(log: EventLog, find: FindEntries) {
    this.#log = log;
    this.#find = find;
  }

  /** The first line. */
  head(inspector: string): string {
    const head: RecordingHead = { format: 'ccmcp-recording', version: 1, run: this.#log.run, at: now(), inspector };
    return JSON.stringify(head);
  }

  /** What is still known of the past, line by line; `isWanted` leaves things out. */
  *past(isWanted: (event: InspectorEvent) => boolean = () => true): Generator<string, void, undefined> {
    for (const { n, json } of this.#log.after(0)) {
      const event = JSON.parse(json) as InspectorEvent;
      if (!isWanted(event)) continue;
      const whole = this.#log.texts.get(n);
      const line = this.line(event, whole?.cut ? undefined : whole?.text);
      if (line !== undefined) yield line;
    }
  }

  /** The line of an event; undefined for what says something of the inspector's memory only. */
  line(event: InspectorEvent, whole: string | undefined): string | undefined {
    if (event.type === 'dropped' || event.type === 'recording') return undefined;
    return wholeEvent(event.type === 'list' ? this.#withEntries(event) : event, whole);
  }

  #withEntries(event: InspectorEvent<'list'>): InspectorEvent<'list'> {
    const { connection, kind, version } = event;
    const key = `${connection} ${kind} ${version}`;
    if (version === 0 || this.#listed.has(key)) return event;
    const listed = this.#find(connection, kind, version);
    if (listed === undefined) return event;
    this.#listed.add(key);
    return { ...event, listed };
  }
}
