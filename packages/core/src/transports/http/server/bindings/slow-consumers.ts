import { limits } from '../../../../limits.ts';
import { unref } from '../../../../runtime/timers.ts';

/** A connection with data that its client has not read yet. */
export interface Consumer {
  /** Unread data, in bytes or characters. */
  readonly unsent: number;
  /** The bytes that the client has read so far: the same number again means no progress. */
  readonly taken: number;
  /** The address of the client, where it is known. */
  readonly address?: string | undefined;
  /** Closes the connection: unread data is lost. */
  drop(): void;
}

/** How much unread data there may be, and how long a client may read nothing. */
export interface SlowConsumersOptions {
  /** For all clients together, in bytes. */
  max?: number | undefined;
  /** In milliseconds. */
  stalledMs?: number | undefined;
}

/** The state of a connection at the last update. */
interface Seen {
  unsent: number;
  taken: number;
  /** When the client last read something. */
  since: number;
}

/** A client that read something within this time is not dropped. */
const progressMs = 1000;
/** `progressMs` for an address that holds more than a quarter of the limit, when memory is needed. */
const greedyProgressMs = 100;

/**
 * Limits the data that waits for clients to read it, over all connections of a handler. A client that reads nothing for too
 * long is dropped; above the limit, those that hold most and have not read for longest.
 */
export class SlowConsumers {
  readonly #consumers = new Map<Consumer, Seen>();
  /** Connections with unread data. */
  readonly watched: ReadonlyMap<Consumer, unknown> = this.#consumers;
  readonly #max: number;
  readonly #stalledMs: number;
  /** As of the last update, plus what was written since. What was read since is still in it. */
  #unsent = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlowConsumersOptions = {}) {
    this.#max = options.max ?? limits.http.unsentInAll.value;
    this.#stalledMs = options.stalledMs ?? limits.http.stalledMs.value;
  }

  /** True above the limit, also after clients were dropped that read nothing. */
  get backpressured(): boolean {
    if (this.#unsent <= this.#max) return false;
    this.#update();
    this.#freeMemory();
    return this.#unsent > this.#max;
  }

  /** Watches a connection until its data is read. */
  watch(consumer: Consumer): void {
    const { unsent } = consumer;
    const seen = this.#consumers.get(consumer);
    if (seen === undefined) {
      this.#consumers.set(consumer, { unsent, taken: consumer.taken, since: performance.now() });
      this.#unsent += unsent;
    } else {
      this.#unsent += unsent - seen.unsent;
      seen.unsent = unsent;
    }
    if (this.#unsent > this.#max) {
      this.#update();
      this.#freeMemory();
    }
    this.#timer ??= unref(setInterval(() => this.#sweep(), Math.min(progressMs, this.#stalledMs / 2)));
  }

  /** Forgets everything. */
  clear(): void {
    this.#consumers.clear();
    this.#unsent = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    this.#update();
    const now = performance.now();
    for (const [consumer, { since }] of this.#consumers) if (now - since >= this.#stalledMs) this.#drop(consumer);
    if (this.#consumers.size === 0) this.clear();
  }

  /** Reads the state of all connections. */
  #update(): void {
    const now = performance.now();
    this.#unsent = 0;
    for (const [consumer, seen] of this.#consumers) {
      seen.unsent = consumer.unsent;
      this.#unsent += seen.unsent;
      const { taken } = consumer;
      if (seen.unsent === 0) this.#consumers.delete(consumer);
      else if (taken !== seen.taken) Object.assign(seen, { taken, since: now });
    }
  }

  #freeMemory(): void {
    if (this.#unsent <= this.#max) return;
    const now = performance.now();
    const held = new Map<string | undefined, number>();
    for (const [{ address }, { unsent }] of this.#consumers) held.set(address, (held.get(address) ?? 0) + unsent);
    const stalled = [...this.#consumers].filter(([{ address }, { since }]) => {
      const isGreedy = address !== undefined && (held.get(address) ?? 0) > this.#max / 4;
      return now - since >= (isGreedy ? greedyProgressMs : progressMs);
    });
    stalled.sort(([, one], [, other]) => other.unsent * (now - other.since) - one.unsent * (now - one.since));
    for (const [consumer] of stalled) {
      this.#drop(consumer);
      if (this.#unsent <= this.#max) return;
    }
  }

  #drop(consumer: Consumer): void {
    this.#unsent -= this.#consumers.get(consumer)?.unsent ?? 0;
    this.#consumers.delete(consumer);
    consumer.drop();
  }
}
