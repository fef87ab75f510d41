import type { Draft, Note, NoteSummary } from './note.ts';
import type { Search } from './query.ts';

/** Where notes are kept. Whatever a promise was kept for is stored for good, and survives the machine's sudden end. */
export interface NoteRepository {
  /** Makes a note; with a key that it was made with before, gives that note. */
  create(draft: Draft, options?: CreateOptions): Promise<Note>;
  /** The note; an error where there is none, or it is in the trash. */
  get(id: string): Promise<Note>;
  /** Changes only what is given, and `updated_at` always. */
  update(id: string, changes: Partial<Draft>, options?: UpdateOptions): Promise<Note>;
  /** Puts a note into the trash. */
  remove(id: string): Promise<Note>;
  /** Takes a note out of the trash, as it was. */
  restore(id: string): Promise<Note>;
  /** A page of all notes, or of those with a tag. */
  list(options: ListOptions): Promise<NoteSummary[]>;
  /**
   * The best matches first, those with the words as they are written before others; of equal ones the newest. Notes that only
   * contain the substring follow, the newest first, of as many notes as may be scanned. The content may be cut.
   */
  search(search: Search, page: Page): Promise<Note[]>;
  /** Whole notes in the order of their ids, beginning after one of them. */
  after(id: string | undefined, limit: number): Promise<Note[]>;
  /** The ids that begin like this, in order, and how many there are in all. */
  idsLike(prefix: string, limit: number): Promise<{ ids: string[]; total: number }>;
  /** True where there is such a note, also in the trash. */
  owns(id: string): Promise<boolean>;
  /** Adds notes of elsewhere with their times, under new ids, but not those that are here already; tells how many. */
  add(notes: readonly Omit<Note, 'id'>[]): Promise<number>;
  /** The notes of another owner in the same store. Everything else here sees and changes one owner's notes only. */
  ownedBy(owner: string): NoteRepository;
  /** Looks for changes that others made meanwhile, where nobody tells us of them. */
  refresh(): void;
  close(): Promise<void>;
}

/** A part of what a search finds. */
export interface Page {
  limit: number;
  offset: number;
}

export interface CreateOptions {
  /** What the caller calls this note: two notes of one owner never have the same. */
  key?: string | undefined;
}

export interface UpdateOptions {
  /** The `updated_at` that the note must still have. */
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

/** A note that reads differently now. */
export interface NoteChange {
  id: string;
  owner: string;
  /** Lists show it differently too: it is new, gone or back, or its title or beginning changed. */
  listed: boolean;
}

/** Hears of changes, by us and by others. */
export type ChangeListener = (changes: readonly NoteChange[]) => void;
