import type { Notification, Params } from '../jsonrpc/message.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { Budget } from './budget.ts';
import type { Requirement } from './define/access-rule.ts';

/** The maximum size of all subscriptions on connections and in open requests, in bytes. */
export const maxSubscriptionBytes = 8 * 1024 * 1024;

/** The only callers who are notified: those with this principal, or the anonymous ones. */
export interface Audience {
  readonly principal: string | undefined;
}

/**
 * A change of a server: one of its lists, the contents of one resource, or a notification of an extension. With `to`,
 * only these callers are notified; with `requirement`, only those who were granted it, even if the resource was removed.
 */
export type Change =
  | { kind: 'tools' | 'prompts' | 'resources'; to?: Audience | undefined }
  | { kind: 'resource'; uri: string; to?: Audience | undefined; requirement?: Requirement | undefined }
  | {
      kind: 'extension';
      id: string;
      method: string;
      params: Params /** Also for handshake clients that declared it. */;
      toAll: boolean;
    };

/** A subscriber to changes: a session, or an open `subscriptions/listen`. */
export interface Listener {
  matches(change: Change): boolean;
  onChange(change: Change): void;
  /** The URIs of the resources it subscribed to, if any. */
  subscribedUris?(): Iterable<string>;
  /** Receives messages of the server's log. Absent: the listener gets none. */
  onLog?(level: LogLevel, message: Notification): void;
}

/** Notifies listeners of changes. Equal changes of one tick are merged, but not across calls. */
export class ChangeFeed {
  /** True if clients are notified of changed lists. */
  notifiesLists = true;
  readonly #listeners = new Set<Listener>();
  readonly #changes = new Map<string, Change>();
  readonly #subscribeHooks = new Set<(uris: Iterable<string>) => void>();
  /** True while listeners have not been notified of some changes. */
  hasPending = false;
  /** The budget for all subscriptions in this process, in bytes. */
  readonly subscriptionBudget: Budget = new Budget(maxSubscriptionBytes);

  get size(): number {
    return this.#listeners.size;
  }

  listeners(): IterableIterator<Listener> {
    return this.#listeners.values();
  }

  /** Adds a listener. Returns the function that removes it. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#subscribeHooks.size > 0 && listener.subscribedUris !== undefined)
      this.notifySubscribe(listener.subscribedUris());
    return () => this.#listeners.delete(listener);
  }

  /** Calls back with the URIs of resources whenever a listener subscribes to some. Returns the function that ends that. */
  onSubscribe(hook: (uris: Iterable<string>) => void): () => void {
    this.#subscribeHooks.add(hook);
    return () => this.#subscribeHooks.delete(hook);
  }

  /** A listener has subscribed to more resources. */
  notifySubscribe(uris: Iterable<string>): void {
    for (const hook of this.#subscribeHooks) hook(uris);
  }

  /** The URIs of all resources that a listener subscribed to. */
  *subscribedUris(): Generator<string, void, undefined> {
    for (const listener of this.#listeners) yield* listener.subscribedUris?.() ?? [];
  }

  publish(change: Change): void {
    if (this.#listeners.size === 0) return;
    if (!this.hasPending) queueMicrotask(() => this.flush());
    this.hasPending = true;
    this.#changes.set(nameOf(change), change);
  }

  /** Notifies listeners now instead of at the end of this tick. */
  flush(): void {
    this.hasPending = false;
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    for (const change of changes) {
      for (const listener of this.#listeners) {
        if (listener.matches(change)) listener.onChange(change);
      }
    }
  }
}

/** Changes of one name are merged. */
function nameOf(change: Change): string {
  if (change.kind === 'extension') return JSON.stringify([change.method, change.params]);
  const name = change.kind === 'resource' ? `resource ${change.uri}` : change.kind;
  return change.to === undefined ? name : JSON.stringify([name, change.to]);
}

/** True if a caller may be notified of a change. */
export function isForPrincipal(change: Exclude<Change, { kind: 'extension' }>, principal: string | undefined): boolean {
  return change.to === undefined || change.to.principal === principal;
}

/** The notification of a change. */
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
