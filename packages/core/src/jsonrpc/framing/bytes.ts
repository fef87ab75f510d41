import { fromUtf8 } from '../utf8.ts';
import type { Unreadable } from './framing.ts';

let empty: Buffer | undefined;

/** No bytes at all. Made when first asked for: this module is loaded where there is no `Buffer`, too. */
export function emptyBuffer(): Buffer {
  empty ??= Buffer.alloc(0);
  return empty;
}

/** What is still unread of a chunk, followed by a new one. */
export function appendChunk(chunk: Buffer, at: number, more: Buffer): Buffer {
  return at < chunk.length ? Buffer.concat([chunk.subarray(at), more]) : more;
}

/** Turns the bytes of a message into text. */
export function decodeUtf8(bytes: Buffer): string | Unreadable {
  return fromUtf8(bytes) ?? { problem: 'encoding', message: 'the message is not valid UTF-8' };
}

/** The beginning of a message whose end has not come. A long one costs linear time, also byte by byte. */
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

  /** Gives the bytes and forgets them. */
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
