import type { Notification, RequestId } from '../jsonrpc/message.ts';
import { type ClientCapabilities, declares } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { type LogLevel, reaches } from '../protocol/logging.ts';
import type { Revision } from '../revisions/revision.ts';
import { type Change, concerns, type ChangeFeed, type Listener, notificationOf } from './change-feed.ts';
import { type Subscriptions, WatchList } from './subscriptions.ts';

/** What is known of one handshake client. Empty until `initialize`. */
export class Session implements Listener {
  revision: Revision | undefined;
  capabilities: ClientCapabilities = {};
  clientInfo: Implementation | undefined;
  logLevel: LogLevel | undefined;
  /** The authenticated caller whose session it is, where the transport knows one. */
  principal: string | undefined;
  /** Set when the client has said that it is ready. */
  initialized = false;
  /** The id of its `initialize`. */
  handshake: RequestId | undefined;
  /** Set when a request named its revision itself: this client is none of the handshake. */
  isStateless = false;
  /** Set when the operator was told that the client sends other messages before it says that it is ready. */
  isWarnedOf = false;
  /** What was logged while `initialize` was served: told right after the answer. */
  early: Notification[] = [];
  /** What was refused before `initialize`: told after the answers. */
  refusals: Notification[] = [];
  /** The resources it wants to hear of. */
  subscriptions: Subscriptions = new WatchList();
  readonly #waiting = new Set<() => void>();
  readonly #send: ((message: Notification) => void) | undefined;
  #key: string | undefined;
  #feed: ChangeFeed | undefined;
  #leave: (() => void) | undefined;

  /** `send` delivers what belongs to no request; without it there is no way to do that. */
  constructor(send?: (message: Notification) => void) {
    this.#send = send;
  }

  /** A name for it that nobody else knows. */
  get key(): string {
    this.#key ??= crypto.randomUUID();
    return this.#key;
  }

  /** Sends a notification that belongs to no request. */
  notify(message: Notification): void {
    this.#send?.(message);
  }

  /** Sends what had to wait for the answer to `initialize`, which has gone out. */
  tellEarly(): void {
    for (const message of this.early.splice(0)) this.notify(message);
  }

  /** Sends what had to wait for the answers to what was refused, which have gone out. */
  tellRefusals(): void {
    for (const message of this.refusals.splice(0)) this.notify(message);
  }

  /** The client has said that it is ready. */
  setInitialized(): void {
    this.initialized = true;
    for (const go of this.#waiting) go();
  }

  /** Calls back when the client says that it is ready, unless the function returned is called before. */
  onInitialized(go: () => void): () => void {
    this.#waiting.add(go);
    return () => this.#waiting.delete(go);
  }

  /** Starts hearing of changes, where there is a way to tell. */
  join(feed: ChangeFeed): void {
    if (this.#send === undefined) return;
    this.#feed = feed;
    this.#leave ??= feed.join(this);
  }

  hears(change: Change): boolean {
    if (change.kind === 'extension') return change.toAll && declares(this.capabilities, change.id);
    if (change.kind === 'resource' ? !this.subscriptions.has(change.uri) : this.#feed?.tellsLists === false)
      return false;
    return concerns(change, this.principal);
  }

  tell(change: Change): void {
    this.notify(notificationOf(change));
  }

  watched(): Iterable<string> {
    return this.subscriptions.uris();
  }

  hearLog(level: LogLevel, message: Notification): void {
    if (this.logLevel !== undefined && reaches(level, this.logLevel)) this.notify(message);
  }

  /** The connection is over: nothing is sent any more. */
  end(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.subscriptions.clear();
  }
}
