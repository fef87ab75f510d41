import { batch, type Signal, signal } from '@preact/signals';
import type { Hello, InspectorEvent } from '../../shared/events.ts';
import { openedRecording } from './route.ts';
import { applyPageSettings } from './settings.ts';
import { removeFromTab } from './tab-storage.ts';
import { type Area, areas, AppState } from './app-state.ts';
import { apiPaths } from '../../shared/api-paths.ts';
import { EventStreamParser } from '../../shared/event-stream.ts';
import { authorization } from './api.ts';

let clockOffset = 0;

/** Sets the offset to the server's clock, which events are timed by. */
function setServerClock(now: number): void {
  clockOffset = performance.now() - now;
}

/** Current time of the server's clock. */
export function serverTime(): number {
  return performance.now() - clockOffset;
}

/** State of the event stream. */
export const streamState = signal<StreamState>('opening');

/** Whether all past events have arrived. */
export const isUpToDate = signal(false);

let resolveUpToDate: () => void = () => {};

/** Resolves when all past events have arrived. */
export const upToDate = new Promise<void>((resolve) => {
  resolveUpToDate = resolve;
});

let live = new AppState();
let shown = live;
const areaVersions = Object.fromEntries(areas.map((area) => [area, signal(0)])) as Record<Area, Signal<number>>;
const dirtyAreas = new Set<Area>();
let isNotifyScheduled = false;

/** State of the page; re-renders the component when one of these areas changes. */
export function useAppState(...parts: Area[]): AppState {
  for (const part of parts) void areaVersions[part].value;
  return shown;
}

/** State of the page, without a subscription. */
export function getAppState(): AppState {
  return shown;
}

/** Live state, also while a recording is shown. */
export function getLiveState(): AppState {
  return live;
}

/** Starts the event stream. */
export function startEventStream(): void {
  void receiveEvents({
    after: () => (live.hello === undefined ? undefined : `${live.hello.run}.${live.last}`),
    hello: onHello,
    events: onEvents,
    state: (state) => (streamState.value = state),
  });
}

function onHello(hello: Hello): void {
  if (live.hello !== undefined && live.hello.run !== hello.run) {
    // A restarted inspector may have another version and another sandbox origin: reload the page.
    if (shown === live) return location.reload();
    live = new AppState();
  }
  if (live.hello === undefined && shown === live) applyPageSettings(hello.pageSettings);
  live.hello = hello;
  setServerClock(hello.now);
  scheduleNotify(areas);
}

function onEvents(events: readonly InspectorEvent[]): void {
  for (const event of events) {
    const parts = live.apply(event);
    if (live === shown) scheduleNotify(parts);
  }
  if (!isUpToDate.value && live.hello !== undefined && live.last >= live.hello.last) {
    for (const area of areas) dirtyAreas.add(area);
    notify();
  }
}

/** Storage key of the shown recording. */
export const recordingKey = 'recording';

/** Shows a recording; without one, the live state. */
export function showRecording(name: string | undefined, appState: AppState | undefined): void {
  if (appState === undefined) removeFromTab(recordingKey);
  shown = appState ?? live;
  openedRecording.value = appState === undefined ? undefined : name;
  scheduleNotify(areas);
}

// Renders at most once per frame.
const frameMs = 16;

function scheduleNotify(parts: readonly Area[]): void {
  for (const part of parts) dirtyAreas.add(part);
  if (isNotifyScheduled) return;
  isNotifyScheduled = true;
  setTimeout(() => {
    isNotifyScheduled = false;
    notify();
  }, frameMs);
}

function notify(): void {
  batch(() => {
    for (const part of dirtyAreas) areaVersions[part].value += 1;
    dirtyAreas.clear();
    if (live.hello !== undefined && live.last >= live.hello.last) isUpToDate.value = true;
  });
  if (isUpToDate.value) resolveUpToDate();
}

/** State of the event stream. */
type StreamState = 'opening' | 'open' | 'lost' | 'refused';

/** Receives what the event stream delivers. */
interface StreamListener {
  /** Returns the run and number of the last known event. */
  after(): string | undefined;
  hello(hello: Hello): void;
  events(events: readonly InspectorEvent[]): void;
  state(state: StreamState): void;
}

const backoffMs = [200, 500, 1000, 2000, 5000];

/** Receives events until the page closes; reconnects with backoff and resumes after the last event. */
async function receiveEvents(listener: StreamListener): Promise<never> {
  for (let failures = 0; ; failures++) {
    if (failures === 0) listener.state('opening');
    try {
      const rejected = await receiveOnce(listener, () => (failures = 0));
      listener.state(rejected ? 'refused' : 'lost');
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
