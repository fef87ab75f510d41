import { type ClientCapabilities, ErrorCode, ProtocolError } from '@ccmcp/core';
import { type Client, connect, type ConnectOptions, type LogMessage, type Transport } from '@ccmcp/core/client';
import { type BackoffOptions, CircuitBreaker } from './circuit-breaker.ts';
import { type ActiveCall, UpstreamConnection } from './connection.ts';
import { IdleTimer } from './idle-timer.ts';
import type { OpenElicitations } from '../open-elicitations.ts';
import { ConnectionPool } from './connection-pool.ts';
import { assertQuestion } from '../question-check.ts';
import { findSignIn, type SignInRequired } from '../credentials/sign-in-required.ts';

/** How to reach an upstream, and listeners for its connections. */
export interface UpstreamOptions {
  readonly name: string;
  /** Creates the transport of each new connection. */
  transport(): Transport;
  readonly connect: ConnectOptions;
  readonly idleMs: number;
  readonly maxConnections: number;
  readonly backoff: BackoffOptions | undefined;
  /** The open URL elicitations. */
  readonly elicitations: OpenElicitations;
  /** Called when a connection is open: lists and changes are read from it. */
  onOpen(client: Client, abilitiesKey: string): void;
  /** Called when an open connection is closed, with the reason if it was lost. */
  onClosed(client: Client, reason?: Error): void;
  /** Called when no connection is left, unless the upstream was closed when idle. */
  onDown(reason: Error): void;
  /** Called if the upstream can't be connected because its caller has to sign in. */
  onSignInRequired(required: SignInRequired): void;
  /** Called with a log message that belongs to no call. */
  onLog(message: LogMessage): void;
  /** False if the connection is needed without a call. */
  mayEnd(): boolean;
}

/** A connection in use by one call. */
export interface Lease {
  readonly client: Client;
  readonly connection: UpstreamConnection;
}

/**
 * An upstream server: connected on first use, closed when idle, and reconnected when lost. All callers share one
 * connection, unless a handshake server may ask: capabilities are declared for the whole connection, and a question
 * must reach its caller.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #breaker: CircuitBreaker;
  readonly #pool: ConnectionPool;
  readonly #wakeups = new Set<() => void>();
  #abilities: ClientCapabilities = {};
  readonly #idleTimer: IdleTimer;
  #restartTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  restarts = 0;
  lastError: Error | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.backoff);
    this.#pool = new ConnectionPool(options.onClosed);
    this.#idleTimer = new IdleTimer({
      idleMs: options.idleMs,
      isBusy: () => this.#pool.activeCalls > 0,
      onIdle: () => {
        const mayEnd = options.mayEnd();
        if (mayEnd) void this.#closeAll();
        return mayEnd;
      },
    });
  }

  /** The client for what belongs to no caller. */
  get primary(): Client | undefined {
    return this.#pool.primary?.client;
  }

  get usage(): { state: 'idle' | 'starting' | 'up' | 'down'; connections: number; activeCalls: number } {
    const { all, primary, activeCalls } = this.#pool;
    const isLost = this.#breaker.openForMs > 0 || this.#restartTimer !== undefined;
    const up = primary === undefined ? 'starting' : 'up';
    return { state: all.size > 0 ? up : isLost ? 'down' : 'idle', connections: all.size, activeCalls };
  }

  /** The era of the server, once it was connected. */
  get era(): Client['era'] | undefined {
    return this.#pool.era;
  }

  /** True during the backoff after failed attempts to connect. */
  get isDown(): boolean {
    return this.#pool.all.size === 0 && this.#breaker.openForMs > 0;
  }

  /** Leases a connection to a call: an open one, or a new one. The caller releases it. */
  lease(call: ActiveCall): Lease | Promise<Lease> {
    const { era } = this.#pool;
    if (era === undefined || this.#isClosed) return this.#lease(call);
    const isExclusive = this.#pool.isExclusive(call);
    const connection = this.#pool.find(call, isExclusive);
    if (connection?.client === undefined) return this.#lease(call);
    connection.join(call, isExclusive);
    return { client: connection.client, connection };
  }

  /** Releases a connection after the call, or when the call needs it no longer. */
  release({ connection }: Lease, call: ActiveCall): void {
    connection.leave(call);
    this.#idleTimer.touch();
    this.#wake();
  }

  async #lease(call: ActiveCall): Promise<Lease> {
    for (;;) {
      this.#assertUsable();
      const opening = this.#pool.era === undefined ? this.#pool.first : undefined;
      if (opening !== undefined) {
        // The era decides how connections may be shared.
        await opening.opened.catch(() => {});
        continue;
      }
      const isExclusive = this.#pool.isExclusive(call);
      const found = this.#pool.find(call, isExclusive) ?? this.#openFor(call);
      if (found !== undefined) return this.#join(found, call, isExclusive);
      await new Promise<void>((resolve) => this.#wakeups.add(resolve));
    }
  }

  /** Connects, unless there is a connection already. */
  async start(abilities: ClientCapabilities): Promise<Client> {
    this.#assertUsable();
    const connection = this.#pool.first ?? this.#open(abilities);
    try {
      return await connection.opened;
    } catch (error) {
      throw findSignIn(error) ?? unavailable(this.#options.name, reasonOf(error as Error), {});
    } finally {
      this.#idleTimer.touch();
    }
  }

  /** Connects with these capabilities, which a handshake server's lists may depend on, if `maxConnections` allows it. */
  async startAlike(abilities: ClientCapabilities): Promise<void> {
    await this.start(abilities);
    if (this.era !== 'handshake') return;
    const isFull = this.#pool.all.size >= this.#options.maxConnections;
    const connection = this.#pool.findAlike(abilities) ?? (isFull ? undefined : this.#open(abilities));
    await connection?.opened;
    this.#idleTimer.touch();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idleTimer.stop();
    clearTimeout(this.#restartTimer);
    await this.#closeAll();
    this.#wake();
  }

  async #join(connection: UpstreamConnection, call: ActiveCall, isExclusive: boolean): Promise<Lease> {
    connection.join(call, isExclusive);
    try {
      return { client: await connection.opened, connection };
    } catch (error) {
      connection.leave(call);
      this.#idleTimer.touch();
      this.#wake();
      throw findSignIn(error) ?? unavailable(this.#options.name, reasonOf(error as Error), {});
    }
  }

  #openFor({ abilities }: ActiveCall): UpstreamConnection | undefined {
    if (this.#pool.all.size >= this.#options.maxConnections) {
      // An unused connection with other capabilities is closed first.
      const unused = this.#pool.findUnused();
      if (unused === undefined) return undefined;
      void this.#end(unused);
    }
    return this.#open(abilities);
  }

  #open(abilities: ClientCapabilities): UpstreamConnection {
    const connection = new UpstreamConnection(abilities);
    clearTimeout(this.#restartTimer);
    this.#restartTimer = undefined;
    this.#abilities = abilities;
    this.#pool.all.add(connection);
    connection.opened = this.#connect(connection);
    connection.opened.catch(() => {});
    return connection;
  }

  async #connect(connection: UpstreamConnection): Promise<Client> {
    const { name, transport, connect: options, onLog, elicitations } = this.#options;
    try {
      const client = await connect(transport(), {
        ...options,
        capabilities: connection.abilities,
        signal: connection.ended.signal,
        answer: (method, params, { signal }) => {
          assertQuestion(name, method, params);
          return connection.answer({ method, params, signal }, (call) => {
            this.#pool.remember(call, true);
            if (params?.mode === 'url') elicitations.add(params.elicitationId, call);
          });
        },
        onElicitationComplete: (id) => elicitations.complete(id),
        onLog: (message) => {
          if (connection.active.length === 0) onLog(message);
          else connection.log(message);
        },
        onClose: (reason) => {
          if (!this.#pool.remove(connection, reason)) return;
          this.restarts += 1;
          this.#onFailure(reason, performance.now() - connection.startedAt);
          this.#wake();
        },
      });
      this.lastError = undefined;
      this.#pool.opened(connection, client);
      if (this.#pool.all.has(connection)) this.#options.onOpen(client, connection.abilitiesKey);
      return client;
    } catch (error) {
      if (this.#pool.remove(connection)) this.#onFailure(error as Error, 0);
      throw error;
    } finally {
      this.#wake();
    }
  }

  #onFailure(error: Error, lastedMs: number): void {
    if (this.#isClosed) return;
    this.lastError = error;
    const required = findSignIn(error);
    if (required !== undefined) {
      // A retry can't succeed before.
      this.#options.onSignInRequired(required);
      return;
    }
    this.#breaker.failed(lastedMs);
    if (this.#pool.all.size > 0) return;
    this.#options.onDown(error);
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = undefined;
      if (this.#pool.all.size === 0 && !this.#isClosed) this.#open(this.#abilities);
    }, this.#breaker.openForMs);
    this.#restartTimer.unref();
  }

  /** Records a successful call. */
  ended(call: ActiveCall): void {
    this.#pool.remember(call, false);
  }

  async #closeAll(): Promise<void> {
    await Promise.all(Array.from(this.#pool.all, (connection) => this.#end(connection)));
  }

  async #end(connection: UpstreamConnection): Promise<void> {
    this.#pool.remove(connection);
    connection.ended.abort(new Error('the gateway ended it'));
    const client = connection.client ?? (await connection.opened.catch(() => undefined));
    await client?.close();
  }

  #assertUsable(): void {
    const { name } = this.#options;
    if (this.#isClosed) throw new ProtocolError(ErrorCode.InternalError, `The upstream "${name}" is closed`);
    if (!this.isDown) return;
    const retryAfterMs = Math.ceil(this.#breaker.openForMs);
    throw unavailable(name, `${reasonOf(this.lastError)}. The next attempt is in ${seconds(retryAfterMs)}`, {
      retryAfterMs,
    });
  }

  #wake(): void {
    if (this.#wakeups.size === 0) return;
    for (const wake of Array.from(this.#wakeups)) {
      this.#wakeups.delete(wake);
      wake();
    }
  }
}

function unavailable(name: string, reason: string, data: object): ProtocolError {
  const message = `The upstream "${name}" is not available: ${reason}`;
  return new ProtocolError(ErrorCode.InternalError, message, { upstream: name, ...data });
}

function reasonOf(error: Error | undefined): string {
  return (error?.message ?? 'it ended').slice(0, 500);
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 100) / 10} s`;
}
