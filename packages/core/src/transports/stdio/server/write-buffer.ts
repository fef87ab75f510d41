import type { Writable } from 'node:stream';

/** The high-water mark of unsent characters: above it there is backpressure, until half of them are sent. */
const HIGH_WATER_MARK = 1024 * 1024;
/** Frames are joined up to this size, so that many small ones cost one write. */
const BATCH = 64 * 1024;

/** The frames waiting to be sent to one client. */
export interface WriteBuffer {
  /** True while the client reads too slowly. */
  readonly backpressured: boolean;
  /** True when everything was handed to the operating system. */
  readonly empty: boolean;
  /** Queues a frame. Nothing is written before `flush`. */
  add(frame: string): void;
  /** Queues a frame that need not be repeated: under backpressure, duplicates are dropped. */
  addOnce(frame: string): void;
  /** Writes what the stream accepts now. The rest follows automatically. */
  flush(): void;
}

/** Writes text to a stream, and calls back when it is done. */
export type Write = (text: string, done: (error?: Error | null) => void) => unknown;

/** Options of a write buffer. */
export interface WriteBufferOptions {
  stream: Writable;
  /** Writes to the stream, whose own `write` may have been replaced. */
  write: Write;
  /** Called whenever a write is done. */
  onWritten: () => void;
}

/** Batches frames into few writes, and signals backpressure. */
export function createWriteBuffer({ stream, write, onWritten }: WriteBufferOptions): WriteBuffer {
  const batches: string[] = [];
  const repeatable = new Set<string>();
  let queued = 0;
  /** The stream's unsent length at the last check: reading it costs more than the rest of `add`. */
  let unsent = 0;

  function add(frame: string): void {
    const last = batches.length - 1;
    const batch = batches[last];
    if (batch !== undefined && batch.length + frame.length <= BATCH) batches[last] = batch + frame;
    else batches.push(frame);
    queued += frame.length;
    if (!buffer.backpressured && queued + unsent > HIGH_WATER_MARK) buffer.backpressured = true;
  }

  function addOnce(frame: string): void {
    if (buffer.backpressured) {
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
    if (buffer.backpressured && queued + unsent <= HIGH_WATER_MARK / 2) {
      buffer.backpressured = false;
      repeatable.clear();
    }
    onWritten();
  }

  const buffer = {
    backpressured: false,
    get empty() {
      return queued === 0 && stream.writableLength === 0;
    },
    add,
    addOnce,
    flush,
  };
  return buffer;
}
