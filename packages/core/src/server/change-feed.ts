import type { Notification, Params } from '../jsonrpc/message.ts';
import { limits } from '../limits.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { Budget } from './quotas/budget.ts';

/** The only callers who may hear of something: those who are known by this name, or those who are not known. */
export interface Audience {
  readonly principal: string | undefined;
}

/**
 * Something about a server that changed: one of its lists, one resource's contents, or what an extension tells of. With
 * `to`, only these callers may know; with `scopes`, only those who have them, also when the resource is gone by then.
 */
export type Change =
  | { kind: 'tools' | 'prompts' | 'resources'; to?: Audience | undefined }
  | { kind: 'resource'; uri: string; to?: Audience | undefined; scopes?: readonly string[] | undefined }
  | {
      kind: 'extension';
      id: string;
      method: string;
      params: Params /** Also for handshake clients that declared it. */;
      toAll: boolean;
    };

/** Someone who is told of changes: a session, or an open `subscriptions/listen`. */
export interface Listener {
  hears(change: Change): boolean;
  tell(change: Change): void;
  /** The resources that it is told of, where it is told of single ones. */
  watched?(): Iterable<string>;
  /** Takes a message of the server's log, where the listener has a way to. */
  hearLog?(level: LogLevel, message: Notification): void;
}

/** Tells listeners of changes. Tells equal changes of one turn once, but those of each call apart. */
export class ChangeFeed {
  /** Clients are told that a list changed. */
  tellsLists = true;
  readonly #listeners = new Set<Listener>();
  readonly #changes = new Map<string, Change>();
  /** What listeners in this process may watch, all together, in bytes. */
  readonly watched: Budget = new Budget(limits.server.watchedInAll.value);

  get size(): number {
    return this.#listeners.size;
  }

  listeners(): IterableIterator<Listener> {
    return this.#listeners.values();
  }

  /** Starts telling a listener. The function returned stops it. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(change: Change): void {
    if (this.#listeners.size === 0) return;
    if (this.#changes.size === 0) queueMicrotask(() => this.#spread());
    this.#changes.set(nameOf(change), change);
  }

  /** Notifies listeners now instead of at the end of this turn. */
  flush(): void {
    if (this.#changes.size > 0) this.#spread();
  }

  #spread(): void {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    for (const change of changes) {
      for (const listener of this.#listeners) {
        if (listener.hears(change)) listener.tell(change);
      }
    }
  }
}

/** Changes of one name are told as one. */
function nameOf(change: Change): string {
  if (change.kind === 'extension') return JSON.stringify([change.method, change.params]);
  const name = change.kind === 'resource' ? `resource ${change.uri}` : change.kind;
  return change.to === undefined ? name : JSON.stringify([name, change.to]);
}

/** True where a caller may hear of a change. */
export function concerns(change: Exclude<Change, { kind: 'extension' }>, principal: string | undefined): boolean {
  return change.to === undefined || change.to.principal === principal;
}

/** The notification that tells of a change. */
export function notificationOf(change: Change, params?: Params): Notification {
  if (change.kind === 'extension') {
    return { jsonrpc: '2.0', method: change.method, params: { ...change.params, ...params } };
  }
  if (change.kind === 'resource') {
    return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { ...params, uri: change.uri } };
  }
  const method = `notifications/${change.kind}/list_changed`;
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}
