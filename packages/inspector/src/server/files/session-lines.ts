import type { InspectorEvent } from '../../shared/events.ts';
import type { EventLog } from '../log/event-log.ts';
import { type FindEntries, RecordedEvents } from './recorded-events.ts';

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
