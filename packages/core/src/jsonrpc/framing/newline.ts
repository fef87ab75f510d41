import { decode, followedBy, Held, NOTHING } from './bytes.ts';
import { type Framing, oversize, type Unreadable } from './framing.ts';

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** One message per line, ended by LF or CRLF. Blank lines mean nothing; a line end is no part of the message. */
export function newlineFraming(maxMessage: number): Framing {
  let chunk = NOTHING;
  let at = 0;
  /** Whole lines, decoded in one go: most chunks begin with a line, and splitting text is cheaper than bytes. */
  let lines = '';
  let from = 0;
  /** This chunk has a line that can't be decoded or is too long, so each is looked at alone. */
  let oneByOne = false;
  const held = new Held();
  let skipping = false;
  let started = false;
  let ended = false;

  function next(): string | Unreadable | undefined {
    for (;;) {
      if (from < lines.length) {
        const end = lines.indexOf('\n', from);
        const line = lines.slice(from, lines.charCodeAt(end - 1) === CR ? end - 1 : end);
        from = end + 1;
        if (!isBlank(line)) return line;
        continue;
      }
      if (at === chunk.length && !ended) return undefined;
      if (decodeLines()) continue;
      const end = chunk.indexOf(LF, at);
      if (end === -1) return rest();
      const line = complete(end);
      if (line !== undefined) return line;
    }
  }

  function decodeLines(): boolean {
    if (oneByOne || skipping || held.length > 0) return false;
    const end = chunk.lastIndexOf(LF) + 1;
    if (end <= at) return false;
    const text = end - at > maxMessage ? undefined : decode(chunk.subarray(at, end));
    oneByOne = typeof text !== 'string';
    if (typeof text !== 'string') return false;
    at = end;
    lines = text;
    from = startOf(text);
    return true;
  }

  function complete(end: number): string | Unreadable | undefined {
    const bytes = chunk.subarray(at, end);
    at = end + 1;
    if (skipping) {
      skipping = false;
      return undefined;
    }
    if (held.length === 0) return lineOf(bytes);
    if (held.length + bytes.length > maxMessage + 1) {
      held.clear();
      return oversize(maxMessage);
    }
    held.append(bytes);
    return lineOf(held.take());
  }

  /** Keeps the beginning of a line. At the end of input, that was the last line. */
  function rest(): string | Unreadable | undefined {
    const bytes = chunk.subarray(at);
    at = chunk.length;
    if (skipping) return undefined;
    if (bytes.length > 0) {
      const length = held.length + bytes.length;
      // A CR at the very end may be half of a line end, which does not count.
      if (length > maxMessage + 1 || (length > maxMessage && bytes.at(-1) !== CR)) {
        held.clear();
        skipping = true;
        return oversize(maxMessage);
      }
      held.append(bytes);
    }
    return ended && held.length > 0 ? lineOf(held.take()) : undefined;
  }

  function lineOf(bytes: Buffer): string | Unreadable | undefined {
    const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > maxMessage) return oversize(maxMessage);
    const decoded = decode(line);
    if (typeof decoded !== 'string') return decoded;
    const text = decoded.slice(startOf(decoded));
    return isBlank(text) ? undefined : text;
  }

  function startOf(text: string): number {
    if (started) return 0;
    started = true;
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  return {
    push(more) {
      chunk = followedBy(chunk, at, more);
      at = 0;
      oneByOne = false;
    },
    end() {
      ended = true;
    },
    next,
    frame: (text) => `${text}\n`,
  };
}

function isBlank(line: string): boolean {
  return !(line.charCodeAt(0) > 32) && /^[ \t\r]*$/.test(line);
}
