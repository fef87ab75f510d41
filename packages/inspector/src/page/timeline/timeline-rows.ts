import type { InspectorEvent } from '../../shared/events.ts';
import type { AppState, Call } from '../model/app-state.ts';
import type { TimelineEvent } from '../model/timeline.ts';

/** A row of the timeline: a call, or an event. */
export type Row =
  | { readonly is: 'call'; readonly call: string; readonly event: TimelineEvent }
  | { readonly is: 'event'; readonly event: TimelineEvent; readonly depth: number };

/** Filter of the timeline. */
export interface RowFilter {
  readonly by: 'order' | 'calls';
  readonly text: string;
  /** Connection id; empty: all. */
  readonly connection: string;
  readonly kind: Kind;
}

export const kinds = ['everything', 'requests', 'notifications', 'errors', 'HTTP', 'stderr'] as const;
export type Kind = (typeof kinds)[number];

/** Incremental list of rows: each update processes only new and dropped events. */
export class TimelineRows {
  #state: AppState | undefined;
  #source: readonly TimelineEvent[] = [];
  #filter: RowFilter | undefined;
  #matches: (event: TimelineEvent) => boolean = () => true;
  /** Number of processed events, and the state's dropped count at that time. */
  #seen = 0;
  #droppedCount = 0;
  #rows: Row[] = [];
  /** Calls that have a row. */
  #calls = new Set<string>();

  /** Rows that match a filter, of events up to a number. */
  update(appState: AppState, filter: RowFilter, upTo = Number.POSITIVE_INFINITY): readonly Row[] {
    const { events, droppedCount } = appState.timeline;
    const end = upTo === Number.POSITIVE_INFINITY ? events.length : appState.timeline.countUpTo(upTo);
    const isSame = this.#state === appState && this.#source === events && isSameFilter(this.#filter, filter);
    if (isSame) this.#dropOld(appState);
    if (!isSame || this.#seen > end) {
      this.#state = appState;
      this.#source = events;
      this.#filter = filter;
      this.#matches = createPredicate(filter);
      this.#seen = 0;
      this.#droppedCount = droppedCount;
      this.#rows = [];
      this.#calls = new Set();
    }
    for (; this.#seen < end; this.#seen++) {
      const event = events[this.#seen];
      if (event !== undefined && this.#matches(event)) this.#add(appState, event, filter.by);
    }
    return this.#rows;
  }

  #add(appState: AppState, event: TimelineEvent, by: RowFilter['by']): void {
    const call = by === 'calls' && 'call' in event ? event.call : undefined;
    if (call === undefined || !appState.calls.has(call)) {
      this.#rows.push({ is: 'event', event, depth: 0 });
    } else if (!this.#calls.has(call)) {
      this.#calls.add(call);
      this.#rows.push({ is: 'call', call, event });
    }
  }

  /** Removes rows of dropped events; a call stays as long as it is known. */
  #dropOld(appState: AppState): void {
    const { droppedCount, firstRetained } = appState.timeline;
    if (this.#droppedCount === droppedCount) return;
    this.#seen = Math.max(0, this.#seen - (droppedCount - this.#droppedCount));
    this.#droppedCount = droppedCount;
    const firstKept = this.#rows.findIndex(({ event }) => event.n >= firstRetained);
    const old = firstKept === -1 ? this.#rows.splice(0) : this.#rows.splice(0, firstKept);
    const known = old.filter((row) => row.is === 'call' && appState.calls.has(row.call));
    if (known.length > 0) this.#rows = [...known, ...this.#rows];
    for (const row of old) if (row.is === 'call' && !appState.calls.has(row.call)) this.#calls.delete(row.call);
  }
}

/** Inserts the events of expanded calls. */
export function expandCalls(rows: readonly Row[], open: ReadonlySet<string>, appState: AppState): readonly Row[] {
  if (open.size === 0) return rows;
  const all: Row[] = [];
  for (const row of rows) {
    all.push(row);
    if (row.is !== 'call' || !open.has(row.call)) continue;
    for (const event of appState.calls.get(row.call)?.events ?? []) all.push({ is: 'event', event, depth: 1 });
  }
  return all;
}

function isSameFilter(a: RowFilter | undefined, b: RowFilter): boolean {
  return a !== undefined && a.by === b.by && a.text === b.text && a.connection === b.connection && a.kind === b.kind;
}

function createPredicate({ text, connection, kind }: RowFilter): (event: TimelineEvent) => boolean {
  // Case-insensitive, without a lower-case copy of each text.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return (event) => {
    if (connection !== '' && (!('connection' in event) || event.connection !== connection)) return false;
    if (kind !== 'everything' && !matchesKind(event, kind)) return false;
    return text === '' || searchTexts(event).some((each) => pattern.test(each));
  };
}

function matchesKind(event: TimelineEvent, kind: Kind): boolean {
  switch (kind) {
    case 'requests':
      return event.type === 'message' && event.kind !== 'notification';
    case 'notifications':
      return event.type === 'message' && event.kind === 'notification';
    case 'errors':
      return (
        event.type === 'warning' ||
        (event.type === 'message' &&
          (event.kind === 'error' || event.kind === 'broken' || /"isError":\s*true/.test(event.text)))
      );
    case 'HTTP':
      return event.type === 'http-request';
    case 'stderr':
      return event.type === 'output';
    default:
      return true;
  }
}

/** Texts by which an event is searched. */
function searchTexts(event: TimelineEvent): readonly string[] {
  switch (event.type) {
    case 'message':
      return [`${event.method ?? ''} ${event.subject ?? ''}`, event.text];
    case 'http-request':
      return [`${event.method} ${event.url}`];
    case 'output':
      return [event.text];
    case 'warning':
      return [event.message];
    case 'span':
      return [event.name];
    case 'change':
      return [`${event.what} ${event.uri ?? ''}`];
    case 'task':
      return [`${event.task} ${event.status} ${event.message ?? ''}`];
  }
}

/** Server responses to a call: one, or one per page of a list. */
export function responsesTo({ start, events }: Call): readonly InspectorEvent<'message'>[] {
  return events.filter(
    (event): event is InspectorEvent<'message'> =>
      event.type === 'message' &&
      event.from === 'server' &&
      event.method === start.method &&
      (event.kind === 'result' || event.kind === 'error'),
  );
}

/** Total size of the responses in bytes; undefined without a response. */
export function responseBytes(call: Call): number | undefined {
  const answers = responsesTo(call);
  return answers.length === 0 ? undefined : answers.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Start and end of an activity. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Maps a time to a position from 0 to 1. */
export type TimeAxis = (at: number) => number;

// An idle pause takes at most this share of the busy time.
const maxPauseShare = 0.04;
const minPauseMs = 2;

/** Creates an axis that shortens idle pauses. */
export function createTimeAxis(stretches: readonly TimeRange[]): TimeAxis {
  const steps = stretches.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  steps.sort((a, b) => a.at - b.at || b.by - a.by);
  const gaps = findGaps(steps);
  const busy = gaps.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const most = Math.max(minPauseMs, busy * maxPauseShare);
  const moments: number[] = [];
  const positions: number[] = [];
  let position = 0;
  for (const { at, ms, isPause } of gaps) {
    position += isPause ? Math.min(ms, most) : ms;
    moments.push(at);
    positions.push(position);
  }
  const whole = position || 1;
  return (at) => {
    const index = moments.findLastIndex((moment) => moment <= at);
    if (index === -1) return 0;
    const here = positions[index] ?? 0;
    const room = (positions[index + 1] ?? here) - here;
    return Math.min(1, (here + Math.min(at - (moments[index] ?? 0), room)) / whole);
  };
}

/** Each moment with the time since the previous one, and whether it was idle. */
function findGaps(steps: readonly { at: number; by: number }[]): { at: number; ms: number; isPause: boolean }[] {
  const gaps: { at: number; ms: number; isPause: boolean }[] = [];
  let running = 0;
  let before = steps[0]?.at ?? 0;
  for (const { at, by } of steps) {
    if (gaps.length === 0 || at !== before) gaps.push({ at, ms: at - before, isPause: running === 0 });
    before = at;
    running += by;
  }
  return gaps;
}
