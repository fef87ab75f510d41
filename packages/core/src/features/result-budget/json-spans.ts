/** A part of a text. */
export interface Span {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/** The elements of an array, or the members of an object, in a JSON text. */
export interface Elements extends Span {
  /** Where each begins and ends. Those further on than asked for are only counted. */
  readonly spans: readonly Span[];
  readonly count: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The position after the string that begins at a position. */
function skipString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}

/** True if an array or object begins at a position. */
export function isContainer(json: string, at: number): boolean {
  return isOpening(json.charCodeAt(at));
}

/** The array that takes most of a part of a valid JSON text. */
export function largestArray(json: string, { start, end }: Span): Span | undefined {
  let largest: Span | undefined;
  const open: number[] = [];
  for (let at = start; at < end; ) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = skipString(json, at);
      continue;
    }
    if (isOpening(code)) open.push(at);
    else if (isClosing(code)) {
      const opened = open.pop() as number;
      const length = at + 1 - opened;
      const isArray = code === 0x5d;
      if (isArray && (largest === undefined || length > largest.end - largest.start))
        largest = { start: opened, end: at + 1 };
    }
    at += 1;
  }
  return largest;
}

/** The elements of the array or object that begins at a position of a valid JSON text; their spans up to `until`. */
export function elementsAt(json: string, start: number, until: number = json.length): Elements {
  const spans: Span[] = [];
  let count = 0;
  let depth = 0;
  let from = start + 1;
  let at = start + 1;
  const add = (): void => {
    const span = trim(json, { start: from, end: at });
    if (span.start === span.end) return;
    count += 1;
    if (span.start < until) spans.push(span);
  };
  for (;;) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = skipString(json, at);
      continue;
    }
    if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      if (depth === 0) {
        add();
        return { start, end: at + 1, spans, count };
      }
      depth -= 1;
    } else if (code === comma && depth === 0) {
      add();
      from = at + 1;
    }
    at += 1;
  }
}

/** The value of a member of an object. */
export function valueOf(json: string, { start, end }: Span): Span {
  const colon = json.indexOf(':', skipString(json, start));
  return trim(json, { start: colon + 1, end });
}

function trim(json: string, { start, end }: Span): Span {
  let first = start;
  let last = end;
  while (first < last && isSpace(json.charCodeAt(first))) first += 1;
  while (last > first && isSpace(json.charCodeAt(last - 1))) last -= 1;
  return { start: first, end: last };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
