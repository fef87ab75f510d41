import { exportNotes, importNotes, type NoteFiles, type NoteRepository, openNotes } from '@ccmcp/servers/notes';

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
    for (const problem of problems) process.stderr.write(`ccmcp: left out: ${problem}\n`);
    return `Imported ${added} notes; ${known} were there already`;
  });
}

type Work = (notes: NoteRepository, files: NoteFiles) => Promise<string>;

async function withNotes(verb: string, args: readonly string[], work: Work): Promise<number> {
  const wanted = parse(args);
  if (wanted === undefined) {
    process.stderr.write(
      `Usage: ccmcp notes ${verb} PATH [--db FILE]\nPATH is a folder, or a file that ends in .jsonl.\n`,
    );
    return 2;
  }
  const notes = await openNotes({ db: wanted.db, databaseUrl: process.env.DATABASE_URL });
  try {
    process.stdout.write(`${await work(notes, wanted.files)}\n`);
    return 0;
  } finally {
    await notes.close();
  }
}

function parse(args: readonly string[]): { files: NoteFiles; db: string | undefined } | undefined {
  const [path, option, db] = args.length === 3 && args[0] === '--db' ? [args[2], args[0], args[1]] : args;
  const isRight = args.length === 1 || (args.length === 3 && option === '--db');
  if (!isRight || path === undefined || path.startsWith('-')) return undefined;
  return { files: path.endsWith('.jsonl') ? { jsonLines: path } : { folder: path }, db };
}
