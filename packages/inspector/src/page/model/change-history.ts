import type { CallStart } from '../../shared/calls.ts';
import type { NumberedEvent } from '../../shared/events.ts';
import type { Change, ListKind, ListState } from '../../shared/lists.ts';

/** A change of a list that the server announced, or that a reload revealed. */
export interface ObservedListChange {
  readonly is: 'list';
  readonly connection: string;
  /** Number of its first event: identifies it in the URL. */
  readonly n: number;
  /** Number and time of its latest event. */
  last: number;
  at: number;
  /** How often the server announced it; 0: never. */
  times: number;
  readonly what: 'tools' | 'prompts' | 'resources';
  /** Lists that are being reloaded. */
  readonly pending: Set<ListKind>;
  /** The reloaded lists. */
  readonly lists: (ListState & NumberedEvent)[];
}

/** A change of a resource that the server announced. Reading it shows the new contents. */
export interface ObservedResourceChange {
  readonly is: 'resource';
  readonly connection: string;
  readonly n: number;
  last: number;
  at: number;
  times: number;
  readonly uri: string;
}

export type ObservedChange = ObservedListChange | ObservedResourceChange;

/** Limit per connection; older changes are dropped. */
const maxPerConnection = 500;

/** Observed changes. Announcements before a change was resolved count as one change. */
export class ChangeHistory {
  readonly #changes = new Map<string, ObservedChange[]>();
  /** Latest read of each changed resource, by connection and URI. */
  readonly #lastReads = new Map<string, number>();

  /** Changes of a connection, oldest first. */
  forConnection(connection: string): readonly ObservedChange[] {
    return this.#changes.get(connection) ?? [];
  }

  addChange({ connection, what, uri, n, at }: Change & NumberedEvent): void {
    const known = this.forConnection(connection);
    const before =
      what === 'resource'
        ? known.findLast((change) => change.is === 'resource' && change.uri === uri)
        : known.findLast((change) => change.is === 'list' && change.what === what);
    if (before !== undefined && !this.#isResolved(before)) {
      Object.assign(before, { last: n, at, times: before.times + 1 });
      return;
    }
    if (what === 'resource') {
      this.#add({ is: 'resource', connection, n, last: n, at, times: 1, uri: uri ?? '' });
      return;
    }
    const awaited = new Set<ListKind>(what === 'resources' ? ['resources', 'templates'] : [what]);
    this.#add({ is: 'list', connection, n, last: n, at, times: 1, what, pending: awaited, lists: [] });
  }

  addList(list: ListState & NumberedEvent): void {
    const { connection, kind, state, changes, n, at } = list;
    if (state === 'loading' || state === 'stale') return;
    const waiting = this.forConnection(connection).find((change) => change.is === 'list' && change.pending.has(kind));
    if (waiting?.is === 'list') {
      waiting.pending.delete(kind);
      waiting.lists.push(list);
      return;
    }
    if (changes === undefined || changes.added.length + changes.removed.length + changes.changed.length === 0) return;
    const what = kind === 'templates' ? 'resources' : kind;
    this.#add({ is: 'list', connection, n, last: n, at, times: 0, what, pending: new Set(), lists: [list] });
  }

  addCall({ connection, method, subject, n }: CallStart & NumberedEvent): void {
    if (method !== 'resources/read' || subject === undefined) return;
    const isKnown = this.forConnection(connection).some((change) => change.is === 'resource' && change.uri === subject);
    if (isKnown) this.#lastReads.set(`${connection} ${subject}`, n);
  }

  /** Drops everything before an event. */
  dropBefore(before: number): void {
    for (const [connection, change] of this.#changes)
      this.#changes.set(
        connection,
        change.filter(({ last }) => last >= before),
      );
    for (const [key, n] of this.#lastReads) if (n < before) this.#lastReads.delete(key);
  }

  removeConnection(connection: string): void {
    this.#changes.delete(connection);
    for (const key of this.#lastReads.keys()) if (key.startsWith(`${connection} `)) this.#lastReads.delete(key);
  }

  #isResolved(change: ObservedChange): boolean {
    if (change.is === 'list') return change.pending.size === 0;
    return (this.#lastReads.get(`${change.connection} ${change.uri}`) ?? 0) > change.last;
  }

  #add(change: ObservedChange): void {
    this.#changes.set(change.connection, [...this.forConnection(change.connection), change].slice(-maxPerConnection));
  }
}
