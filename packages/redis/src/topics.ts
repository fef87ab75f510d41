import type { Redis } from 'ioredis';
import { withTimeout } from './with-timeout.ts';

/** Who listens to a topic. */
interface Listening {
  onMessage(message: string): void;
  onMissed: (() => void) | undefined;
}

interface Topic {
  readonly listening: Set<Listening>;
  /** Resolved when Redis has said that nothing is missed any more. */
  subscribed: Promise<unknown>;
}

/** Listens on a connection of its own, which is made anew where it is lost; then it tells all that they may have missed something. */
export class Topics {
  readonly #connect: () => Redis;
  readonly #onLost: () => void;
  readonly #byChannel = new Map<string, Topic>();
  #connection: Redis | undefined;
  #isPinging = false;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #closed = false;
  /** How often all were told that they may have missed something. */
  gaps = 0;
  /** What a new connection brings before all are told that they may have missed something: that comes first. */
  #queued: [channel: string, message: string][] | undefined;

  /** `onLost` is told where the connection is lost: others may be, too. */
  constructor(connect: () => Redis, onLost: () => void = () => {}) {
    this.#connect = connect;
    this.#onLost = onLost;
  }

  /** True while nothing is missed. */
  get isListening(): boolean {
    return this.#connection !== undefined && this.#queued === undefined;
  }

  /** Begins to listen, or goes on trying where that fails. */
  async open(): Promise<void> {
    try {
      await this.#connectAndSubscribe();
    } catch {
      this.#scheduleReconnect();
    }
  }

  /** Tells all that they may have missed something. */
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

  /** Sees whether the connection still is one. It can be dead without a word: then nothing would be heard any more. */
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

/** What one listener does wrong is neither the others' nor the connection's business. */
function callListener(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    process.emitWarning(`A listener of the store in Redis failed: ${String(error)}`);
  }
}
