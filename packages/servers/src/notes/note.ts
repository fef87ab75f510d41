import { createHash } from 'node:crypto';
import { NotesError } from './notes-error.ts';
import { limits } from '../limits.ts';

/** A note, as clients see it. Times are ISO 8601 in UTC, to the millisecond. */
export interface Note {
  /** `note_<n>`; a number is never given to a second note. */
  id: string;
  title: string;
  content: string;
  tags: string[];
  created_at: string;
  updated_at: string;
}

/** A note as lists show it: with the beginning of its content. */
export interface NoteSummary extends Omit<Note, 'content'> {
  preview: string;
}

/** What a new note is made of. */
export type Draft = Pick<Note, 'title' | 'content' | 'tags'>;

export const maxTitle: number = limits.notes.title.value;
export const maxContentBytes: number = limits.notes.content.value;
export const maxTags: number = limits.notes.tags.value;
export const maxTag: number = limits.notes.tag.value;

/** How many characters of its content stand for a note in a list. */
export const previewLength = 50;

/** The id of the note with this number. */
export function noteId(number: number): string {
  return `note_${number}`;
}

/** The number in an id; 0, which no note has, where it is no id. */
export function noteNumber(id: string): number {
  return Number(/^note_([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
}

/** The beginning of a content, in whole characters. */
export function previewOf(content: string): string {
  return Array.from(content.slice(0, previewLength * 2))
    .slice(0, previewLength)
    .join('');
}

/** Checks what a note is to be made of, and tidies its tags. The same things are refused whatever the notes are kept in. */
export function checked<Given extends Partial<Draft>>(given: Given): Given {
  const { title, content, tags } = given;
  if (title !== undefined) {
    if (title.trim() === '') throw new NotesError('invalid', 'The title is empty');
    if (title.length > maxTitle) throw new NotesError('invalid', `The title has more than ${maxTitle} characters`);
    refuseUnstorable('title', title);
  }
  if (content !== undefined) {
    const bytes = Buffer.byteLength(content);
    if (bytes > maxContentBytes) {
      throw new NotesError('invalid', `The content has ${bytes} bytes; a note can hold ${maxContentBytes}`);
    }
    refuseUnstorable('content', content);
  }
  return tags === undefined ? given : { ...given, tags: tidyTags(tags) };
}

/** The longest key by which a repeated request is known. */
export const maxKey: number = limits.notes.key.value;

/** Checks such a key. */
export function checkedKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key === '') throw new NotesError('invalid', 'The idempotency_key is empty: leave it out, or choose one');
  if (key.length > maxKey) throw new NotesError('invalid', `The idempotency_key has more than ${maxKey} characters`);
  refuseUnstorable('idempotency_key', key);
  return key;
}

/** What drafts that are the same have in common. */
export function draftSum({ title, content, tags }: Draft): string {
  const text = JSON.stringify([title, content, tags]);
  return createHash('sha256').update(text).digest('base64').slice(0, 22);
}

function tidyTags(tags: readonly string[]): string[] {
  const tidy = new Map<string, string>();
  for (const given of tags) {
    const tag = given.trim();
    if (tag.length > maxTag) throw new NotesError('invalid', `A tag has more than ${maxTag} characters`);
    refuseUnstorable('tag', tag);
    if (tag !== '' && !tidy.has(tagKey(tag))) tidy.set(tagKey(tag), tag);
  }
  if (tidy.size > maxTags) throw new NotesError('invalid', `There are more than ${maxTags} tags`);
  return [...tidy.values()];
}

/** What two spellings of one tag have in common. */
export function tagKey(tag: string): string {
  return tag.trim().normalize('NFKC').toLowerCase();
}

/** False for a text that no note can have. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

function refuseUnstorable(what: string, text: string): void {
  if (text.includes('\0'))
    throw new NotesError('invalid', `The ${what} contains a NUL character, which can't be stored`);
  if (/\p{Surrogate}/u.test(text)) {
    throw new NotesError('invalid', `The ${what} contains half of a surrogate pair, which is no character`);
  }
}
