import { utf8Length } from '../../runtime/utf8-length.ts';
import { type Cost, characterBoundary, fitEnd } from './fit.ts';
import { type Elements, elementsAt, isContainer, largestArray, type Span, valueOf } from './json-spans.ts';
import type { Cut, CutOptions, Part } from './cut.ts';
import { count, range } from './describe.ts';
import { wireLength } from './size.ts';

/** How much of the first page may be taken by what surrounds the rows. */
const maxShell = 0.6;

/** How many arrays or objects with one element are entered to find rows. */
const maxSteps = 32;

/** True for a text that is a JSON array or object. */
export function isJson(text: string): boolean {
  const first = text.search(/\S/);
  if (first === -1 || !isContainer(text, first)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Cuts a JSON array or object by whole rows. All parts are JSON. Numbers and formatting stay as they are. */
export function cutJson(json: string, options: CutOptions): Cut {
  const { firstRoom, pageRoom, maxKept, isTwice } = options;
  const firstCost: Cost = (text) => wireLength(text) + (isTwice ? utf8Length(text) : 0);
  const root = json.search(/\S/);
  const outer = findRows(json, { start: root, end: json.length }, firstRoom, firstCost);
  const shell = (at: Span): Cost => {
    const around = firstCost(json.slice(root, at.start + 1) + json.slice(at.end - 1));
    return (rows) => around + firstCost(rows);
  };
  const inner = shell(outer)('') <= firstRoom ? outer : elementsAt(json, root);
  const elements = elementsAt(json, inner.start, inner.start + maxKept + firstRoom);
  const isArray = json[elements.start] === '[';
  const noun = isArray ? 'rows' : 'members';
  const of = `of ${count(elements.count)}${elements.start === root ? '' : nameBefore(json, elements.start)}`;
  const shown = endOfRows(json, elements, 0, firstRoom, shell(elements));
  const first =
    json.slice(root, elements.start + 1) +
    (shown === 0 ? '' : textOf(json, elements, 0, shown)) +
    json.slice(elements.end - 1);
  return {
    first: { text: first.trimEnd(), label: `${range(noun, 0, shown)} ${of}` },
    rest: restOf(json, elements, { shown, pageRoom, noun, of, isArray }),
    isWhole: elements.spans.length === elements.count,
  };
}

interface RestOptions {
  readonly shown: number;
  readonly pageRoom: number;
  readonly noun: string;
  readonly of: string;
  readonly isArray: boolean;
}

function* restOf(json: string, elements: Elements, options: RestOptions): Generator<Part> {
  const { shown, pageRoom, noun, of, isArray } = options;
  const [open, close] = isArray ? '[]' : '{}';
  const cost: Cost = (rows) => wireLength(rows) + 2;
  for (let row = shown; row < elements.spans.length; ) {
    const end = endOfRows(json, elements, row, pageRoom, cost);
    if (end > row) {
      const text = `${open}${textOf(json, elements, row, end)}${close}`;
      yield { text, label: `${range(noun, row, end)} ${of}` };
      row = end;
      continue;
    }
    yield* fragmentsOf(json, elements.spans[row] as Span, { row, pageRoom, of, noun });
    row += 1;
  }
}

/** A row that is larger than a page goes in fragments of its JSON text, each wrapped into an object that says so. */
function* fragmentsOf(
  json: string,
  { start, end }: Span,
  { row, pageRoom, of, noun }: { row: number; pageRoom: number; of: string; noun: string },
): Generator<Part> {
  const text = json.slice(start, end);
  const wrap = (part: number, fragment: string): string =>
    JSON.stringify({ [noun.slice(0, -1)]: row + 1, part, json: fragment });
  const fitting = {
    text,
    room: pageRoom,
    cost: (fragment: string) => wireLength(wrap(0, fragment)) + 10,
    boundary: (position: number) => characterBoundary(text, position),
  };
  for (let part = 1, at = 0; at < text.length; part++) {
    const fitted = fitEnd(fitting, at);
    const to = fitted > at ? fitted : text.length;
    const label = `characters ${count(at + 1)}–${count(to)} of ${count(text.length)} of ${noun.slice(0, -1)} ${count(row + 1)} ${of}`;
    yield { text: wrap(part, text.slice(at, to)), label };
    at = to;
  }
}

function textOf(json: string, { spans }: Elements, from: number, to: number): string {
  return json.slice((spans[from] as Span).start, (spans[to - 1] as Span).end);
}

/** The number of the row up to which rows fit. */
function endOfRows(json: string, { spans }: Elements, from: number, room: number, cost: Cost): number {
  const first = spans[from];
  if (first === undefined) return from;
  let reached = from;
  const boundary = (position: number): number => {
    let low = from;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle] as Span).end <= position) low = middle + 1;
      else high = middle;
    }
    reached = low;
    return low === from ? first.start : (spans[low - 1] as Span).end;
  };
  const last = (spans.at(-1) as Span).end;
  const end = fitEnd({ text: json, room, cost, boundary }, first.start, last);
  return end === first.start ? from : reached;
}

/** The array or object whose elements are the rows. */
function findRows(json: string, whole: Span, room: number, cost: Cost): Span {
  let within = whole;
  for (let step = 0; ; step++) {
    const largest = largestArray(json, within);
    const around = largest && cost(json.slice(within.start, largest.start) + json.slice(largest.end, within.end));
    const isFitting = around !== undefined && around <= room * maxShell;
    const rows = elementsAt(json, isFitting ? (largest as Span).start : within.start, json.length);
    const [only] = rows.spans;
    if (rows.count !== 1 || only === undefined || step === maxSteps) return rows;
    const value = json[rows.start] === '{' ? valueOf(json, only) : only;
    if (!isContainer(json, value.start) || cost(json.slice(value.start, value.end)) <= room * maxShell) return rows;
    within = value;
  }
}

/** The name of the member whose value begins at a position, for people. */
function nameBefore(json: string, at: number): string {
  const name = /("(?:[^"\\]|\\.){1,60}")\s*:\s*$/.exec(json.slice(Math.max(0, at - 100), at))?.[1];
  return name === undefined ? '' : ` of ${name}`;
}
