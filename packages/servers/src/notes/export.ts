import { constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { toMarkdown } from './markdown.ts';
import type { Note } from './note.ts';
import type { NoteRepository } from './repository.ts';
import { hasPermissionModel } from '../permission.ts';

/** Notes outside of a store: a file with a JSON object per line, or a folder with a Markdown file per note. */
export type NoteFiles = { jsonLines: string } | { folder: string };

const atOnce = 50;

/** Writes all notes but those in the trash; tells how many. A file that was there is replaced when all is written. */
export async function exportNotes(notes: NoteRepository, target: NoteFiles): Promise<number> {
  if ('folder' in target) {
    await mkdir(target.folder, { recursive: true, mode: 0o700 });
    return forEachNote(notes, (note) => writeWhole(join(target.folder, fileName(note)), [toMarkdown(note)]));
  }
  await mkdir(dirname(resolve(target.jsonLines)), { recursive: true, mode: 0o700 });
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const note of allNotes(notes)) {
      count += 1;
      yield `${JSON.stringify(note)}\n`;
    }
  }
  await writeWhole(target.jsonLines, lines());
  return count;
}

async function forEachNote(notes: NoteRepository, work: (note: Note) => Promise<void>): Promise<number> {
  let count = 0;
  for await (const note of allNotes(notes)) {
    await work(note);
    count += 1;
  }
  return count;
}

async function* allNotes(notes: NoteRepository): AsyncGenerator<Note> {
  for (let last: string | undefined; ; ) {
    const page = await notes.after(last, atOnce);
    yield* page;
    last = page.at(-1)?.id;
    if (last === undefined) return;
  }
}

/** Writes beside the place and then moves there, so that a file is there as a whole or as it was. */
async function writeWhole(path: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    const limited = hasPermissionModel();
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (limited ? constants.O_SYNC : 0);
    const file = await open(unfinished, flags, 0o600);
    try {
      for await (const text of texts) await file.write(text);
      if (!limited) await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The id, which is never given twice, and what of the title can stand in a name on any system. */
function fileName({ id, title }: Note): string {
  const words = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const readable = Array.from(words.join('-')).slice(0, 50).join('');
  return readable === '' ? `${id}.md` : `${id}-${readable}.md`;
}
