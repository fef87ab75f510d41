import type { Redis } from 'ioredis';
import { within } from './within.ts';

/** Who listens to a topic. */
interface Listening {
  hear(message: string): void;
  missed: (() => void) | undefined;
}

interface Topic {
  readonly listening: Set<Listening>;
  /** Resolved when Redis has said that nothing is missed any more. */
  begun: Promise<unknown>;
}

/** Listens on a connection of its own, which is made anew where it is lost; then it tells all that they may have missed something. */
export class Topics {
  readonly #connect: () => Redis;
  readonly #onLost: () => void;
  readonly #byChannel = new Map<string, Topic>();
  #connection: Redis | undefined;
  #isAsking = false;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #closed = false;
  /** How often all were told that they may have missed something. */
  gaps = 0;
  /** What a new connection brings before all are told that they may have missed something: that comes first. */
  #early: [channel: string, message: string][] | undefined;

  /** `onLost` is told where the connection is lost: others may be, too. */
  constructor(connect: () => Redis, onLost: () => void = () => {}) {
    this.#connect = connect;
    this.#onLost = onLost;
  }

  /** True while nothing is missed. */
  get isListening(): boolean {
    return this.#connection !== undefined && this.#early === undefined;
  }

  /** Begins to listen, or goes on trying where that fails. */
  async open(): Promise<void> {
    try {
      await this.#start();
    } catch {
      this.#tryAgain();
    }
  }

  /** Tells all that they may have missed something. */
  tellMissed(topics: Iterable<Topic> = this.#byChannel.values()): void {
    this.gaps += 1;
    for (const { listening } of topics) for (const { missed } of listening) guarded(() => missed?.());
  }

  async subscribe(channel: string, listening: Listening): Promise<() => void> {
    const topic = this.#byChannel.get(channel) ?? this.#begin(channel);
    topic.listening.add(listening);
    const stop = (): void => this.#leave(channel, topic, listening);
    try {
      await topic.begun;
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

  #begin(channel: string): Topic {
    const begun = this.#connection?.subscribe(channel) ?? Promise.reject(new Error('Connection is closed'));
    const topic: Topic = { listening: new Set(), begun };
    this.#byChannel.set(channel, topic);
    return topic;
  }

  #leave(channel: string, topic: Topic, listening: Listening): void {
    topic.listening.delete(listening);
    if (topic.listening.size > 0 || this.#byChannel.get(channel) !== topic) return;
    this.#byChannel.delete(channel);
    this.#connection?.unsubscribe(channel).catch(() => {});
  }

  async #start(): Promise<void> {
    const connection = this.#connect();
    connection.on('error', () => {});
    connection.on('message', (channel, message) => this.#hear(channel, message));
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
    connection.once('end', () => this.#lost(connection));
  }

  #lost(connection: Redis): void {
    if (this.#connection === connection) this.#connection = undefined;
    if (!this.#closed) this.#onLost();
    this.#tryAgain();
  }

  #tryAgain(): void {
    if (this.#closed) return;
    this.#attempts += 1;
    this.#retry = setTimeout(() => void this.#again(), Math.min(100 * this.#attempts, 2000));
  }

  async #again(): Promise<void> {
    const missing = [...this.#byChannel.values()];
    this.#early = [];
    try {
      await this.#start();
    } catch {
      this.#tryAgain();
      return;
    }
    if (this.#closed) return;
    this.tellMissed(missing);
    const early = this.#early;
    this.#early = undefined;
    for (const [channel, message] of early) this.#hear(channel, message);
  }

  /** Sees whether the connection still is one. It can be dead without a word: then nothing would be heard any more. */
  async ask(timeoutMs: number): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#isAsking) return;
    this.#isAsking = true;
    try {
      await within(connection.ping(), timeoutMs);
    } catch {
      connection.disconnect();
    } finally {
      this.#isAsking = false;
    }
  }

  #hear(channel: string, message: string): void {
    if (this.#early !== undefined) {
      this.#early.push([channel, message]);
      return;
    }
    for (const { hear } of this.#byChannel.get(channel)?.listening ?? []) guarded(() => hear(message));
  }
}

/** What one listener does wrong is neither the others' nor the connection's business. */
function guarded(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    process.emitWarning(`A listener of the store in Redis failed: ${String(error)}`);
  }
}
