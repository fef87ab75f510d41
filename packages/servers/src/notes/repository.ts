import type { Draft, Note, NoteSummary } from './note.ts';
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
