import type { Redis } from 'ioredis';
import { withTimeout } from './with-timeout.ts';

/** A subscriber of a topic. */
interface Listening {
  onMessage(message: string): void;
  onMissed: (() => void) | undefined;
}

interface Topic {
  readonly listening: Set<Listening>;
  /** Resolves when Redis has confirmed the subscription. */
  subscribed: Promise<unknown>;
}

/**
 * Subscriptions on a separate connection. Reconnects when it is lost, and then notifies all subscribers that they may
 * have missed messages.
 */
export class Topics {
  readonly #connect: () => Redis;
  readonly #onLost: () => void;
  readonly #byChannel = new Map<string, Topic>();
  #connection: Redis | undefined;
  #isPinging = false;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #closed = false;
  /** How often subscribers were notified of a gap. */
  gaps = 0;
  /** Messages of a new connection, held back until subscribers are notified of the gap. */
  #queued: [channel: string, message: string][] | undefined;

  /** Calls `onLost` when the connection is lost: others may be lost too. */
  constructor(connect: () => Redis, onLost: () => void = () => {}) {
    this.#connect = connect;
    this.#onLost = onLost;
  }

  /** True while no message can be missed. */
  get isListening(): boolean {
    return this.#connection !== undefined && this.#queued === undefined;
  }

  /** Connects, or keeps retrying. */
  async open(): Promise<void> {
    try {
      await this.#connectAndSubscribe();
    } catch {
      this.#scheduleReconnect();
    }
  }

  /** Notifies subscribers that they may have missed messages. */
  notifyMissed(topics: Iterable<Topic> = this.#byChannel.values()): void {
    this.gaps += 1;
    for (const { listening } of topics) for (const { onMissed } of listening) callListener(() => onMissed?.());
  }

  async subscribe(channel: string, listening: Listening): Promise<() => void> {
    const topic = this.#byChannel.get(channel) ?? this.#addTopic(channel);
    topic.listening.add(listening);
    const stop = (): void => this.#unsubscribe(channel, topic, listening);
    try {
      await topic.subscribed;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#byChannel.clear();
    this.#connection?.disconnect();
  }

  #addTopic(channel: string): Topic {
    const subscribed = this.#connection?.subscribe(channel) ?? Promise.reject(new Error('Connection is closed'));
    const topic: Topic = { listening: new Set(), subscribed };
    this.#byChannel.set(channel, topic);
    return topic;
  }

  #unsubscribe(channel: string, topic: Topic, listening: Listening): void {
    topic.listening.delete(listening);
    if (topic.listening.size > 0 || this.#byChannel.get(channel) !== topic) return;
    this.#byChannel.delete(channel);
    this.#connection?.unsubscribe(channel).catch(() => {});
  }

  async #connectAndSubscribe(): Promise<void> {
    const connection = this.#connect();
    connection.on('error', () => {});
    connection.on('message', (channel, message) => this.#deliver(channel, message));
    try {
      await connection.connect();
      const channels = [...this.#byChannel.keys()];
      if (channels.length > 0) await connection.subscribe(...channels);
    } catch (error) {
      connection.disconnect();
      throw error;
    }
    if (this.#closed) return connection.disconnect();
    this.#connection = connection;
    this.#attempts = 0;
    connection.once('end', () => this.#onConnectionLost(connection));
  }

  #onConnectionLost(connection: Redis): void {
    if (this.#connection === connection) this.#connection = undefined;
    if (!this.#closed) this.#onLost();
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    if (this.#closed) return;
    this.#attempts += 1;
    this.#retry = setTimeout(() => void this.#reconnect(), Math.min(100 * this.#attempts, 2000));
  }

  async #reconnect(): Promise<void> {
    const missing = [...this.#byChannel.values()];
    this.#queued = [];
    try {
      await this.#connectAndSubscribe();
    } catch {
      this.#scheduleReconnect();
      return;
    }
    if (this.#closed) return;
    this.notifyMissed(missing);
    const queued = this.#queued;
    this.#queued = undefined;
    for (const [channel, message] of queued) this.#deliver(channel, message);
  }

  /** Pings the connection, and drops it if it is silently dead. */
  async ping(timeoutMs: number): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#isPinging) return;
    this.#isPinging = true;
    try {
      await withTimeout(connection.ping(), timeoutMs);
    } catch {
      connection.disconnect();
    } finally {
      this.#isPinging = false;
    }
  }

  #deliver(channel: string, message: string): void {
    if (this.#queued !== undefined) {
      this.#queued.push([channel, message]);
      return;
    }
    for (const { onMessage } of this.#byChannel.get(channel)?.listening ?? []) callListener(() => onMessage(message));
  }
}

/** Isolates the other listeners and the connection from a failing listener. */
function callListener(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    process.emitWarning(`A listener of the store in Redis failed: ${String(error)}`);
  }
}
