import type { Notification, RequestId } from '../jsonrpc/message.ts';
import { type ClientCapabilities, declares } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { type LogLevel, isAtLeast } from '../protocol/logging.ts';
import type { Revision } from '../revisions/revision.ts';
import { type Change, isForPrincipal, type ChangeFeed, type Listener, notificationOf } from './change-feed.ts';
import { type Subscriptions, WatchList } from './subscriptions.ts';

/** The state of one handshake client. Empty until `initialize`. */
export class Session implements Listener {
  revision: Revision | undefined;
  capabilities: ClientCapabilities = {};
  clientInfo: Implementation | undefined;
  logLevel: LogLevel | undefined;
  /** The authenticated caller whose session it is, where the transport knows one. */
  principal: string | undefined;
  /** Set by `notifications/initialized`. */
  initialized = false;
  /** The id of its `initialize`. */
  handshake: RequestId | undefined;
  /** Set when a request named its own revision: this client is stateless. */
  isStateless = false;
  /** Set when the warning about messages before `notifications/initialized` was logged. */
  isWarnedOf = false;
  /** Log messages from the time of `initialize`: sent right after its response. */
  early: Notification[] | undefined;
  /** Log messages about rejections before `initialize`: sent after the responses. */
  rejections: Notification[] | undefined;
  /** The resources it subscribed to. */
  subscriptions: Subscriptions = new WatchList();
  /** Created lazily: sessions live long, and few need it. */
  #waiting: Set<() => void> | undefined;
  readonly #send: ((message: Notification) => void) | undefined;
  #key: string | undefined;
  #feed: ChangeFeed | undefined;
  #leave: (() => void) | undefined;

  /** `send` delivers messages that belong to no request; without it the transport can't. */
  constructor(send?: (message: Notification) => void) {
    this.#send = send;
  }

  /** A secret id of the session. */
  get key(): string {
    this.#key ??= crypto.randomUUID();
    return this.#key;
  }

  /** Sends a notification that belongs to no request. */
  notify(message: Notification): void {
    this.#send?.(message);
  }

  /** Sends the messages that waited for the response to `initialize`. */
  sendEarly(): void {
    const { early = [] } = this;
    this.early = undefined;
    for (const message of early) this.notify(message);
  }

  /** Sends the messages that waited for the responses to rejected requests. */
  sendRejections(): void {
    const { rejections = [] } = this;
    this.rejections = undefined;
    for (const message of rejections) this.notify(message);
  }

  /** Handles `notifications/initialized`. */
  setInitialized(): void {
    this.initialized = true;
    for (const go of this.#waiting ?? []) go();
  }

  /** Calls back on `notifications/initialized`. Returns the function that unsubscribes. */
  onInitialized(go: () => void): () => void {
    this.#waiting ??= new Set();
    this.#waiting.add(go);
    return () => this.#waiting?.delete(go);
  }

  /** Subscribes to changes, if messages can be sent outside of requests. */
  join(feed: ChangeFeed): void {
    if (this.#send === undefined) return;
    this.#feed = feed;
    this.#leave ??= feed.join(this);
  }

  matches(change: Change): boolean {
    if (change.kind === 'extension') return change.toAll && declares(this.capabilities, change.id);
    if (change.kind === 'resource' ? !this.subscriptions.has(change.uri) : this.#feed?.notifiesLists === false)
      return false;
    return isForPrincipal(change, this.principal);
  }

  onChange(change: Change): void {
    this.notify(notificationOf(change));
  }

  subscribedUris(): Iterable<string> {
    return this.subscriptions.uris();
  }

  onLog(level: LogLevel, message: Notification): void {
    if (this.logLevel !== undefined && isAtLeast(level, this.logLevel)) this.notify(message);
  }

  /** Unsubscribes: the connection is closed. */
  end(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.subscriptions.clear();
  }
}
