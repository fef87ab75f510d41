import { addresses } from '../../shared/api-paths.ts';
import { EventStreamParser } from '../../shared/event-stream.ts';
import type { Hello, InspectorEvent } from '../../shared/events.ts';
import { authorization } from './api.ts';

/** How the page hears of what happens. */
export type StreamState = 'opening' | 'open' | 'lost' | 'refused';

/** What is told of a stream of events. */
export interface StreamListener {
  /** Called with the run and number of the last event that is known. */
  after(): string | undefined;
  hello(hello: Hello): void;
  events(events: readonly InspectorEvent[]): void;
  state(state: StreamState): void;
}

const pauses = [200, 500, 1000, 2000, 5000];

/** Hears of everything that happens until the page is closed; goes on where it was after a break. */
export async function followEvents(listener: StreamListener): Promise<never> {
  for (let failures = 0; ; failures++) {
    if (failures === 0) listener.state('opening');
    try {
      const refused = await followOnce(listener, () => (failures = 0));
      listener.state(refused ? 'refused' : 'lost');
    } catch {
      // Whatever ended the stream, it is opened again.
      listener.state('lost');
    }
    const pause = pauses[Math.min(failures, pauses.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function followOnce(listener: StreamListener, opened: () => void): Promise<boolean> {
  const after = listener.after();
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const response = await fetch(`${addresses.events}${query}`, { headers: authorization() });
  if (response.status === 401 || response.status === 403) return true;
  if (!response.ok || response.body === null) return false;
  opened();
  listener.state('open');
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    const found = parser.push(decoder.decode(chunk, { stream: true }));
    const events: InspectorEvent[] = [];
    for (const { event, data } of found) {
      if (event === 'hello') listener.hello(JSON.parse(data) as Hello);
      else events.push(JSON.parse(data) as InspectorEvent);
    }
    if (events.length > 0) listener.events(events);
  }
  return false;
}
