import { type BigIntStats, lstatSync } from 'node:fs';
import { fileError } from './file-error.ts';
import { readText, writeText } from './files.ts';
import { applyEdits, type Edit } from './text-edits.ts';
import type { Place, Visit } from './walk.ts';

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
export function editText(place: Place, visit: Visit, { edits, dryRun }: EditOptions): EditedFile {
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
