import type { InspectorEvent } from '../../shared/events.ts';
import type { ListEntries, ListKind, ChangedDefinition } from '../../shared/lists.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { recordingFormat, type RecordingHead, recordingVersion, safeStringify } from '@ccmcp/core/recording';

/** Finds the entries of a list version, if still stored. */
export type FindEntries = (connection: string, kind: ListKind, version: number) => ListEntries | undefined;

/** Serializes events for a recording: with full texts, and with the entries of each list version once. */
export class RecordingFormat {
  readonly #log: EventLog;
  readonly #find: FindEntries;
  readonly #listed = new Set<string>();

  constructor(log: EventLog, find: FindEntries) {
    this.#log = log;
    this.#find = find;
  }

  /** The first line. */
  head(inspector: string): string {
    const { run } = this.#log;
    const head: RecordingHead = { format: recordingFormat, version: recordingVersion, run, at: now(), inspector };
    return JSON.stringify(head);
  }

  /** Lines of the stored past events; `isWanted` filters them. */
  *past(isWanted: (event: InspectorEvent) => boolean = () => true): Generator<string, void, undefined> {
    for (const { n, json } of this.#log.after(0)) {
      const event = JSON.parse(json) as InspectorEvent;
      if (!isWanted(event)) continue;
      const whole = this.#log.texts.get(n);
      const line = this.line(event, whole?.truncated ? undefined : whole?.text);
      if (line !== undefined) yield line;
    }
  }

  /** Line of an event; undefined for events about the inspector's own storage. */
  line(event: InspectorEvent, whole: string | undefined): string | undefined {
    if (event.type === 'dropped' || event.type === 'recording') return undefined;
    return serializeFullEvent(event.type === 'list' ? this.#withEntries(event) : event, whole);
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

/** Serializes an event with its full text in place of the preview. */
function serializeFullEvent(event: InspectorEvent, whole: string | undefined): string {
  if (whole !== undefined && event.type === 'list' && event.changes !== undefined) {
    const definitions = JSON.parse(whole) as readonly ChangedDefinition[];
    return safeStringify({ ...event, changes: { ...event.changes, definitions } });
  }
  if (whole === undefined || !('truncated' in event)) return safeStringify(event);
  const { truncated: _, ...rest } = event;
  if (rest.type === 'message') return safeStringify({ ...rest, text: whole });
  if (rest.type === 'call') return safeStringify({ ...rest, params: whole });
  return rest.type === 'call-end'
    ? safeStringify({ ...rest, result: JSON.parse(whole) as unknown })
    : safeStringify(event);
}

/** Serializes the events of one connection as a recording. */
export function* serializeSession(
  log: EventLog,
  find: FindEntries,
  { connection, version }: { connection: string; version: string },
): Generator<string, void, undefined> {
  const events = new RecordingFormat(log, find);
  yield events.head(version);
  yield* events.past(createConnectionFilter(connection));
}

/** Filters events of a connection; must see all events in order. */
function createConnectionFilter(id: string): (event: InspectorEvent) => boolean {
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
