import { decodeUtf8, appendChunk, PartialMessage, emptyBuffer } from './bytes.ts';
import { type Framing, oversize, type Unreadable } from './framing.ts';

const LF = 10;
const CR = 13;
/** The maximum length of the headers of a message, in bytes. */
const MAX_HEADERS = 8 * 1024;
const LENGTHS = /^(?:\xEF\xBB\xBF)?content-length[ \t]*:(.*)$/gim;
/** Can't occur inside a message: JSON strings contain no raw line ends. */
const NEXT_HEADER = /content-length:[ \t]{0,16}\d{1,16}[ \t]{0,16}\r?\n/i;
const NEXT_HEADER_MAX = 65;

/** Framing of the Language Server Protocol: `Content-Length: <bytes>`, a blank line, then the message. */
export function contentLengthFraming(maxMessage: number): Framing {
  return new ContentLengthFraming(maxMessage);
}

class ContentLengthFraming implements Framing {
  readonly #maxMessage: number;
  #chunk = emptyBuffer();
  #at = 0;
  #expects: 'headers' | 'body' | 'unwanted body' | 'anything' = 'headers';
  #missing = 0;
  readonly #partial = new PartialMessage();
  #ended = false;

  constructor(maxMessage: number) {
    this.#maxMessage = maxMessage;
  }

  push(more: Buffer): void {
    this.#chunk = appendChunk(this.#chunk, this.#at, more);
    this.#at = 0;
  }

  end(): void {
    this.#ended = true;
  }

  frame(text: string): string {
    return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  }

  next(): string | Unreadable | undefined {
    if (this.#expects === 'anything') this.#findHeader();
    if (this.#expects === 'unwanted body') this.#skipBody();
    if (this.#expects === 'headers') {
      const problem = this.#readHeaders();
      if (problem !== undefined) return problem;
    }
    if (this.#expects === 'body') return this.#readBody();
    return this.#ended ? this.#endOfInput() : undefined;
  }

  #readHeaders(): Unreadable | undefined {
    while (isSpace(this.#chunk[this.#at])) this.#at++;
    const end = endOfHeaders(this.#chunk, this.#at);
    if ((end === -1 ? this.#chunk.length : end) - this.#at > MAX_HEADERS) {
      this.#at += 1;
      this.#expects = 'anything';
      return { problem: 'header', message: `the headers are longer than ${MAX_HEADERS} bytes` };
    }
    if (end === -1) return undefined;
    const length = parseContentLength(this.#chunk.toString('latin1', this.#at, end));
    this.#at = end;
    if (typeof length !== 'number') {
      this.#expects = 'anything';
      return length;
    }
    this.#missing = length;
    this.#expects = length > this.#maxMessage ? 'unwanted body' : 'body';
    return length > this.#maxMessage ? oversize(this.#maxMessage) : undefined;
  }

  #readBody(): string | Unreadable | undefined {
    const bytes = this.#chunk.subarray(this.#at, this.#at + this.#missing);
    this.#at += bytes.length;
    this.#missing -= bytes.length;
    if (this.#missing > 0) {
      this.#partial.append(bytes);
      return this.#ended ? this.#endOfInput() : undefined;
    }
    this.#expects = 'headers';
    if (this.#partial.length === 0) return decodeUtf8(bytes);
    this.#partial.append(bytes);
    return decodeUtf8(this.#partial.take());
  }

  #skipBody(): void {
    const length = Math.min(this.#missing, this.#chunk.length - this.#at);
    this.#at += length;
    this.#missing -= length;
    if (this.#missing === 0) this.#expects = 'headers';
  }

  /** Resynchronizes at the next valid header: after invalid headers the body length is unknown. */
  #findHeader(): void {
    const found = this.#chunk.toString('latin1', this.#at).search(NEXT_HEADER);
    if (found !== -1) this.#expects = 'headers';
    this.#at = found === -1 ? Math.max(this.#at, this.#chunk.length - NEXT_HEADER_MAX) : this.#at + found;
  }

  #endOfInput(): Unreadable | undefined {
    const unread = this.#expects === 'body' || (this.#expects === 'headers' && this.#at < this.#chunk.length);
    this.#expects = 'anything';
    this.#at = this.#chunk.length;
    this.#partial.clear();
    return unread ? { problem: 'header', message: 'the input ended inside a message' } : undefined;
  }
}

function endOfHeaders(chunk: Buffer, from: number): number {
  for (let i = chunk.indexOf(LF, from); i !== -1; i = chunk.indexOf(LF, i + 1)) {
    if (chunk[i + 1] === LF) return i + 2;
    if (chunk[i + 1] === CR && chunk[i + 2] === LF) return i + 3;
  }
  return -1;
}

function parseContentLength(headers: string): number | Unreadable {
  const lengths = new Set(Array.from(headers.matchAll(LENGTHS), ([, value = '']) => value.trim()));
  const [length] = lengths;
  if (length === undefined) return { problem: 'header', message: 'the headers lack Content-Length' };
  if (lengths.size > 1) return { problem: 'header', message: 'the headers give two different lengths' };
  if (!/^\d+$/.test(length)) return { problem: 'header', message: 'Content-Length is not a number of bytes' };
  return Number(length);
}

function isSpace(byte: number | undefined): boolean {
  return byte === LF || byte === CR || byte === 32 || byte === 9;
}
