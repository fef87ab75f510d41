import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import type { EventSink, HttpHeaders, HttpResponder } from '../bindings/binding.ts';
import { event, keepAlive } from './event.ts';
import { limits } from '../../../../limits.ts';

/** A reader that is this far behind is told only what it must know; one that is further behind is cut off. */
const crowdedUnsent = limits.http.crowded.value;
const maxUnsent = limits.http.unsent.value;

/** What may be done with a message to a reader that is behind: keep it, merge it with equal ones, or drop it. */
export type Weight = 'needed' | 'mergeable' | 'droppable';

/** Says what may be done with a message where its reader is behind. */
export function weightOf(message: Message, methods: MethodTable): Weight {
  if (!('method' in message) || 'id' in message) return 'needed';
  return methods.of(message.method).droppable ? 'droppable' : 'mergeable';
}

const streamHeaders: HttpHeaders = Object.entries({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-store',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}).flat();

/** The open streams of a handler: kept alive while idle, cut off when they are not read. */
export class Streams {
  /** Each with what is to be done as often as it is kept alive. */
  readonly #open = new Map<Stream, (() => void) | undefined>();
  readonly #max: number;
  /** How often something is written to idle streams. */
  readonly keepAliveMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ max, keepAliveMs }: { max: number; keepAliveMs: number }) {
    this.#max = max;
    this.keepAliveMs = keepAliveMs;
  }

  get full(): boolean {
    return this.#open.size >= this.#max;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins a stream of events. */
  open(responder: HttpResponder, headers: HttpHeaders, onTick?: () => void): Stream {
    const sink = responder.stream([...headers, ...streamHeaders]);
    const stream = new Stream(sink, () => this.#open.delete(stream));
    this.#open.set(stream, onTick);
    responder.onGone(() => stream.gone());
    this.#timer ??= setInterval(() => this.#tick(), this.keepAliveMs).unref();
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const [stream, onTick] of this.#open) {
      if (!stream.crowded) stream.write(keepAlive);
      onTick?.();
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** An event of a stream: a message as text. */
export interface StreamEvent {
  data: string;
  id?: string;
  name?: string;
  weight: Weight;
}

/** One open stream. */
export class Stream {
  readonly #sink: EventSink;
  readonly #closed: () => void;
  /** Events for a reader that is behind, by their data. */
  #held: Map<string, StreamEvent> | undefined;
  #open = true;
  readonly #onEnd: (() => void)[] = [];

  constructor(sink: EventSink, closed: () => void) {
    this.#sink = sink;
    this.#closed = closed;
    sink.onDrain(() => this.#release());
  }

  get open(): boolean {
    return this.#open;
  }

  /** True while the reader is behind. */
  get crowded(): boolean {
    return this.#open && this.#sink.unsent > crowdedUnsent;
  }

  send(given: StreamEvent): void {
    if (given.weight === 'needed') {
      this.#release();
      this.write(event(given.data, given));
    } else if (this.#held === undefined && !this.crowded) {
      this.write(event(given.data, given));
    } else if (given.weight === 'mergeable' && this.#open) {
      this.#hold(given);
    }
  }

  /** Writes text as it is. */
  write(text: string): void {
    if (!this.#open) return;
    if (this.#sink.unsent <= maxUnsent) {
      this.#sink.write(text);
      return;
    }
    this.#sink.cut();
    this.gone();
  }

  end(): void {
    if (!this.#open) return;
    this.#release();
    this.#sink.end();
    this.gone();
  }

  /** Calls back once, when the stream is over, whoever ended it; at once where it is over already. */
  onEnd(listener: () => void): void {
    if (this.#open) this.#onEnd.push(listener);
    else listener();
  }

  gone(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#held = undefined;
    this.#closed();
    for (const listener of this.#onEnd) listener();
  }

  #hold(given: StreamEvent): void {
    this.#held ??= new Map();
    // The latest of equal ones counts, so that ids stay in order.
    this.#held.delete(given.data);
    this.#held.set(given.data, given);
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const waiting of held?.values() ?? []) this.write(event(waiting.data, waiting));
  }
}
