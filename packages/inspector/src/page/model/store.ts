import { batch, type Signal, signal } from '@preact/signals';
import type { Hello, InspectorEvent } from '../../shared/events.ts';
import { openedRecording } from './opened-recording.ts';
import { takeLook } from './settings.ts';
import { followEvents, type StreamState } from './event-client.ts';
import { forget } from './tab-storage.ts';
import { type Area, areas, World } from './app-state.ts';

let ahead = 0;

/** Sets the clock of the server side, by which events are timed. It and the page may have two times of day. */
function setServerClock(now: number): void {
  ahead = performance.now() - now;
}

/** What the clock of the server side says now. */
export function serverNow(): number {
  return performance.now() - ahead;
}

/** How the page hears of what happens. */
export const streamState = signal<StreamState>('opening');

/** Whether all that happened before the page was opened has come. */
export const isUpToDate = signal(false);

let upToDate: () => void = () => {};

/** Comes when all that happened before the page was opened has come. */
export const whenUpToDate = new Promise<void>((resolve) => {
  upToDate = resolve;
});

let live = new World();
let shown = live;
const changed = Object.fromEntries(areas.map((area) => [area, signal(0)])) as Record<Area, Signal<number>>;
const dirty = new Set<Area>();
let isWaiting = false;

/** What is known, for a component that shows these parts of it: it is drawn again when they change. */
export function useWorld(...parts: Area[]): World {
  for (const part of parts) void changed[part].value;
  return shown;
}

/** What is known, for whoever only looks once. */
export function theWorld(): World {
  return shown;
}

/** What happens now, also while a recording is shown. */
export function liveWorld(): World {
  return live;
}

/** Begins to hear of everything. */
export function follow(): void {
  void followEvents({
    after: () => (live.hello === undefined ? undefined : `${live.hello.run}.${live.last}`),
    hello: greet,
    events: takeAll,
    state: (state) => (streamState.value = state),
  });
}

function greet(hello: Hello): void {
  if (live.hello !== undefined && live.hello.run !== hello.run) {
    // Started anew, it may be another version, and views have another sandbox: both are said when the page is loaded.
    if (shown === live) return location.reload();
    live = new World();
  }
  if (live.hello === undefined && shown === live) takeLook(hello.look);
  live.hello = hello;
  setServerClock(hello.now);
  tell(areas);
}

function takeAll(events: readonly InspectorEvent[]): void {
  for (const event of events) {
    const parts = live.take(event);
    if (live === shown) tell(parts);
  }
  if (!isUpToDate.value && live.hello !== undefined && live.last >= live.hello.last) {
    for (const area of areas) dirty.add(area);
    tellNow();
  }
}

/** Where the tab keeps the name of the recording that is shown. */
export const keptRecording = 'recording';

/** Shows a recording instead of what happens now; without one, what happens now. */
export function showRecording(name: string | undefined, world: World | undefined): void {
  if (world === undefined) forget(keptRecording);
  shown = world ?? live;
  openedRecording.value = world === undefined ? undefined : name;
  tell(areas);
}

// However much happens, the page is drawn once for each of its frames.
const frame = 16;

function tell(parts: readonly Area[]): void {
  for (const part of parts) dirty.add(part);
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    tellNow();
  }, frame);
}

function tellNow(): void {
  batch(() => {
    for (const part of dirty) changed[part].value += 1;
    dirty.clear();
    if (live.hello !== undefined && live.last >= live.hello.last) isUpToDate.value = true;
  });
  if (isUpToDate.value) upToDate();
}
