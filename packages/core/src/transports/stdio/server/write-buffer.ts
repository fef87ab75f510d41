import type { Writable } from 'node:stream';
import { limits } from '../../../limits.ts';

/** Above this many unsent characters the reader counts as too slow, until half of them are gone. */
const HIGH_WATER_MARK = limits.stdio.unsent.value;
/** Frames are joined up to this size, so that many small ones cost one write. */
const BATCH = 64 * 1024;

/** What waits to be sent to one client. */
export interface WriteBuffer {
  /** True while the client reads too slowly. */
  readonly backpressured: boolean;
  /** True when everything was handed to the operating system. */
  readonly empty: boolean;
  /** Queues a frame. Nothing is written before `flush`. */
  add(frame: string): void;
  /** Queues a frame that needn't be said twice: while the outbox is crowded, one that already waits is left out. */
  addOnce(frame: string): void;
  /** Writes what the stream will take now. The rest follows by itself. */
  flush(): void;
}

/** Hands text to a stream and says when it is through, or why not. */
export type Write = (text: string, done: (error?: Error | null) => void) => unknown;

/** Where an outbox sends to, and whom it tells. */
export interface WriteBufferOptions {
  stream: Writable;
  /** How to write to the stream; its own `write` may have been taken over. */
  write: Write;
  /** Called whenever a write is through. */
  onWritten: () => void;
}

/** Gathers frames into few writes, and says when the client does not keep up. */
export function createWriteBuffer({ stream, write, onWritten }: WriteBufferOptions): WriteBuffer {
  const batches: string[] = [];
  const repeatable = new Set<string>();
  let queued = 0;
  /** What the stream had not sent when it was last looked at: asking it costs more than the rest of `add`. */
  let unsent = 0;
  let backpressured = false;

  function add(frame: string): void {
    const last = batches.length - 1;
    const batch = batches[last];
    if (batch !== undefined && batch.length + frame.length <= BATCH) batches[last] = batch + frame;
    else batches.push(frame);
    queued += frame.length;
    if (!backpressured && queued + unsent > HIGH_WATER_MARK) backpressured = true;
  }

  function addOnce(frame: string): void {
    if (backpressured) {
      if (repeatable.has(frame)) return;
      repeatable.add(frame);
    }
    add(frame);
  }

  function flush(): void {
    while (batches.length > 0 && !stream.writableNeedDrain) {
      const batch = batches.shift() as string;
      queued -= batch.length;
      write(batch, onBatchWritten);
      unsent = stream.writableLength;
    }
  }

  function onBatchWritten(error?: Error | null): void {
    if (error) return;
    unsent = stream.writableLength;
    flush();
    if (backpressured && queued + unsent <= HIGH_WATER_MARK / 2) {
      backpressured = false;
      repeatable.clear();
    }
    onWritten();
  }

  return {
    get backpressured() {
      return backpressured;
    },
    get empty() {
      return queued === 0 && stream.writableLength === 0;
    },
    add,
    addOnce,
    flush,
  };
}
