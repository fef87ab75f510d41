import { createHash } from 'node:crypto';
import type { Client } from 'pg';

/** The largest payload of a notification is 7999 bytes; longer messages go through a table. */
const maxPayloadBytes = 7900;

/** The delay before the next attempt to connect. */
const retryMs = 500;

/** A subscriber of a topic. */
interface Subscriber {
  onMessage(message: string): void;
  onMissed: (() => void) | undefined;
}

/**
 * Messages over LISTEN and NOTIFY on a separate connection, all on one channel. Reconnects when it is lost, and then
 * notifies all subscribers that they may have missed messages.
 */
export class Topics {
  readonly #connect: () => Promise<Client>;
  readonly #channel: string;
  readonly #onLost: () => void;
  readonly #byTopic = new Map<string, Set<Subscriber>>();
  #client: Client | undefined;
  #isListening = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  /** Payloads that wait for an earlier one, whose message is read from the table, or for a reconnect. */
  readonly #pending: string[] = [];
  #isDelivering = false;

  /** Calls `onLost` when the connection is lost: others may be lost too. */
  constructor({ connect, prefix, onLost }: { connect: () => Promise<Client>; prefix: string; onLost: () => void }) {
    this.#connect = connect;
    this.#channel = `ccmcp_${createHash('sha256').update(prefix).digest('hex').slice(0, 32)}`;
    this.#onLost = onLost;
  }

  /** True while no message can be missed. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Connects, or keeps retrying. */
  async open(): Promise<void> {
    try {
      await this.#listen();
    } catch {
      this.#scheduleRetry();
    }
  }

  /** Publishes in the order of the calls: the client sends one statement after the other. */
  async publish(topic: string, message: string): Promise<void> {
    const payload = JSON.stringify([topic, message]);
    const client = this.#requireClient();
    if (Buffer.byteLength(payload) <= maxPayloadBytes) {
      await client.query('select pg_notify($1, $2)', [this.#channel, payload]);
      return;
    }
    await client.query(
      'with sent as (insert into ccmcp_messages (message) values ($2) returning id) select pg_notify($1, id::text) from sent',
      [this.#channel, payload],
    );
  }

  async subscribe(topic: string, subscriber: Subscriber): Promise<() => void> {
    // Messages that were published before arrive before this answer.
    await this.ping();
    const subscribers = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, subscribers);
    subscribers.add(subscriber);
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#byTopic.get(topic) === subscribers) this.#byTopic.delete(topic);
    };
  }

  /** Rejects if the connection is lost or silent. */
  async ping(): Promise<void> {
    const client = this.#requireClient();
    try {
      await client.query('select 1');
    } catch (error) {
      this.#lose(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    this.#byTopic.clear();
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  #requireClient(): Client {
    if (this.#client === undefined || !this.#isListening) throw new Error('Connection terminated');
    return this.#client;
  }

  async #listen(): Promise<void> {
    const client = await this.#connect();
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    client.once('end', () => this.#lose(client));
    this.#client = client;
    await client.query(`listen ${this.#channel}`).catch((error: unknown) => {
      this.#client = undefined;
      void client.end().catch(() => {});
      throw error;
    });
    if (this.#isClosed) {
      await client.end();
      return;
    }
    this.#isListening = true;
  }

  #lose(client: Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#isListening = false;
    this.#pending.length = 0;
    void client.end().catch(() => {});
    this.#onLost();
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#reconnect(), retryMs);
    this.#retry.unref();
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#listen();
    } catch {
      this.#scheduleRetry();
      return;
    }
    for (const subscribers of this.#byTopic.values()) {
      for (const { onMissed } of subscribers) callListener(() => onMissed?.());
    }
    void this.#deliverAll();
  }

  #receive(payload: string): void {
    this.#pending.push(payload);
    // Before that, subscribers are not notified of the gap yet.
    if (this.#isListening) void this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let payload = this.#pending.shift(); payload !== undefined; payload = this.#pending.shift()) {
        const text = payload.startsWith('[') ? payload : await this.#readMessage(payload);
        if (text !== undefined) this.#deliver(...(JSON.parse(text) as [string, string]));
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  async #readMessage(id: string): Promise<string | undefined> {
    const client = this.#client;
    try {
      const result = await client?.query('select message from ccmcp_messages where id = $1', [id]);
      return (result?.rows[0] as { message: string } | undefined)?.message;
    } catch {
      // The connection is lost: subscribers are notified of the gap.
      if (client !== undefined) this.#lose(client);
      return undefined;
    }
  }

  #deliver(topic: string, message: string): void {
    for (const { onMessage } of this.#byTopic.get(topic) ?? []) callListener(() => onMessage(message));
  }
}

/** Isolates the other listeners and the connection from a failing listener. */
function callListener(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.emitWarning(`A listener of the store in PostgreSQL failed: ${String(error)}`);
  }
}
