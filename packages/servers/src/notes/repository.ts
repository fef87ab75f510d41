import { type Draft, missingError, type Note, type NoteSummary, noteNumber, previewOf, trashedError } from './note.ts';
import type { Search } from './search.ts';

/** A repository of notes. A resolved write is durable and survives a power cut. */
export interface NoteRepository {
  /** Creates a note; returns the existing one for a repeated key. */
  create(draft: Draft, options?: CreateOptions): Promise<Note>;
  /** Returns a note; throws if it is missing or in the trash. */
  get(id: string): Promise<Note>;
  /** Changes the given members and `updated_at`. */
  update(id: string, changes: Partial<Draft>, options?: UpdateOptions): Promise<Note>;
  /** Moves a note to the trash. */
  remove(id: string): Promise<Note>;
  /** Restores a note from the trash. */
  restore(id: string): Promise<Note>;
  /** Lists a page of notes, optionally with a tag. */
  list(options: ListOptions): Promise<NoteSummary[]>;
  /**
   * Searches notes: exact matches before inflected ones, then by rank, then the newest. Notes that only contain the
   * substring follow, the newest first, from a limited scan. The content may be truncated.
   */
  search(search: Search, page: Page): Promise<Note[]>;
  /** Complete notes in the order of their ids, after one of them. */
  after(id: string | undefined, limit: number): Promise<Note[]>;
  /** The ids with this prefix, in order, and their total number. */
  idsLike(prefix: string, limit: number): Promise<{ ids: string[]; total: number }>;
  /** True if there is such a note, also in the trash. */
  owns(id: string): Promise<boolean>;
  /** Imports notes with their times under new ids, except existing ones; returns their number. */
  add(notes: readonly Omit<Note, 'id'>[]): Promise<number>;
  /** The repository of another owner. All other operations are limited to one owner. */
  ownedBy(owner: string): NoteRepository;
  /** Polls for changes of other processes, if the database does not notify us. */
  refresh(): void;
  close(): Promise<void>;
}

/** A page of search results. */
export interface Page {
  limit: number;
  offset: number;
}

export interface CreateOptions {
  /** An idempotency key, unique per owner. */
  key?: string | undefined;
}

export interface UpdateOptions {
  /** The expected `updated_at`. */
  expected?: string | undefined;
}

export interface ListOptions {
  tag?: string | undefined;
  /** By when they were created. */
  order: 'newest first' | 'oldest first';
  /** The last note of the page before. */
  from?: string | undefined;
  limit: number;
}

/** A changed note. */
export interface NoteChange {
  id: string;
  owner: string;
  /** True if lists change too: it is new, deleted or restored, or its title or preview changed. */
  listed: boolean;
}

/** Called on changes, by this and other processes. */
export type ChangeListener = (changes: readonly NoteChange[]) => void;

/** The operations that read, and those that change notes. */
export type Reader = 'get' | 'list' | 'search' | 'after' | 'idsLike' | 'owns';
export type Writer = 'create' | 'update' | 'remove' | 'restore' | 'add';

/** How much of a content is loaded for snippets, in characters. */
export const searchedLength = 100_000;
/** The maximum number of matches that are ranked, the newest. */
export const maxRanked = 10_000;
/** The maximum number of changes that are reported at once. */
export const maxChanges = 10_000;

/** The SQL parts of a page: comparison, direction, and the number before its first note. */
export function pageRange({ order, from }: Pick<ListOptions, 'order' | 'from'>): [string, string, number] {
  const [beyond, direction, start]: [string, string, number] =
    order === 'newest first' ? ['<', 'desc', Number.MAX_SAFE_INTEGER] : ['>', 'asc', 0];
  return [beyond, direction, from === undefined ? start : noteNumber(from)];
}

/** Returns the row of a note; throws if it is missing or in the trash. */
export function requireLive<Row extends { deleted_at?: unknown }>(id: string, row: Row | undefined): Row {
  if (row === undefined) throw missingError(id);
  if (row.deleted_at !== null) throw trashedError(id);
  return row;
}

/** True if a change is visible in lists. */
export function changesList(old: Note, note: Note): boolean {
  return note.title !== old.title || previewOf(note.content) !== previewOf(old.content);
}
