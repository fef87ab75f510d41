import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NoteFiles } from './export.ts';
import { fromMarkdown } from './markdown.ts';
import { checked, maxTitle, type Note } from './note.ts';
import { NotesError } from './notes-error.ts';
import type { NoteRepository } from './repository.ts';

/** What became of an import. */
export interface Imported {
  /** New here, under new ids. */
  added: number;
  /** Here already, with the same title, content and time. */
  known: number;
  /** What was left out, and why. */
  problems: string[];
}

type Incoming = Omit<Note, 'id'>;

const atOnce = 100;

/** Adds notes from files. What can't be read is left out and told; repeating an import adds nothing. */
export async function importNotes(notes: NoteRepository, source: NoteFiles): Promise<Imported> {
  const imported: Imported = { added: 0, known: 0, problems: [] };
  let batch: Incoming[] = [];
  const store = async (): Promise<void> => {
    const added = await notes.add(batch);
    imported.added += added;
    imported.known += batch.length - added;
    batch = [];
  };
  const found = 'folder' in source ? fromFolder(source.folder) : fromLines(source.jsonLines);
  for await (const { where, read } of found) {
    try {
      batch.push(complete(read()));
    } catch (error) {
      if (!(error instanceof NotesError || error instanceof SyntaxError)) throw error;
      imported.problems.push(`${where}: ${error.message}`);
    }
    if (batch.length === atOnce) await store();
  }
  await store();
  return imported;
}

interface Found {
  where: string;
  /** What is there; throws where that is no note. */
  read(): Record<string, unknown>;
}

async function* fromLines(path: string): AsyncGenerator<Found> {
  let number = 0;
  const { mtime } = await stat(path);
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const read = (): Record<string, unknown> => ({
      created_at: mtime.toISOString(),
      ...asObject(JSON.parse(line.replace(/^\uFEFF/, ''))),
    });
    yield { where: `line ${number}`, read };
  }
}

/** The lines of a file. Node's own reader, from Node 24 on, also ends them at U+2028 and U+2029, which JSON may hold. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = (rest + String(text)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

async function* fromFolder(folder: string): AsyncGenerator<Found> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name));
  for (const { parentPath, path, name } of paths) {
    const file = join(parentPath ?? path, name);
    const text = await readFile(file, 'utf8');
    const { mtime } = await stat(file);
    const read = (): Record<string, unknown> => {
      const title = basename(name).replace(/\.\w+$/, '');
      const modified = mtime.toISOString();
      return { title, created_at: modified, updated_at: modified, ...fromMarkdown(text) };
    };
    yield { where: file, read };
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotesError('invalid', 'is no JSON object');
  }
  return value as Record<string, unknown>;
}

function complete(given: Record<string, unknown>): Incoming {
  const { title, content, tags = [], created_at, updated_at } = given;
  if (typeof title !== 'string') throw new NotesError('invalid', 'has no title');
  if (typeof content !== 'string') throw new NotesError('invalid', 'has no content');
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    throw new NotesError('invalid', 'has tags that are no list of texts');
  }
  const draft = checked({ title: title.slice(0, maxTitle), content, tags });
  return { ...draft, created_at: time(created_at), updated_at: time(updated_at ?? created_at) };
}

function time(given: unknown): string {
  const milliseconds = typeof given === 'string' ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    const shown =
      typeof given === 'object' && given !== null ? 'an object or a list' : JSON.stringify(given).slice(0, 40);
    throw new NotesError('invalid', `has a time that is none: ${shown}`);
  }
  return new Date(milliseconds).toISOString();
}
