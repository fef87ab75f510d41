import { fromUtf8 } from '../text.ts';
import { decodeUtf8, PartialMessage, emptyBuffer } from './bytes.ts';
import { type Framing, keptBytes, oversize, type Unreadable } from './framing.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const BYTE_ORDER_MARK = 0xfeff;

/** One message per line, terminated by LF or CRLF. Blank lines are skipped. */
export function newlineFraming(maxMessage: number): Framing {
  return new NewlineFraming(maxMessage);
}

class NewlineFraming implements Framing {
  readonly #maxMessage: number;
  #chunk = emptyBuffer();
  #at = 0;
  /**
   * Complete lines, decoded in one pass: most chunks start with a line, and splitting text is cheaper than splitting
   * bytes.
   */
  #lines = '';
  #from = 0;
  /** Set if the chunk has a line that is invalid or too long; then each line is decoded separately. */
  #lineByLine = false;
  readonly #partial = new PartialMessage();
  onSkipped?: (end: string) => void;
  #skipping = false;
  #end = '';
  #started = false;
  #ended = false;

  constructor(maxMessage: number) {
    this.#maxMessage = maxMessage;
  }

  push(more: Buffer): void {
    this.#chunk = this.#at < this.#chunk.length ? Buffer.concat([this.#chunk.subarray(this.#at), more]) : more;
    this.#at = 0;
    this.#lineByLine = false;
  }

  end(): void {
    this.#ended = true;
  }

  frame(text: string): string {
    return `${text}\n`;
  }

  next(): string | Unreadable | undefined {
    for (;;) {
      if (this.#from < this.#lines.length) {
        const end = this.#lines.indexOf('\n', this.#from);
        const line = this.#lines.slice(this.#from, this.#lines.charCodeAt(end - 1) === CR ? end - 1 : end);
        this.#from = end + 1;
        if (line.charCodeAt(0) > SPACE || !isBlank(line)) return line;
        continue;
      }
      if (this.#at === this.#chunk.length && !this.#ended) return undefined;
      if (this.#decodeLines()) continue;
      const end = this.#chunk.indexOf(LF, this.#at);
      if (end === -1) return this.#keepRest();
      const line = this.#finishLine(end);
      if (line !== undefined) return line;
    }
  }

  #decodeLines(): boolean {
    if (this.#lineByLine || this.#skipping || this.#partial.length > 0) return false;
    const end = this.#chunk.lastIndexOf(LF) + 1;
    if (end <= this.#at) return false;
    const text = end - this.#at > this.#maxMessage ? undefined : fromUtf8(this.#chunk.subarray(this.#at, end));
    this.#lineByLine = text === undefined;
    if (text === undefined) return false;
    this.#at = end;
    this.#lines = text;
    this.#from = this.#started ? 0 : this.#skipByteOrderMark(text);
    return true;
  }

  #finishLine(end: number): string | Unreadable | undefined {
    const bytes = this.#chunk.subarray(this.#at, end);
    this.#at = end + 1;
    if (this.#skipping) {
      this.#skip(bytes);
      const end = this.#end;
      this.#skipping = false;
      this.#end = '';
      this.onSkipped?.(end);
      return undefined;
    }
    if (this.#partial.length === 0) return this.#decodeLine(bytes);
    if (this.#partial.length + bytes.length > this.#maxMessage + 1) {
      return this.#reject(joinStarts(this.#partial.take(), bytes), bytes);
    }
    this.#partial.append(bytes);
    return this.#decodeLine(this.#partial.take());
  }

  /** Buffers an incomplete line. At the end of input it is the last line. */
  #keepRest(): string | Unreadable | undefined {
    const bytes = this.#chunk.subarray(this.#at);
    this.#at = this.#chunk.length;
    if (this.#skipping) {
      this.#skip(bytes);
      return undefined;
    }
    if (bytes.length > 0) {
      const length = this.#partial.length + bytes.length;
      // A trailing CR may be the first half of CRLF, which does not count towards the limit.
      if (length > this.#maxMessage + 1 || (length > this.#maxMessage && bytes.at(-1) !== CR)) {
        const start = joinStarts(this.#partial.take(), bytes);
        this.#skipping = true;
        this.#skip(bytes);
        return oversize(this.#maxMessage, start);
      }
      this.#partial.append(bytes);
    }
    return this.#ended && this.#partial.length > 0 ? this.#decodeLine(this.#partial.take()) : undefined;
  }

  #decodeLine(bytes: Buffer): string | Unreadable | undefined {
    const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > this.#maxMessage) return this.#reject(line, line);
    const decoded = decodeUtf8(line);
    if (typeof decoded !== 'string') return decoded;
    const text = decoded.slice(this.#skipByteOrderMark(decoded));
    return isBlank(text) ? undefined : text;
  }

  /** The error for a complete line. */
  #reject(start: Buffer, end: Buffer): Unreadable {
    return { ...oversize(this.#maxMessage, start), end: end.toString('latin1', Math.max(0, end.length - keptBytes)) };
  }

  /** Skips an oversized line, but keeps its end. */
  #skip(bytes: Buffer): void {
    this.#end = (this.#end + bytes.toString('latin1', Math.max(0, bytes.length - keptBytes))).slice(-keptBytes);
  }

  #skipByteOrderMark(text: string): number {
    if (this.#started) return 0;
    this.#started = true;
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }
}

/** Joins the start of a line from two pieces. */
function joinStarts(first: Buffer, second: Buffer): Buffer {
  return first.length >= keptBytes ? first : Buffer.concat([first, second.subarray(0, keptBytes)]);
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}
