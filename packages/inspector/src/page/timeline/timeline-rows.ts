import type { TimelineEvent, World, Call } from '../model/app-state.ts';
import type { InspectorEvent } from '../../shared/events.ts';

/** A row of the timeline: a call with what is inside, or something that happened. */
export type Row =
  | { readonly is: 'call'; readonly call: string; readonly event: TimelineEvent }
  | { readonly is: 'event'; readonly event: TimelineEvent; readonly depth: number };

/** What is shown of the timeline. */
export interface Wanted {
  readonly by: 'order' | 'calls';
  readonly text: string;
  /** The id of a connection; empty: all. */
  readonly connection: string;
  readonly kind: Kind;
}

export const kinds = ['everything', 'requests', 'notifications', 'errors', 'HTTP', 'stderr'] as const;
export type Kind = (typeof kinds)[number];

/** Keeps the rows of a timeline, and looks only at what has come and gone since it was last asked. */
export class Rows {
  #world: World | undefined;
  #source: readonly TimelineEvent[] = [];
  #wanted: Wanted | undefined;
  #isWanted: (event: TimelineEvent) => boolean = () => true;
  /** How many events were looked at, and how many of the timeline were gone by then. */
  #seen = 0;
  #gone = 0;
  #rows: Row[] = [];
  /** The calls that have a row. */
  #calls = new Set<string>();

  /** The rows for what is wanted, of the events up to a number. */
  update(world: World, wanted: Wanted, upTo = Number.POSITIVE_INFINITY): readonly Row[] {
    const { timeline } = world;
    const end = upTo === Number.POSITIVE_INFINITY ? timeline.length : world.countUpTo(upTo);
    const isSame = this.#world === world && this.#source === timeline && sameWanted(this.#wanted, wanted);
    if (isSame) this.#giveUp(world);
    if (!isSame || this.#seen > end) {
      this.#world = world;
      this.#source = timeline;
      this.#wanted = wanted;
      this.#isWanted = filterFor(wanted);
      this.#seen = 0;
      this.#gone = world.gone;
      this.#rows = [];
      this.#calls = new Set();
    }
    for (; this.#seen < end; this.#seen++) {
      const event = timeline[this.#seen];
      if (event !== undefined && this.#isWanted(event)) this.#add(world, event, wanted.by);
    }
    return this.#rows;
  }

  #add(world: World, event: TimelineEvent, by: Wanted['by']): void {
    const call = by === 'calls' && 'call' in event ? event.call : undefined;
    if (call === undefined || !world.calls.has(call)) {
      this.#rows.push({ is: 'event', event, depth: 0 });
    } else if (!this.#calls.has(call)) {
      this.#calls.add(call);
      this.#rows.push({ is: 'call', call, event });
    }
  }

  /** What is gone from the timeline goes from its beginning; a call stays for as long as it is known. */
  #giveUp(world: World): void {
    if (this.#gone === world.gone) return;
    this.#seen = Math.max(0, this.#seen - (world.gone - this.#gone));
    this.#gone = world.gone;
    const kept = this.#rows.findIndex(({ event }) => event.n >= world.firstKept);
    const old = kept === -1 ? this.#rows.splice(0) : this.#rows.splice(0, kept);
    const known = old.filter((row) => row.is === 'call' && world.calls.has(row.call));
    if (known.length > 0) this.#rows = [...known, ...this.#rows];
    for (const row of old) if (row.is === 'call' && !world.calls.has(row.call)) this.#calls.delete(row.call);
  }
}

/** The same rows with what is inside of those calls that are open. */
export function withInside(rows: readonly Row[], open: ReadonlySet<string>, world: World): readonly Row[] {
  if (open.size === 0) return rows;
  const all: Row[] = [];
  for (const row of rows) {
    all.push(row);
    if (row.is !== 'call' || !open.has(row.call)) continue;
    for (const event of world.calls.get(row.call)?.inside ?? []) all.push({ is: 'event', event, depth: 1 });
  }
  return all;
}

function sameWanted(a: Wanted | undefined, b: Wanted): boolean {
  return a !== undefined && a.by === b.by && a.text === b.text && a.connection === b.connection && a.kind === b.kind;
}

function filterFor({ text, connection, kind }: Wanted): (event: TimelineEvent) => boolean {
  // Without regard to case, and without making a second text of each.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return (event) => {
    if (connection !== '' && (!('connection' in event) || event.connection !== connection)) return false;
    if (kind !== 'everything' && !isOfKind(event, kind)) return false;
    return text === '' || textsOf(event).some((each) => pattern.test(each));
  };
}

function isOfKind(event: TimelineEvent, kind: Kind): boolean {
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

/** What an event is found by. */
function textsOf(event: TimelineEvent): readonly string[] {
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

/** The answers of the server to what a call asked: one, or one for each page of a list. */
export function answersIn({ start, inside }: Call): readonly InspectorEvent<'message'>[] {
  return inside.filter(
    (event): event is InspectorEvent<'message'> =>
      event.type === 'message' &&
      event.from === 'server' &&
      event.method === start.method &&
      (event.kind === 'result' || event.kind === 'error'),
  );
}

/** How long those answers are, in bytes; undefined where none came. */
export function answeredBytes(call: Call): number | undefined {
  const answers = answersIn(call);
  return answers.length === 0 ? undefined : answers.reduce((sum, { bytes }) => sum + bytes, 0);
}
