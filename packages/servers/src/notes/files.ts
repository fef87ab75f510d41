import { constants, mkdir, open, rename, rm, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve, basename } from 'node:path';
import { maxTitle, type Note, NotesError, validateDraft } from './note.ts';
import type { NoteRepository } from './repository.ts';
import { hasPermissionModel } from '../permission.ts';
import { createReadStream } from 'node:fs';

/** The result of an import. */
export interface Imported {
  /** Notes that were added, under new ids. */
  added: number;
  /** Notes that existed already, with the same title, content and time. */
  known: number;
  /** Entries that were skipped, with reasons. */
  problems: string[];
}

type Incoming = Omit<Note, 'id'>;

const importBatchSize = 100;

/** Imports notes from files. Skips and reports invalid entries; repeating an import adds nothing. */
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
      batch.push(validateNote(read()));
    } catch (error) {
      if (!(error instanceof NotesError || error instanceof SyntaxError)) throw error;
      imported.problems.push(`${where}: ${error.message}`);
    }
    if (batch.length === importBatchSize) await store();
  }
  await store();
  return imported;
}

interface Found {
  where: string;
  /** Parses the note; throws if it is invalid. */
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
      ...requireObject(JSON.parse(line.replace(/^\uFEFF/, ''))),
    });
    yield { where: `line ${number}`, read };
  }
}

/** The lines of a file. Since Node 24, `readline` also splits at U+2028 and U+2029, which JSON may contain. */
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

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotesError('invalid', 'is no JSON object');
  }
  return value as Record<string, unknown>;
}

function validateNote(given: Record<string, unknown>): Incoming {
  const { title, content, tags = [], created_at, updated_at } = given;
  if (typeof title !== 'string') throw new NotesError('invalid', 'has no title');
  if (typeof content !== 'string') throw new NotesError('invalid', 'has no content');
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    throw new NotesError('invalid', 'has tags that are no list of texts');
  }
  const draft = validateDraft({ title: title.slice(0, maxTitle), content, tags });
  return { ...draft, created_at: parseTime(created_at), updated_at: parseTime(updated_at ?? created_at) };
}

function parseTime(given: unknown): string {
  const milliseconds = typeof given === 'string' ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    const shown =
      typeof given === 'object' && given !== null ? 'an object or a list' : JSON.stringify(given).slice(0, 40);
    throw new NotesError('invalid', `has a time that is none: ${shown}`);
  }
  return new Date(milliseconds).toISOString();
}

const delimiter = '---';

/** Formats a note as Markdown with front matter. The values are JSON, which is valid YAML. */
export function toMarkdown({ id, title, tags, created_at, updated_at, content }: Note): string {
  const facts = { id, title, tags, created_at, updated_at };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [delimiter, ...lines, delimiter, content].join('\n');
}

/** A parsed Markdown file. */
interface Parsed extends Partial<Omit<Note, 'id'>> {
  content: string;
}

/** Parses a Markdown file with or without front matter. */
export function fromMarkdown(text: string): Parsed {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (front === null) return withHeading({ content: text });
  const facts = parseFrontMatter(front[1] ?? '');
  const { title, tags, created_at, updated_at } = facts;
  return withHeading({
    ...(typeof title === 'string' && { title }),
    ...(tags !== undefined && { tags: toTags(tags) }),
    ...(typeof created_at === 'string' && { created_at }),
    ...(typeof updated_at === 'string' && { updated_at }),
    content: text.slice(front[0].length),
  });
}

function withHeading(parsed: Parsed): Parsed {
  const heading = /(?:^|\n)#[ \t]+(\S[^\r\n]*)/.exec(parsed.content)?.[1]?.trim();
  return parsed.title === undefined && heading !== undefined ? { ...parsed, title: heading } : parsed;
}

/** Parses front matter: lines `name: value`, and lists of `- value`. U+2028 and U+2029 are not line ends. */
function parseFrontMatter(text: string): Record<string, unknown> {
  const facts = new Map<string, unknown>();
  let list: unknown[] = [];
  for (const line of text.split(/\r?\n/)) {
    const item = /^\s*-\s+(.*)$/s.exec(line)?.[1];
    if (item !== undefined) {
      list.push(unquote(item));
      continue;
    }
    const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    list = [];
    facts.set(name, value === '' ? list : parseValue(value));
  }
  return Object.fromEntries(facts);
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

/** Tags as JSON are kept; those of other programs have various notations. */
function toTags(tags: unknown): string[] {
  if (Array.isArray(tags)) {
    if (tags.some((tag) => typeof tag === 'object'))
      throw new NotesError('invalid', 'has tags that are no list of texts');
    return tags.map(String);
  }
  return String(tags)
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map(unquote)
    .filter(Boolean);
}

function unquote(tag: string): string {
  return tag
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/^#/, '');
}

/** The files of an export or import: JSON Lines, or a folder with a Markdown file per note. */
export type NoteFiles = { jsonLines: string } | { folder: string };

const exportPageSize = 50;

/** Exports all notes except the trash, and returns their number. Replaces an existing file atomically. */
export async function exportNotes(notes: NoteRepository, target: NoteFiles): Promise<number> {
  if ('folder' in target) {
    await mkdir(target.folder, { recursive: true, mode: 0o700 });
    return forEachNote(notes, (note) => writeAtomically(join(target.folder, fileName(note)), [toMarkdown(note)]));
  }
  await mkdir(dirname(resolve(target.jsonLines)), { recursive: true, mode: 0o700 });
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const note of allNotes(notes)) {
      count += 1;
      yield `${JSON.stringify(note)}\n`;
    }
  }
  await writeAtomically(target.jsonLines, lines());
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
    const page = await notes.after(last, exportPageSize);
    yield* page;
    last = page.at(-1)?.id;
    if (last === undefined) return;
  }
}

/** Writes a file atomically: to a temporary file, then renames it. */
async function writeAtomically(path: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const limited = hasPermissionModel();
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (limited ? constants.O_SYNC : 0);
    const file = await open(temporary, flags, 0o600);
    try {
      for await (const text of texts) await file.write(text);
      if (!limited) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The id, which is unique, and the portable characters of the title. */
function fileName({ id, title }: Note): string {
  const words = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const readable = Array.from(words.join('-')).slice(0, 50).join('');
  return readable === '' ? `${id}.md` : `${id}-${readable}.md`;
}
