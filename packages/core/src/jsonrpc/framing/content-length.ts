import { Buffer } from 'node:buffer';
import { decode, followedBy, Held, NOTHING } from './bytes.ts';
import { type Framing, oversize, type Unreadable } from './framing.ts';
import { limits } from '../../limits.ts';

const LF = 10;
const CR = 13;
const MAX_HEADERS = limits.stdio.headers.value;
const LENGTHS = /^(?:\xEF\xBB\xBF)?content-length[ \t]*:(.*)$/gim;
/** Text of a message can't contain this by accident or design: in JSON, a line end never stands inside a string. */
const NEXT_HEADER = /content-length:[ \t]{0,16}\d{1,16}[ \t]{0,16}\r?\n/i;
const NEXT_HEADER_MAX = 65;

/** Each message after headers of its own, as in language servers: `Content-Length: <bytes>`, a blank line, the text. */
export function contentLengthFraming(maxMessage: number): Framing {
  let chunk = NOTHING;
  let at = 0;
  let expects: 'headers' | 'body' | 'unwanted body' | 'anything' = 'headers';
  let missing = 0;
  const held = new Held();
  let ended = false;

  function next(): string | Unreadable | undefined {
    if (expects === 'anything') findHeader();
    if (expects === 'unwanted body') skip();
    if (expects === 'headers') {
      const problem = readHeaders();
      if (problem !== undefined) return problem;
    }
    if (expects === 'body') return readBody();
    return ended ? unfinished() : undefined;
  }

  function readHeaders(): Unreadable | undefined {
    while (isSpace(chunk[at])) at++;
    const end = endOfHeaders(chunk, at);
    if ((end === -1 ? chunk.length : end) - at > MAX_HEADERS) {
      at += 1;
      expects = 'anything';
      return { problem: 'header', message: `the headers are longer than ${MAX_HEADERS} bytes` };
    }
    if (end === -1) return undefined;
    const length = lengthIn(chunk.toString('latin1', at, end));
    at = end;
    if (typeof length !== 'number') {
      expects = 'anything';
      return length;
    }
    missing = length;
    expects = length > maxMessage ? 'unwanted body' : 'body';
    return length > maxMessage ? oversize(maxMessage) : undefined;
  }

  function readBody(): string | Unreadable | undefined {
    const bytes = chunk.subarray(at, at + missing);
    at += bytes.length;
    missing -= bytes.length;
    if (missing > 0) {
      held.append(bytes);
      return ended ? unfinished() : undefined;
    }
    expects = 'headers';
    if (held.length === 0) return decode(bytes);
    held.append(bytes);
    return decode(held.take());
  }

  function skip(): void {
    const length = Math.min(missing, chunk.length - at);
    at += length;
    missing -= length;
    if (missing === 0) expects = 'headers';
  }

  /** After headers that make no sense the length of what follows is unknown: goes on at the next that do. */
  function findHeader(): void {
    const found = chunk.toString('latin1', at).search(NEXT_HEADER);
    if (found !== -1) expects = 'headers';
    at = found === -1 ? Math.max(at, chunk.length - NEXT_HEADER_MAX) : at + found;
  }

  function unfinished(): Unreadable | undefined {
    const unread = expects === 'body' || (expects === 'headers' && at < chunk.length);
    expects = 'anything';
    at = chunk.length;
    held.clear();
    return unread ? { problem: 'header', message: 'the input ended inside a message' } : undefined;
  }

  return {
    push(more) {
      chunk = followedBy(chunk, at, more);
      at = 0;
    },
    end() {
      ended = true;
    },
    next,
    frame: (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  };
}

function endOfHeaders(chunk: Buffer, from: number): number {
  for (let i = chunk.indexOf(LF, from); i !== -1; i = chunk.indexOf(LF, i + 1)) {
    if (chunk[i + 1] === LF) return i + 2;
    if (chunk[i + 1] === CR && chunk[i + 2] === LF) return i + 3;
  }
  return -1;
}

function lengthIn(headers: string): number | Unreadable {
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
