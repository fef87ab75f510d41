import type { Notification } from '../jsonrpc/message.ts';
import { type ClientCapabilities, declares } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { type LogLevel, reaches } from '../protocol/logging.ts';
import type { Revision } from '../revisions/revision.ts';
import { type Change, type Feed, type Listener, notificationOf } from './feed.ts';

/** What is known of one handshake client. Empty until `initialize`. */
export class Session implements Listener {
  revision: Revision | undefined;
  capabilities: ClientCapabilities = {};
  clientInfo: Implementation | undefined;
  logLevel: LogLevel | undefined;
  /** Set when the client has said that it is ready. */
  initialized = false;
  /** The resources it wants to hear of. */
  readonly subscriptions: Set<string> = new Set();
  readonly #send: ((message: Notification) => void) | undefined;
  #leave: (() => void) | undefined;

  /** `send` delivers what belongs to no request; without it there is no way to do that. */
  constructor(send?: (message: Notification) => void) {
    this.#send = send;
  }

  /** Sends a notification that belongs to no request. */
  notify(message: Notification): void {
    this.#send?.(message);
  }

  /** Starts hearing of changes, where there is a way to tell. */
  join(feed: Feed): void {
    if (this.#send !== undefined) this.#leave ??= feed.join(this);
  }

  hears(change: Change): boolean {
    if (change.kind === 'extension') return change.toAll && declares(this.capabilities, change.id);
    return change.kind !== 'resource' || this.subscriptions.has(change.uri);
  }

  tell(change: Change): void {
    this.notify(notificationOf(change));
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
