import {
  exportNotes,
  importNotes,
  type NoteFiles,
  type NoteRepository,
  openNotes,
  ownerOf,
  defaultNotesFile,
  recoverNotes,
} from '@ccmcp/servers/notes';
import { print, tell } from '../terminal/print.ts';

const usage = 'Usage: ccmcp notes recover NEWFILE [--db FILE]\nNEWFILE is made; FILE stays as it is.\n';

/** Saves what can be read of a damaged SQLite file. */
export async function recover(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    print(usage);
    return 0;
  }
  const [to, option, from = defaultNotesFile()] = args;
  const isRight = args.length === 1 || (args.length === 3 && option === '--db');
  if (!isRight || to === undefined || to.startsWith('-')) {
    tell(usage);
    return 2;
  }
  const { kept, altered, lost } = await recoverNotes(from, to);
  print(`Recovered ${kept} notes of ${from} into ${to}\n`);
  if (altered.length > 0) print(`Altered, and now tagged "damaged": ${altered.join(', ')}\n`);
  if (lost.length > 0) print(`Lost: ${lost.join(', ')}\n`);
  return 0;
}

/** Writes all notes to files. */
export function exportTo(args: readonly string[]): Promise<number> {
  return withNotes('export', args, async (notes, files) => {
    const count = await exportNotes(notes, files);
    return `Exported ${count} notes`;
  });
}

/** Reads notes from files. */
export function importFrom(args: readonly string[]): Promise<number> {
  return withNotes('import', args, async (notes, files) => {
    const { added, known, problems } = await importNotes(notes, files);
    for (const problem of problems) tell(`ccmcp: left out: ${problem}\n`);
    return `Imported ${added} notes; ${known} were there already`;
  });
}

type Work = (notes: NoteRepository, files: NoteFiles) => Promise<string>;

async function withNotes(verb: string, args: readonly string[], work: Work): Promise<number> {
  const usage = `Usage: ccmcp notes ${verb} PATH [--db FILE] [--owner NAME]\nPATH is a folder, or a file that ends in .jsonl.\n`;
  if (args.includes('--help') || args.includes('-h')) {
    print(usage);
    return 0;
  }
  const wanted = parse(args);
  if (wanted === undefined) {
    tell(usage);
    return 2;
  }
  const notes = await openNotes({ db: wanted.db, databaseUrl: process.env.DATABASE_URL });
  try {
    const owned = wanted.owner === undefined ? notes : notes.ownedBy(ownerOf(wanted.owner));
    print(`${await work(owned, wanted.files)}\n`);
    return 0;
  } finally {
    await notes.close();
  }
}

interface Wanted {
  files: NoteFiles;
  db?: string | undefined;
  /** Whose notes they are; absent: nobody's. */
  owner?: string | undefined;
}

function parse(args: readonly string[]): Wanted | undefined {
  const given = new Map<string, string>();
  const paths: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    if (argument !== '--db' && argument !== '--owner') paths.push(argument);
    else if (args[at + 1] === undefined || given.has(argument)) return undefined;
    else given.set(argument, args[(at += 1)] as string);
  }
  const [path] = paths;
  if (paths.length !== 1 || path === undefined || path.startsWith('-')) return undefined;
  const files = path.endsWith('.jsonl') ? { jsonLines: path } : { folder: path };
  return { files, db: given.get('--db'), owner: given.get('--owner') };
}
