import {
  defaultNotesFile,
  exportNotes,
  importNotes,
  type NoteFiles,
  type NoteRepository,
  openNotes,
  ownerOf,
  recoverNotes,
} from '@ccmcp/servers/notes';
import { UsageError } from '../command/usage-error.ts';
import { messageLine } from '../terminal/message-line.ts';
import { print, printStderr } from '../terminal/print.ts';

/** The command line of a notes command. */
interface NotesArguments {
  readonly values: { db?: string; owner?: string };
  readonly positionals: readonly string[];
}

/** Writes all notes to files. */
export function exportTo(given: NotesArguments): Promise<number> {
  return withNotes('export', given, async (notes, files) => {
    const count = await exportNotes(notes, files);
    return `Exported ${count} notes`;
  });
}

/** Reads notes from files. */
export function importFrom(given: NotesArguments): Promise<number> {
  return withNotes('import', given, async (notes, files) => {
    const { added, known, problems } = await importNotes(notes, files);
    for (const problem of problems) printStderr(messageLine(`skipped: ${problem}`));
    return `Imported ${added} notes; ${known} were there already`;
  });
}

/** Recovers the readable notes of a damaged SQLite file. */
export async function recover({ values, positionals }: NotesArguments): Promise<number> {
  const to = onlyPath(positionals, 'Usage: ccmcp notes recover NEWFILE [--db FILE]');
  const { db: from = defaultNotesFile() } = values;
  const { kept, altered, lost } = await recoverNotes(from, to);
  print(`Recovered ${kept} notes of ${from} into ${to}\n`);
  if (altered.length > 0) print(`Altered, and now tagged "damaged": ${altered.join(', ')}\n`);
  if (lost.length > 0) print(`Lost: ${lost.join(', ')}\n`);
  return 0;
}

type Transfer = (notes: NoteRepository, files: NoteFiles) => Promise<string>;

async function withNotes(
  verb: string,
  { values: { db, owner }, positionals }: NotesArguments,
  transfer: Transfer,
): Promise<number> {
  const path = onlyPath(positionals, `Usage: ccmcp notes ${verb} PATH [--db FILE] [--owner NAME]`);
  const files = path.endsWith('.jsonl') ? { jsonLines: path } : { folder: path };
  const notes = await openNotes({ db, databaseUrl: process.env.DATABASE_URL });
  try {
    print(`${await transfer(owner === undefined ? notes : notes.ownedBy(ownerOf(owner)), files)}\n`);
    return 0;
  } finally {
    await notes.close();
  }
}

function onlyPath(positionals: readonly string[], usage: string): string {
  const [path, another] = positionals;
  if (path === undefined || another !== undefined) throw new UsageError(`Name one path. ${usage}`);
  return path;
}
