import { fromUtf8 } from '../text.ts';
import type { Unreadable } from './framing.ts';

let empty: Buffer | undefined;

/** An empty buffer. Created lazily, because runtimes without `Buffer` load this module too. */
export function emptyBuffer(): Buffer {
  empty ??= Buffer.alloc(0);
  return empty;
}

/** Concatenates the unread rest of a chunk with the next chunk. */
export function appendChunk(chunk: Buffer, at: number, more: Buffer): Buffer {
  return at < chunk.length ? Buffer.concat([chunk.subarray(at), more]) : more;
}

/** Decodes the bytes of a message. */
export function decodeUtf8(bytes: Buffer): string | Unreadable {
  return fromUtf8(bytes) ?? { problem: 'encoding', message: 'the message is not valid UTF-8' };
}

/** Buffers an incomplete message. Growth is amortized, so a message that arrives byte by byte costs linear time. */
export class PartialMessage {
  length = 0;
  private store: Buffer = emptyBuffer();

  append(bytes: Buffer): void {
    const length = this.length + bytes.length;
    if (length > this.store.length) {
      const store = Buffer.allocUnsafe(Math.max(length, 2 * this.store.length));
      this.store.copy(store, 0, 0, this.length);
      this.store = store;
    }
    bytes.copy(this.store, this.length);
    this.length = length;
  }

  /** Returns the bytes and empties the buffer. */
  take(): Buffer {
    const bytes = this.store.subarray(0, this.length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.length = 0;
    this.store = emptyBuffer();
  }
}
