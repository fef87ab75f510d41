import { batch, type Signal, signal } from '@preact/signals';
import type { Hello, InspectorEvent } from '../../shared/events.ts';
import { openedRecording } from './opened-recording.ts';
import { applyLook } from './settings.ts';
import { receiveEvents, type StreamState } from './event-client.ts';
import { removeFromTab } from './tab-storage.ts';
import { type Area, areas, AppState } from './app-state.ts';

let clockOffset = 0;

/** Sets the offset to the server's clock, which events are timed by. */
function setServerClock(now: number): void {
  clockOffset = performance.now() - now;
}

/** Current time of the server's clock. */
export function serverNow(): number {
  return performance.now() - clockOffset;
}

/** State of the event stream. */
export const streamState = signal<StreamState>('opening');

/** Whether all past events have arrived. */
export const isUpToDate = signal(false);

let resolveUpToDate: () => void = () => {};

/** Resolves when all past events have arrived. */
export const whenUpToDate = new Promise<void>((resolve) => {
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
  if (live.hello === undefined && shown === live) applyLook(hello.look);
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
