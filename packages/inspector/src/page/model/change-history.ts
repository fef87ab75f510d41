import type { CallStart } from '../../shared/calls.ts';
import type { Numbered } from '../../shared/events.ts';
import type { ListKind, ListState } from '../../shared/lists.ts';
import type { Change } from '../../shared/subscriptions.ts';

/** A list of which the server said that it changed, or which turned out to be another when it was asked for again. */
export interface HeardList {
  readonly is: 'list';
  readonly connection: string;
  /** The event that began it: names it in the address. */
  readonly n: number;
  /** The latest event that told of it, and when that was. */
  last: number;
  at: number;
  /** How often the server said so; 0: nobody said so. */
  times: number;
  readonly what: 'tools' | 'prompts' | 'resources';
  /** Lists that are being asked for again. */
  readonly awaited: Set<ListKind>;
  /** What came of asking for them. */
  readonly lists: (ListState & Numbered)[];
}

/** A resource of which the server said that it changed. What it says since then is known by reading it. */
export interface HeardResource {
  readonly is: 'resource';
  readonly connection: string;
  readonly n: number;
  last: number;
  at: number;
  times: number;
  readonly uri: string;
}

export type Heard = HeardList | HeardResource;

/** So many changes of a connection are remembered; of more, the oldest go. */
const most = 500;

/** What was heard of changes. Whatever a server says again before it was looked at is one change. */
export class HeardChanges {
  readonly #heard = new Map<string, Heard[]>();
  /** The latest reading of each resource that was heard of, by connection and address. */
  readonly #read = new Map<string, number>();

  /** What was heard on a connection, oldest first. */
  of(connection: string): readonly Heard[] {
    return this.#heard.get(connection) ?? [];
  }

  change({ connection, what, uri, n, at }: Change & Numbered): void {
    const known = this.of(connection);
    const before =
      what === 'resource'
        ? known.findLast((heard) => heard.is === 'resource' && heard.uri === uri)
        : known.findLast((heard) => heard.is === 'list' && heard.what === what);
    if (before !== undefined && !this.#isLookedAt(before)) {
      Object.assign(before, { last: n, at, times: before.times + 1 });
      return;
    }
    if (what === 'resource') {
      this.#add({ is: 'resource', connection, n, last: n, at, times: 1, uri: uri ?? '' });
      return;
    }
    const awaited = new Set<ListKind>(what === 'resources' ? ['resources', 'templates'] : [what]);
    this.#add({ is: 'list', connection, n, last: n, at, times: 1, what, awaited, lists: [] });
  }

  list(list: ListState & Numbered): void {
    const { connection, kind, state, changes, n, at } = list;
    if (state === 'loading' || state === 'stale') return;
    const waiting = this.of(connection).find((heard) => heard.is === 'list' && heard.awaited.has(kind));
    if (waiting?.is === 'list') {
      waiting.awaited.delete(kind);
      waiting.lists.push(list);
      return;
    }
    if (changes === undefined || changes.added.length + changes.removed.length + changes.changed.length === 0) return;
    const what = kind === 'templates' ? 'resources' : kind;
    this.#add({ is: 'list', connection, n, last: n, at, times: 0, what, awaited: new Set(), lists: [list] });
  }

  call({ connection, method, subject, n }: CallStart & Numbered): void {
    if (method !== 'resources/read' || subject === undefined) return;
    const isHeardOf = this.of(connection).some((heard) => heard.is === 'resource' && heard.uri === subject);
    if (isHeardOf) this.#read.set(`${connection} ${subject}`, n);
  }

  /** Forgets what happened before an event. */
  giveUp(before: number): void {
    for (const [connection, heard] of this.#heard)
      this.#heard.set(
        connection,
        heard.filter(({ last }) => last >= before),
      );
    for (const [key, n] of this.#read) if (n < before) this.#read.delete(key);
  }

  forget(connection: string): void {
    this.#heard.delete(connection);
    for (const key of this.#read.keys()) if (key.startsWith(`${connection} `)) this.#read.delete(key);
  }

  #isLookedAt(heard: Heard): boolean {
    if (heard.is === 'list') return heard.awaited.size === 0;
    return (this.#read.get(`${heard.connection} ${heard.uri}`) ?? 0) > heard.last;
  }

  #add(heard: Heard): void {
    this.#heard.set(heard.connection, [...this.of(heard.connection), heard].slice(-most));
  }
}
