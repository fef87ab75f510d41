import { Buffer } from 'node:buffer';
import { type BigIntStats, lstatSync } from 'node:fs';
import { FileError, fileError, printable } from './file-error.ts';
import { maxFileBytes, readText, writeText } from './files.ts';
import type { ResolvedPath, WalkOptions } from './walk.ts';

/** A replacement of text. */
export interface Edit {
  /** Must match exactly, and once unless `all` is set. */
  readonly oldText: string;
  readonly newText: string;
  /** Replaces it everywhere. */
  readonly all?: boolean;
}

/** An edited text, with the number of replacements. */
export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/** Applies edits in order; throws a FileError if one of them can't be applied. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const fitted = edits.map((edit) => adaptLineEnds(text, edit));
  let edited: Edited = { text, replacements: 0 };
  for (const [index, edit] of fitted.entries()) {
    const label = edits.length === 1 ? 'old_text' : `old_text of edit ${index + 1}`;
    const positions = positionsOf(edit, edited.text, label);
    edited = { text: replaceAt(edited.text, edit, positions), replacements: edited.replacements + positions.length };
  }
  if (Buffer.byteLength(edited.text) > maxFileBytes) throw tooLarge();
  return edited;
}

/** Converts the line ends of an edit if every line of the file ends with CR LF. */
function adaptLineEnds(text: string, edit: Edit): Edit {
  if (!text.includes('\r\n') || /(?<!\r)\n/.test(text)) return edit;
  const fit = (given: string): string => given.replace(/\r?\n/g, '\r\n');
  return { ...edit, oldText: fit(edit.oldText), newText: fit(edit.newText) };
}

function positionsOf({ oldText, newText, all }: Edit, text: string, label: string): number[] {
  if (oldText === '') throw new FileError(`${label} is empty: give the text that is to be replaced`);
  if (oldText === newText) throw new FileError(`${label} is the same as new_text: there is nothing to change`);
  const positions: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) positions.push(at);
  if (positions.length === 0) throw new FileError(`${label} is not in the file${nearMiss(text, oldText)}`);
  if (positions.length > 1 && !all) {
    throw new FileError(
      `${label} is in the file ${positions.length} times (${formatLineNumbers(text, positions)}): ` +
        'give more of the text around the one you mean, or set "all" to replace it everywhere',
    );
  }
  return positions;
}

/** Checks the size first: the result could exceed the memory. */
function replaceAt(text: string, { oldText, newText }: Edit, positions: readonly number[]): string {
  if (text.length + positions.length * (newText.length - oldText.length) > maxFileBytes) throw tooLarge();
  const parts: string[] = [];
  let from = 0;
  for (const position of positions) {
    parts.push(text.slice(from, position), newText);
    from = position + oldText.length;
  }
  return [...parts, text.slice(from)].join('');
}

function formatLineNumbers(text: string, positions: readonly number[]): string {
  const shown = positions.slice(0, 5).map((position) => text.slice(0, position).split('\n').length);
  return `lines ${shown.join(', ')}${positions.length > shown.length ? ', …' : ''}`;
}

/** Says where the text would match without white space, the most common mistake. */
function nearMiss(text: string, wanted: string): string {
  const removeSpaces = (line: string): string => line.replace(/\s+/g, '');
  const sought = wanted.split('\n').map(removeSpaces);
  const first = sought.find((line) => line !== '');
  if (first === undefined) return '';
  const lines = text.split('\n');
  const offset = sought.indexOf(first);
  const at = lines.findIndex((line) => removeSpaces(line).includes(first));
  if (at === -1) return ': read the file first, and copy the text from it';
  const whole = sought.slice(offset).every((line, index) => removeSpaces(lines[at + index] ?? '').includes(line));
  const shown = printable((lines[at] as string).slice(0, 200));
  const what = whole ? 'It is there with other white space' : 'Only its beginning is there';
  return `. ${what}, at line ${at + 1}: ${JSON.stringify(shown)}`;
}

function tooLarge(): FileError {
  return new FileError('The file would become larger than 1 MB');
}

/** The text of a file before and after its edits. */
export interface EditedFile {
  readonly before: string;
  readonly after: string;
  readonly replacements: number;
}

/** Options of `editText`. */
export interface EditOptions {
  readonly edits: readonly Edit[];
  readonly dryRun?: boolean | undefined;
}

/** Edits a text file of at most 1 MB: applies all edits or none. */
export function editText(resolved: ResolvedPath, options: WalkOptions, { edits, dryRun }: EditOptions): EditedFile {
  const { directory, name } = resolved;
  const readStats = (): BigIntStats | undefined =>
    lstatSync(directory.path(name), { bigint: true, throwIfNoEntry: false });
  const found = readStats();
  const before = readText(resolved, options);
  const { text: after, replacements } = applyEdits(before, edits);
  if (!dryRun) {
    if (!isUnchanged(readStats(), found))
      throw fileError('The file changed while it was edited; try again', options.path);
    writeText(resolved, options, after);
  }
  return { before, after, replacements };
}

function isUnchanged(now: BigIntStats | undefined, before: BigIntStats | undefined): boolean {
  return now?.ino === before?.ino && now?.mtimeNs === before?.mtimeNs && now?.size === before?.size;
}

/** The number of context lines around a change. */
const context = 3;
/** Texts with more different lines are shown as one change, because the search would take long. */
const maxDistance = 1000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Formats the difference of two texts as a unified diff; empty if there is none. */
export function unifiedDiff(before: string, after: string, label: string): string {
  if (before === after) return '';
  const lines = compare(splitLines(before), splitLines(after));
  return `--- ${label}\n+++ ${label}\n${formatHunks(lines).join('')}`;
}

/** Splits a text into lines with their ends; the last one may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let rest = 0;
  const most = Math.min(before.length, after.length) - start;
  while (rest < most && before.at(-1 - rest) === after.at(-1 - rest)) rest++;
  const old = before.slice(start, before.length - rest);
  const now = after.slice(start, after.length - rest);
  return [
    ...toLines(' ', before.slice(0, start)),
    ...(shortestEdit(old, now) ?? [...toLines('-', old), ...toLines('+', now)]),
    ...toLines(' ', before.slice(before.length - rest)),
  ];
}

function toLines(mark: Line['mark'], texts: readonly string[]): Line[] {
  return texts.map((text) => ({ mark, text }));
}

/**
 * The furthest position in the old text after a number of edits, per diagonal: the position in the old text minus that in
 * the new one, every other number from minus to plus the number of edits.
 */
type Round = Int32Array;

/** The shortest edit script (Myers, "An O(ND) Difference Algorithm"); undefined if it is too long. */
function shortestEdit(before: readonly string[], after: readonly string[]): Line[] | undefined {
  const rounds: Round[] = [];
  for (let steps = 0; steps <= Math.min(maxDistance, before.length + after.length); steps++) {
    const round = new Int32Array(steps + 1);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let { x } = enter(rounds, steps, diagonal);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      round[(diagonal + steps) / 2] = x;
      if (x >= before.length && x - diagonal >= after.length) return backtrack(before, after, rounds);
    }
    rounds.push(round);
  }
  return undefined;
}

/** Where a diagonal is entered: by an insertion from the one above, or by a deletion. */
function enter(rounds: readonly Round[], steps: number, diagonal: number): { x: number; mark: '-' | '+' } {
  const last = rounds[steps - 1];
  if (last === undefined) return { x: 0, mark: '+' };
  const above = last[(diagonal + steps) / 2] ?? -1;
  const below = last[(diagonal + steps) / 2 - 1] ?? -1;
  return below < above ? { x: above, mark: '+' } : { x: below + 1, mark: '-' };
}

function backtrack(before: readonly string[], after: readonly string[], rounds: readonly Round[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let steps = rounds.length; steps >= 0; steps--) {
    const entered = enter(rounds, steps, x - y);
    for (; x > entered.x; x--, y--) lines.push({ mark: ' ', text: before[x - 1] as string });
    if (steps === 0) break;
    if (entered.mark === '+') lines.push({ mark: '+', text: after[--y] as string });
    else lines.push({ mark: '-', text: before[--x] as string });
  }
  return lines.toReversed();
}

/** Formats the changes with context; adjacent ones share a hunk. */
function formatHunks(lines: readonly Line[]): string[] {
  const shown: string[] = [];
  const passed = { '-': 0, '+': 0 };
  let at = 0;
  const pass = (to: number): Line[] => {
    const some = lines.slice(at, to);
    for (const { mark } of some) {
      if (mark !== '+') passed['-']++;
      if (mark !== '-') passed['+']++;
    }
    at = to;
    return some;
  };
  for (const [from, to] of changedRanges(lines)) {
    pass(from);
    const before = { ...passed };
    const inside = pass(to);
    const side = (mark: '-' | '+'): string => {
      const count = passed[mark] - before[mark];
      return `${mark}${before[mark] + (count === 0 ? 0 : 1)}${count === 1 ? '' : `,${count}`}`;
    };
    shown.push(`@@ ${side('-')} ${side('+')} @@\n${inside.map(formatLine).join('')}`);
  }
  return shown;
}

function changedRanges(lines: readonly Line[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const [from, to] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)];
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function formatLine({ mark, text }: Line): string {
  return text.endsWith('\n') ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`;
}
