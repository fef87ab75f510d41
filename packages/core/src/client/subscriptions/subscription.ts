import type { Params } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';

/** What a client wants to hear of: lists that change, and resources that read differently. */
export interface Filter {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uris?: readonly string[];
  /** What extensions add, by the name that it has on the wire: `{ ticketIds: ['t1'] }`. */
  more?: Readonly<Record<string, unknown>>;
}

/** How a subscription is made. */
export interface ListenOptions {
  signal?: AbortSignal;
  /** Told of each change, beside whoever reads the subscription. */
  onChange?: (change: Change) => void;
  /** Told of each notification of an extension that belongs to this subscription. */
  onNotice?: (method: string, params: Params) => void;
}

/** Changes as they happen, for one reader. */
export interface Subscription extends AsyncIterable<Change> {
  /** What of the filter the server will tell. */
  readonly honoured: Filter;
  /** Resolves when the subscription is over, rejects if it broke. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** All that may have changed while nobody could tell. */
export function allChanges({ uris = [], ...lists }: Filter): Change[] {
  const kinds = (['tools', 'prompts', 'resources'] as const).filter((kind) => lists[kind] === true);
  return [...kinds.map((kind) => ({ kind })), ...uris.map((uri) => ({ kind: 'resource' as const, uri }))];
}

const maxQueued = limits.client.unreadChanges.value;
const maxUriLength = limits.server.address.value;

/**
 * Holds changes until they are read. Each is held once, so a slow reader costs little. Where there are too many, it holds
 * instead that everything which is listened to may have changed.
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
    // Whoever doesn't look at this reads the changes, and hears of it there.
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

/** Something on the server is different now: one of its lists, or what a resource reads. */
export type Change = { kind: 'tools' | 'prompts' | 'resources' } | { kind: 'resource'; uri: string };

/** What a notification says has changed, if it is of that sort. */
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
