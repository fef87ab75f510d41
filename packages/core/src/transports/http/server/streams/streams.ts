import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import type { EventSink, HttpHeaders, HttpResponder } from '../bindings/binding.ts';
import { SharedInterval } from '../../../../runtime/timers.ts';
import type { Usage } from '../../../../features/quotas/quota.ts';
import { event, keepAlive } from './event.ts';
import { maxUnsent } from '../bindings/node.ts';

/** High-water mark: a slower reader gets only messages that can't be dropped or merged. Beyond `maxUnsent` it is disconnected. */
const highWaterMark = 256 * 1024;

/** The maximum of events queued for one slow reader, in characters. */
const maxQueued = 1024 * 1024;
/** The maximum of events queued for all slow readers, in characters. */
const maxQueuedInAll = 8 * 1024 * 1024;

/** A longer text is not written under backpressure. */
export const longText = 16 * 1024;

/** The policy for messages to a slow reader: queue, merge equal ones, or drop. */
export type DeliveryPolicy = 'needed' | 'mergeable' | 'droppable';

/** How a message is treated under backpressure. */
export function deliveryPolicyOf(message: Message, methods: MethodTable): DeliveryPolicy {
  if (!('method' in message) || 'id' in message) return 'needed';
  return methods.of(message.method).droppable ? 'droppable' : 'mergeable';
}

const streamHeaders: HttpHeaders = Object.entries({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-store',
  'X-Accel-Buffering': 'no',
}).flat();

/** The client of a stream. */
export interface StreamReader {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
  readonly usage: Usage;
  /** True if the stream already counts towards the quota. */
  reserved?: boolean;
}

/** The open streams of a handler. Idle ones get heartbeats (keep-alive comments), those of slow consumers are closed. */
export class Streams {
  readonly #open = new Set<Stream>();
  readonly #keepAlive: SharedInterval;
  /** The length of all queued events. */
  readonly #queued = { length: 0 };
  /** The interval of keep-alive comments. */
  readonly keepAliveMs: number;

  constructor({ keepAliveMs }: { keepAliveMs: number }) {
    this.keepAliveMs = keepAliveMs;
    this.#keepAlive = new SharedInterval({ everyMs: keepAliveMs });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream of events, which counts towards its caller's quota until it ends. `onTick` is called at each keep-alive. */
  open(reader: StreamReader, onTick?: () => void): Stream {
    const { responder, headers, usage } = reader;
    const sink = responder.stream([...headers, ...streamHeaders]);
    const stream = new Stream(
      sink,
      () => {
        this.#open.delete(stream);
        leave();
        usage.release('streams');
      },
      this.#queued,
    );
    if (reader.reserved === true) reader.reserved = false;
    else usage.take('streams');
    this.#open.add(stream);
    const leave = this.#keepAlive.join(stream, () => {
      if (!stream.backpressured) stream.write(keepAlive);
      onTick?.();
    });
    responder.onDisconnect(() => stream.onClose());
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
    this.#keepAlive.stop();
  }
}

/** An event of a stream: a message as text. */
export interface StreamEvent {
  data: string;
  id?: string;
  name?: string;
  weight: DeliveryPolicy;
}

/** One open stream. */
export class Stream {
  readonly #sink: EventSink;
  readonly #closed: () => void;
  /** Events queued for a slow reader, by their data. */
  #queued: Map<string, StreamEvent> | undefined;
  #queuedLength = 0;
  readonly #queuedInAll: { length: number };
  #open = true;
  readonly #onEnd: (() => void)[] = [];

  /** `queuedInAll` is the length of the events queued by all streams of the handler. */
  constructor(sink: EventSink, closed: () => void, queuedInAll: { length: number } = { length: 0 }) {
    this.#sink = sink;
    this.#closed = closed;
    this.#queuedInAll = queuedInAll;
    sink.onDrain(() => this.#release());
  }

  get open(): boolean {
    return this.#open;
  }

  /** True while the reader is slow. */
  get backpressured(): boolean {
    return this.#open && this.#sink.unsent > highWaterMark;
  }

  send(given: StreamEvent): void {
    if (given.weight === 'needed') {
      this.#release();
      this.write(event(given.data, given));
    } else if (this.#queued === undefined && !this.backpressured) {
      this.write(event(given.data, given));
    } else if (given.weight === 'mergeable' && this.#open) {
      this.#enqueue(given);
    }
  }

  /** Writes text unchanged. */
  write(text: string): void {
    if (!this.#open) return;
    if (this.#sink.unsent > maxUnsent || (text.length > longText && this.#sink.full)) this.#cut();
    else this.#sink.write(text);
  }

  end(): void {
    if (!this.#open) return;
    this.#release();
    this.#sink.end();
    this.onClose();
  }

  /** Calls back once, when the stream ends for any reason; immediately if it already has. */
  onEnd(listener: () => void): void {
    if (this.#open) this.#onEnd.push(listener);
    else listener();
  }

  onClose(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#takeQueued();
    this.#closed();
    for (const listener of this.#onEnd) listener();
  }

  #cut(): void {
    this.#sink.cut();
    this.onClose();
  }

  #enqueue(given: StreamEvent): void {
    this.#queued ??= new Map();
    // The latest of equal ones counts, so that ids stay in order.
    if (!this.#queued.delete(given.data)) this.#count(given.data.length);
    this.#queued.set(given.data, given);
    if (this.#queuedLength > maxQueued || this.#queuedInAll.length > maxQueuedInAll) this.#cut();
  }

  #count(length: number): void {
    this.#queuedLength += length;
    this.#queuedInAll.length += length;
  }

  #takeQueued(): Map<string, StreamEvent> | undefined {
    const queued = this.#queued;
    this.#queued = undefined;
    this.#count(-this.#queuedLength);
    return queued;
  }

  #release(): void {
    for (const waiting of this.#takeQueued()?.values() ?? []) this.write(event(waiting.data, waiting));
  }
}
