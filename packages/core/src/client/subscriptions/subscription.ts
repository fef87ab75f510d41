import type { Params } from '../../jsonrpc/message.ts';

/** The changes a client subscribes to: of lists, and of resources. */
export interface Filter {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uris?: readonly string[];
  /** Members of extensions, by their name on the wire: `{ ticketIds: ['t1'] }`. */
  more?: Readonly<Record<string, unknown>>;
}

/** Options of a subscription. */
export interface ListenOptions {
  signal?: AbortSignal;
  /** Called for each change, in addition to the iterator. */
  onChange?: (change: Change) => void;
  /** Called for each notification of an extension that belongs to this subscription. */
  onNotification?: (method: string, params: Params) => void;
}

/** A stream of changes for one reader. */
export interface Subscription extends AsyncIterable<Change> {
  /** The part of the filter that the server granted. */
  readonly honoured: Filter;
  /** Resolves when the subscription is over, rejects if it failed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** All changes that may have been missed. */
export function allChanges({ uris = [], ...lists }: Filter): Change[] {
  const kinds = (['tools', 'prompts', 'resources'] as const).filter((kind) => lists[kind] === true);
  return [...kinds.map((kind) => ({ kind })), ...uris.map((uri) => ({ kind: 'resource' as const, uri }))];
}

/** The maximum unread changes; beyond it, they collapse into one: everything may have changed. */
const maxQueued = 10_000;
/** The maximum length of a resource URI, in characters. */
const maxUriLength = 8192;

/**
 * Queues changes until they are read. Duplicates collapse, so a slow reader costs little. If there are too many, the
 * queue falls back to "everything in the filter may have changed".
 */
export class ChangeQueue {
  readonly #getAll: () => readonly Change[];
  readonly #queued = new Map<string, Change>();
  readonly #wakeups = new Set<() => void>();
  readonly closed: Promise<void>;
  #settle: (error?: Error) => void = () => {};
  #ended = false;
  #error: Error | undefined;

  constructor(every: () => readonly Change[]) {
    this.#getAll = every;
    this.closed = new Promise((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    // A reader gets the error from the iterator.
    this.closed.catch(() => {});
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(change: Change): void {
    if (this.#ended) return;
    const isTooMuch =
      this.#queued.size >= maxQueued || (change.kind === 'resource' && change.uri.length > maxUriLength);
    if (isTooMuch) this.#enqueueAll();
    else this.#enqueue(change);
    this.#wakeAll();
  }

  #enqueue(change: Change): void {
    this.#queued.set(change.kind === 'resource' ? `resource ${change.uri}` : change.kind, change);
  }

  #enqueueAll(): void {
    this.#queued.clear();
    for (const change of this.#getAll()) this.#enqueue(change);
  }

  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#settle(error);
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#wakeups) wake();
    this.#wakeups.clear();
  }

  async *read(): AsyncGenerator<Change, void, undefined> {
    for (;;) {
      for (const [key, change] of this.#queued) {
        this.#queued.delete(key);
        yield change;
      }
      if (this.#queued.size > 0) continue;
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return;
      await new Promise<void>((resolve) => this.#wakeups.add(resolve));
    }
  }
}

/** A list of the server or the content of a resource has changed. */
export type Change = { kind: 'tools' | 'prompts' | 'resources' } | { kind: 'resource'; uri: string };

/** The change that a notification announces, if any. */
export function parseChange(method: string, params: Params): Change | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools' };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts' };
    case 'notifications/resources/list_changed':
      return { kind: 'resources' };
    case 'notifications/resources/updated':
      return typeof params.uri === 'string' ? { kind: 'resource', uri: params.uri } : undefined;
    default:
      return undefined;
  }
}
