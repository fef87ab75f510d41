import type { InspectorEvent } from '../../shared/events.ts';
import type { ListEntries, ListKind, ChangedDefinition } from '../../shared/lists.ts';
import type { RecordingHead } from '../../shared/recordings.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { written } from '../log/safe-stringify.ts';

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

/** An event as JSON, with the text of which it had the beginning only, or a summary. */
function wholeEvent(event: InspectorEvent, whole: string | undefined): string {
  if (whole !== undefined && event.type === 'list' && event.changes !== undefined) {
    const definitions = JSON.parse(whole) as readonly ChangedDefinition[];
    return written({ ...event, changes: { ...event.changes, definitions } });
  }
  if (whole === undefined || !('cut' in event)) return written(event);
  const { cut: _, ...rest } = event;
  if (rest.type === 'message') return written({ ...rest, text: whole });
  if (rest.type === 'call') return written({ ...rest, params: whole });
  return rest.type === 'call-end' ? written({ ...rest, result: JSON.parse(whole) as unknown }) : written(event);
}

/** What happened on one connection, as the lines of a recording. */
export function* sessionLines(
  log: EventLog,
  find: FindEntries,
  { connection, version }: { connection: string; version: string },
): Generator<string, void, undefined> {
  const events = new RecordedEvents(log, find);
  yield events.head(version);
  yield* events.past(belongsTo(connection));
}

/** Tells events of a connection from others; they have to be asked about in order. */
function belongsTo(id: string): (event: InspectorEvent) => boolean {
  const own = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'connection':
        return event.connection.id === id;
      case 'call':
        return event.connection === id && own.add(event.call) !== undefined;
      case 'question':
        return event.connection === id && own.add(event.question) !== undefined;
      case 'http-request':
        return event.connection === id && own.add(event.exchange) !== undefined;
      case 'progress':
      case 'call-end':
        return own.has(event.call);
      case 'question-end':
        return own.has(event.question);
      case 'http-response':
      case 'http-end':
        return own.has(event.exchange);
      default:
        return 'connection' in event && event.connection === id;
    }
  };
}
