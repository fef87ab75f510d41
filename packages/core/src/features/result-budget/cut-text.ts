import type { Cut, CutOptions, Part } from './cut.ts';
import { count, range } from './describe.ts';
import { characterBoundary, fitEnd, type Fitting } from './fit.ts';
import { wireLength } from './size.ts';

/** Cuts a text by whole lines; one that is larger than a page, between characters. Of a log, both ends are shown. */
export function cutText(text: string, isLog: boolean, { firstRoom, pageRoom, maxKept }: CutOptions): Cut {
  const total = countLines(text, 0, text.length);
  const about = { text, total };
  const head = endOfPart(text, 0, isLog ? firstRoom / 2 : firstRoom, text.length);
  const tail = isLog ? startOfTail(text, head, firstRoom / 2) : text.length;
  const label = labelOf(about, 0, head, 1);
  const tailLines = tail < text.length ? countLines(text, tail, text.length) : 0;
  const last = tailLines === 0 ? '' : ` and ${range('lines', total - tailLines, total)} ${of(about, label)}`;
  const until = Math.min(tail, head + maxKept);
  return {
    first: { text: text.slice(0, head), label: last === '' ? `${label} ${of(about, label)}` : `${label}${last}` },
    ...(tailLines > 0 && { last: text.slice(tail) }),
    rest: restOf(about, head, until, pageRoom),
    isWhole: until === tail,
  };
}

interface About {
  readonly text: string;
  readonly total: number;
}

function* restOf(about: About, from: number, until: number, room: number): Generator<Part> {
  const { text } = about;
  let line = 1 + newlines(text, 0, from);
  for (let at = from; at < until; ) {
    const fitted = endOfPart(text, at, room, until);
    const end = fitted > at ? fitted : until;
    const label = labelOf(about, at, end, line);
    yield { text: text.slice(at, end), label: `${label} ${of(about, label)}` };
    line += newlines(text, at, end);
    at = end;
  }
}

function labelOf({ text }: About, start: number, end: number, line: number): string {
  if (isLineEnd(text, start) && isLineEnd(text, end)) {
    return range('lines', line - 1, line - 1 + countLines(text, start, end));
  }
  return `characters ${count(start + 1)}–${count(end)}`;
}

function of({ text, total }: About, label: string): string {
  return `of ${count(label.startsWith('characters') ? text.length : total)}`;
}

/** Where a part ends that fits: after a line, or inside of one that alone is too long. */
function endOfPart(text: string, start: number, room: number, until: number): number {
  const fitting: Fitting = {
    text,
    room,
    cost: wireLength,
    // Not further back than the part: a single line may be all of a large text.
    boundary: (position) =>
      position >= text.length ? text.length : start + text.slice(start, position).lastIndexOf('\n') + 1,
  };
  const end = fitEnd(fitting, start, until);
  if (end > start) return end;
  return fitEnd({ ...fitting, boundary: (position) => characterBoundary(text, position) }, start, until);
}

/** Where the last lines begin that fit; the end of the text if the last one does not. */
function startOfTail(text: string, from: number, room: number): number {
  let start = Math.max(from, text.length - Math.floor(room));
  for (;;) {
    if (start > from && !isLineEnd(text, start)) start = text.indexOf('\n', start) + 1 || text.length;
    const bytes = wireLength(text.slice(start));
    if (bytes <= room || start >= text.length) return start;
    start += Math.max(1, Math.floor((text.length - start) * (1 - room / bytes)));
  }
}

function isLineEnd(text: string, position: number): boolean {
  return position === 0 || position === text.length || text[position - 1] === '\n';
}

function newlines(text: string, from: number, to: number): number {
  const part = text.slice(from, to);
  let found = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) found += 1;
  return found;
}

function countLines(text: string, from: number, to: number): number {
  return newlines(text, from, to) + (to > from && text[to - 1] !== '\n' ? 1 : 0);
}

const logLine =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d{1,2}\/\w{3}\/\d{4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)/i;

/** True if most lines begin with a time or a level. */
export function looksLikeLog(text: string): boolean {
  const lines = text
    .slice(0, 10_000)
    .split('\n', 40)
    .filter((line) => line.trim() !== '');
  return lines.length >= 3 && lines.filter((line) => logLine.test(line.slice(0, 100))).length > lines.length / 2;
}
