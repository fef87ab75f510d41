import { ConnectionError, TimeoutError } from '../errors.ts';
import { delay } from '../abort-signals.ts';
import { type Agreement, handshake, negotiate, type NegotiationOptions } from './negotiate.ts';
import type { Observers } from './observers.ts';
import type { RpcChannel } from './rpc-channel.ts';
import type { Transport } from '../transport.ts';

/** The maximum reconnect delay. */
const maxReconnectDelayMs = 30 * 1000;
const firstReconnectDelayMs = 500;
/** The grace period when a server is closed that never answered. */
const silentGraceMs = 100;
/** A session that lasted this long was not dropped right after it began. */
const stableSessionMs = 60_000;

/** The options of a connection, and listeners for its opening and closing. */
export interface LifecycleOptions {
  readonly channel: RpcChannel;
  readonly transport: Transport;
  readonly negotiation: NegotiationOptions;
  readonly observers: Observers | undefined;
  warn(text: string): void;
  /** Called once, after the first negotiation. */
  onOpen(agreement: Agreement): void;
  /** Called if the connection ends without `close`. */
  onLost(reason: Error): void;
}

/** Opens a connection, repeats the handshake when the server has lost the session, and closes it. */
export class ConnectionLifecycle {
  /** Run after a new handshake, to restore what the old session held. */
  readonly sessionRestorers: Set<() => Promise<unknown>> = new Set();
  readonly #options: LifecycleOptions;
  readonly #closed = new AbortController();
  #agreement: Agreement | undefined;
  #reconnecting: Promise<void> | undefined;
  #reconnectedAt = Number.NEGATIVE_INFINITY;
  #shortSessions = 0;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** True after the first negotiation, and for good. */
  get isOpen(): boolean {
    return this.#agreement !== undefined;
  }

  /** The current agreement. Throws if the connection is not open yet. */
  get agreement(): Agreement {
    if (this.#agreement === undefined) throw new Error('The connection is not open yet');
    return this.#agreement;
  }

  /** Resolves when the handshake was repeated; undefined if none is under way. */
  get reconnecting(): Promise<void> | undefined {
    return this.#reconnecting;
  }

  /** Aborts when the connection is closed. */
  get closedSignal(): AbortSignal {
    return this.#closed.signal;
  }

  /** True once the client was closed or the connection ended. */
  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Starts the transport and negotiates. Closes everything on failure. */
  async open(): Promise<void> {
    const { channel, transport, negotiation, onOpen } = this.#options;
    try {
      await channel.start();
      this.#agreement = await negotiate(channel, transport, negotiation);
      onOpen(this.#agreement);
      channel.sendsCancelled = !(transport.streamPerRequest && this.#agreement.revision.asksBy === 'result');
    } catch (error) {
      // A server that was silent so far would not use the full grace period either.
      await channel.close(error instanceof TimeoutError ? silentGraceMs : undefined);
      throw error;
    }
  }

  close(graceMs?: number): Promise<void> {
    const { channel, observers } = this.#options;
    if (!this.isClosed) observers?.onClosed(undefined);
    this.#closed.abort(new ConnectionError('The client is closed'));
    return channel.close(graceMs);
  }

  /** The transport ended. A connection that was never open is closed by `open`. */
  onTransportClosed(reason: Error): void {
    if (this.#agreement === undefined) return;
    const { observers, onLost } = this.#options;
    this.#closed.abort(reason);
    observers?.onClosed(reason);
    onLost(reason);
  }

  /** The server has lost the session while no request waited for it. */
  onSessionLost(): void {
    this.reconnect({ withBackoff: true }).catch((error: Error) => {
      if (!this.isClosed) this.#options.warn(`The session is lost: ${error.message}`);
    });
  }

  /**
   * Repeats the handshake, once for all requests that lost the session. Without a request waiting it backs off: a
   * server that drops each session at once would keep both sides busy.
   */
  reconnect({ withBackoff = false } = {}): Promise<void> {
    this.#reconnecting ??= this.#repeatHandshake(withBackoff ? this.#reconnectDelay() : 0).finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }

  #reconnectDelay(): number {
    const now = performance.now();
    this.#shortSessions = now - this.#reconnectedAt >= stableSessionMs ? 0 : this.#shortSessions + 1;
    return this.#shortSessions === 0
      ? 0
      : Math.min(firstReconnectDelayMs * 2 ** this.#shortSessions, maxReconnectDelayMs);
  }

  async #repeatHandshake(delayMs: number): Promise<void> {
    const { channel, transport, negotiation, warn } = this.#options;
    if (delayMs > 0) await delay(delayMs, this.#closed.signal);
    this.#closed.signal.throwIfAborted();
    this.#reconnectedAt = performance.now();
    const { signal: _, ...waiting } = negotiation.waiting;
    const { version } = this.agreement.revision;
    this.#agreement = await handshake(channel, transport, { ...negotiation, waiting, version });
    for (const restore of this.sessionRestorers) {
      // Not awaited: these are requests, and wait for the handshake themselves.
      restore().catch((error: Error) => warn(`Lost with the old session: ${error.message}`));
    }
  }
}
