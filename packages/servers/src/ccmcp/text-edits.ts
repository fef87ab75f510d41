import { Buffer } from 'node:buffer';
import { FileError, printable, fileError } from './file-error.ts';
import { limits } from '../limits.ts';
import { type BigIntStats, lstatSync } from 'node:fs';
import { readText, writeText } from './files.ts';
import type { Place, WalkOptions } from './walk.ts';

const maxBytes = limits.ccmcp.file.value;

/** A text that is replaced by another. */
export interface Edit {
  /** It must be in the file just so, and once unless all are meant. */
  readonly oldText: string;
  readonly newText: string;
  /** Replaces it everywhere. */
  readonly all?: boolean;
}

/** A text after edits, and how many places were changed. */
export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/** Makes edits one after the other; throws a FileError, and gives nothing, where one of them can't be made. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const fitted = edits.map((edit) => withLineEndsOf(text, edit));
  let edited: Edited = { text, replacements: 0 };
  for (const [index, edit] of fitted.entries()) {
    const label = edits.length === 1 ? 'old_text' : `old_text of edit ${index + 1}`;
    const places = placesOf(edit, edited.text, label);
    edited = { text: replaceAt(edited.text, edit, places), replacements: edited.replacements + places.length };
  }
  if (Buffer.byteLength(edited.text) > maxBytes) throw tooLarge();
  return edited;
}

/** In a file where every line ends with CR LF, the line ends of an edit are meant so: nobody writes them otherwise there. */
function withLineEndsOf(text: string, edit: Edit): Edit {
  if (!text.includes('\r\n') || /(?<!\r)\n/.test(text)) return edit;
  const fit = (given: string): string => given.replace(/\r?\n/g, '\r\n');
  return { ...edit, oldText: fit(edit.oldText), newText: fit(edit.newText) };
}

function placesOf({ oldText, newText, all }: Edit, text: string, label: string): number[] {
  if (oldText === '') throw new FileError(`${label} is empty: give the text that is to be replaced`);
  if (oldText === newText) throw new FileError(`${label} is the same as new_text: there is nothing to change`);
  const places: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) places.push(at);
  if (places.length === 0) throw new FileError(`${label} is not in the file${nearMiss(text, oldText)}`);
  if (places.length > 1 && !all) {
    throw new FileError(
      `${label} is in the file ${places.length} times (${linesOf(text, places)}): ` +
        'give more of the text around the one you mean, or set "all" to replace it everywhere',
    );
  }
  return places;
}

/** Counts first: what a text would grow to may be more than there is room for. */
function replaceAt(text: string, { oldText, newText }: Edit, places: readonly number[]): string {
  if (text.length + places.length * (newText.length - oldText.length) > maxBytes) throw tooLarge();
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place), newText);
    from = place + oldText.length;
  }
  return [...parts, text.slice(from)].join('');
}

function linesOf(text: string, places: readonly number[]): string {
  const shown = places.slice(0, 5).map((place) => text.slice(0, place).split('\n').length);
  return `lines ${shown.join(', ')}${places.length > shown.length ? ', …' : ''}`;
}

/** Where the text would be found if white space didn't count, which is what it most often is. */
function nearMiss(text: string, wanted: string): string {
  const plain = (line: string): string => line.replace(/\s+/g, '');
  const sought = wanted.split('\n').map(plain);
  const first = sought.find((line) => line !== '');
  if (first === undefined) return '';
  const lines = text.split('\n');
  const offset = sought.indexOf(first);
  const at = lines.findIndex((line) => plain(line).includes(first));
  if (at === -1) return ': read the file first, and copy the text from it';
  const whole = sought.slice(offset).every((line, index) => plain(lines[at + index] ?? '').includes(line));
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

/** What is to be edited, and whether it is only tried. */
export interface EditOptions {
  readonly edits: readonly Edit[];
  readonly dryRun?: boolean | undefined;
}

/** Edits a text file of at most 1 MB: all edits are made, or none. */
export function editText(place: Place, visit: WalkOptions, { edits, dryRun }: EditOptions): EditedFile {
  const { directory, name } = place;
  const look = (): BigIntStats | undefined => lstatSync(directory.path(name), { bigint: true, throwIfNoEntry: false });
  const found = look();
  const before = readText(place, visit);
  const { text: after, replacements } = applyEdits(before, edits);
  if (!dryRun) {
    if (!isUnchanged(look(), found)) throw fileError('The file changed while it was edited; try again', visit.path);
    writeText(place, visit, after);
  }
  return { before, after, replacements };
}

function isUnchanged(now: BigIntStats | undefined, before: BigIntStats | undefined): boolean {
  return now?.ino === before?.ino && now?.mtimeNs === before?.mtimeNs && now?.size === before?.size;
}
