import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import type { EventSink, HttpHeaders, HttpResponder } from '../bindings/binding.ts';
import { Beat } from '../../../../runtime/timers.ts';
import type { Usage } from '../../../../server/quotas/quota.ts';
import { event, keepAlive } from './event.ts';
import { limits } from '../../../../limits.ts';

/** A reader that is this far behind is told only what it must know; one that is further behind is cut off. */
const crowdedUnsent = limits.http.crowded.value;
const maxUnsent = limits.http.unsent.value;

/** What readers that are behind are told later: so much for one, and for all of them. */
const maxHeld = limits.http.held.value;
const maxHeldInAll = limits.http.heldInAll.value;

/** A longer text is not written where too much waits for clients to read it. */
const longText = limits.http.longAnswer.value;

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

/** Whom a stream is for. */
export interface StreamReader {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
  readonly usage: Usage;
  /** True where the stream was counted before it is there. */
  reserved?: boolean;
}

/** The open streams of a handler: kept alive while idle, cut off when they are not read. */
export class Streams {
  readonly #open = new Set<Stream>();
  readonly #beat: Beat;
  /** The length of what all of them hold for later. */
  readonly #held = { length: 0 };
  /** How often something is written to idle streams. */
  readonly keepAliveMs: number;

  constructor({ keepAliveMs }: { keepAliveMs: number }) {
    this.keepAliveMs = keepAliveMs;
    this.#beat = new Beat({ everyMs: keepAliveMs });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins a stream of events, which counts as its caller's until it is over. `onTick` comes as often as it is kept alive. */
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
      this.#held,
    );
    if (reader.reserved !== true) usage.take('streams');
    reader.reserved = false;
    this.#open.add(stream);
    const leave = this.#beat.join(stream, () => {
      if (!stream.crowded) stream.write(keepAlive);
      onTick?.();
    });
    responder.onGone(() => stream.gone());
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
    this.#beat.stop();
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
  #heldLength = 0;
  readonly #heldInAll: { length: number };
  #open = true;
  readonly #onEnd: (() => void)[] = [];

  /** `heldInAll` is the length of what all streams of the handler hold. */
  constructor(sink: EventSink, closed: () => void, heldInAll: { length: number } = { length: 0 }) {
    this.#sink = sink;
    this.#closed = closed;
    this.#heldInAll = heldInAll;
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
    if (this.#sink.unsent > maxUnsent || (text.length > longText && this.#sink.full)) this.#cut();
    else this.#sink.write(text);
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
    this.#takeHeld();
    this.#closed();
    for (const listener of this.#onEnd) listener();
  }

  #cut(): void {
    this.#sink.cut();
    this.gone();
  }

  #hold(given: StreamEvent): void {
    this.#held ??= new Map();
    // The latest of equal ones counts, so that ids stay in order.
    if (!this.#held.delete(given.data)) this.#count(given.data.length);
    this.#held.set(given.data, given);
    if (this.#heldLength > maxHeld || this.#heldInAll.length > maxHeldInAll) this.#cut();
  }

  #count(length: number): void {
    this.#heldLength += length;
    this.#heldInAll.length += length;
  }

  #takeHeld(): Map<string, StreamEvent> | undefined {
    const held = this.#held;
    this.#held = undefined;
    this.#count(-this.#heldLength);
    return held;
  }

  #release(): void {
    for (const waiting of this.#takeHeld()?.values() ?? []) this.write(event(waiting.data, waiting));
  }
}
