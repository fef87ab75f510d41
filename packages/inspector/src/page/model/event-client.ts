import { apiPaths } from '../../shared/api-paths.ts';
import { EventStreamParser } from '../../shared/event-stream.ts';
import type { Hello, InspectorEvent } from '../../shared/events.ts';
import { authorization } from './api.ts';

/** State of the event stream. */
export type StreamState = 'opening' | 'open' | 'lost' | 'refused';

/** Receives what the event stream delivers. */
export interface StreamListener {
  /** Returns the run and number of the last known event. */
  after(): string | undefined;
  hello(hello: Hello): void;
  events(events: readonly InspectorEvent[]): void;
  state(state: StreamState): void;
}

const backoffMs = [200, 500, 1000, 2000, 5000];

/** Receives events until the page closes; reconnects with backoff and resumes after the last event. */
export async function receiveEvents(listener: StreamListener): Promise<never> {
  for (let failures = 0; ; failures++) {
    if (failures === 0) listener.state('opening');
    try {
      const refused = await receiveOnce(listener, () => (failures = 0));
      listener.state(refused ? 'refused' : 'lost');
    } catch {
      // Any failure leads to a reconnect.
      listener.state('lost');
    }
    const pause = backoffMs[Math.min(failures, backoffMs.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function receiveOnce(listener: StreamListener, opened: () => void): Promise<boolean> {
  const after = listener.after();
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const response = await fetch(`${apiPaths.events}${query}`, { headers: authorization() });
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
