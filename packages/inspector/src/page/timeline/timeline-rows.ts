import type { TimelineEvent, AppState, Call } from '../model/app-state.ts';
import type { InspectorEvent } from '../../shared/events.ts';

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
    const { timeline } = appState;
    const end = upTo === Number.POSITIVE_INFINITY ? timeline.length : appState.countUpTo(upTo);
    const isSame = this.#state === appState && this.#source === timeline && isSameFilter(this.#filter, filter);
    if (isSame) this.#dropOld(appState);
    if (!isSame || this.#seen > end) {
      this.#state = appState;
      this.#source = timeline;
      this.#filter = filter;
      this.#matches = createPredicate(filter);
      this.#seen = 0;
      this.#droppedCount = appState.droppedCount;
      this.#rows = [];
      this.#calls = new Set();
    }
    for (; this.#seen < end; this.#seen++) {
      const event = timeline[this.#seen];
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
    if (this.#droppedCount === appState.droppedCount) return;
    this.#seen = Math.max(0, this.#seen - (appState.droppedCount - this.#droppedCount));
    this.#droppedCount = appState.droppedCount;
    const kept = this.#rows.findIndex(({ event }) => event.n >= appState.firstRetained);
    const old = kept === -1 ? this.#rows.splice(0) : this.#rows.splice(0, kept);
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
      return [event.says];
    case 'span':
      return [event.name];
    case 'change':
      return [`${event.what} ${event.uri ?? ''}`];
    case 'task':
      return [`${event.task} ${event.status} ${event.says ?? ''}`];
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
