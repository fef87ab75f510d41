import { createHash } from 'node:crypto';

/** The notes of a new store. */
export const seedNotes: readonly Draft[] = [
  {
    title: 'Welcome',
    content:
      'Welcome to your notes. Ask for a new note, look for words in all of them, or change and delete this one: ' +
      'deleted notes go to the trash, and can be restored.',
    tags: ['welcome'],
  },
  {
    title: 'Searching',
    content:
      'A search finds notes that have all the words, in the title, the content or the tags. Words may be cut short or end ' +
      'otherwise: "meet" finds meetings. Case and accents make no difference. Put a phrase in quotes to find exactly ' +
      'that; -word leaves notes out, OR joins alternatives.',
    tags: ['welcome', 'help'],
  },
];

/** True for an unchanged seed note, also of an earlier version. */
export function isSeedNote({ title, tags, created_at, updated_at }: Omit<Note, 'id'>): boolean {
  if (created_at !== updated_at) return false;
  return seedNotes.some((first) => first.title === title && first.tags.join('\n') === tags.join('\n'));
}

/** A note. Times are ISO 8601 in UTC, with milliseconds. */
export interface Note {
  /** `note_<n>`; numbers are never reused. */
  id: string;
  title: string;
  content: string;
  tags: string[];
  created_at: string;
  updated_at: string;
}

/** A note in a list, with a preview of its content. */
export interface NoteSummary extends Omit<Note, 'content'> {
  preview: string;
}

/** The contents of a new note. */
export type Draft = Pick<Note, 'title' | 'content' | 'tags'>;

export const maxTitle = 500;
export const maxContentBytes = 1_000_000;
export const maxTags = 50;
export const maxTag = 100;

/** The length of a preview in characters. */
export const previewLength = 50;

/** The id of the note with this number. */
export function noteId(number: number): string {
  return `note_${number}`;
}

/** The number in an id; 0 if it is not an id. */
export function noteNumber(id: string): number {
  return Number(/^note_([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
}

/** The preview of a content, in whole characters. */
export function previewOf(content: string): string {
  return Array.from(content.slice(0, previewLength * 2))
    .slice(0, previewLength)
    .join('');
}

/** Validates a draft and normalizes its tags, equally for all databases. */
export function validateDraft<Given extends Partial<Draft>>(given: Given): Given {
  const { title, content, tags } = given;
  if (title !== undefined) {
    if (title.trim() === '') throw new NotesError('invalid', 'The title is empty');
    if (title.length > maxTitle) throw new NotesError('invalid', `The title has more than ${maxTitle} characters`);
    rejectUnstorable('title', title);
  }
  if (content !== undefined) {
    const bytes = Buffer.byteLength(content);
    if (bytes > maxContentBytes) {
      throw new NotesError('invalid', `The content has ${bytes} bytes; a note can hold ${maxContentBytes}`);
    }
    rejectUnstorable('content', content);
  }
  return tags === undefined ? given : { ...given, tags: normalizeTags(tags) };
}

/** The maximum length of an idempotency key. */
export const maxKey = 200;

/** Validates an idempotency key. */
export function validateKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key === '') throw new NotesError('invalid', 'The idempotency_key is empty: leave it out, or choose one');
  if (key.length > maxKey) throw new NotesError('invalid', `The idempotency_key has more than ${maxKey} characters`);
  rejectUnstorable('idempotency_key', key);
  return key;
}

/** A hash of a draft, to compare repeated requests. */
export function hashDraft({ title, content, tags }: Draft): string {
  const text = JSON.stringify([title, content, tags]);
  return createHash('sha256').update(text).digest('base64').slice(0, 22);
}

function normalizeTags(tags: readonly string[]): string[] {
  const normalized = new Map<string, string>();
  for (const given of tags) {
    const tag = given.trim();
    if (tag.length > maxTag) throw new NotesError('invalid', `A tag has more than ${maxTag} characters`);
    rejectUnstorable('tag', tag);
    if (tag !== '' && !normalized.has(tagKey(tag))) normalized.set(tagKey(tag), tag);
  }
  if (normalized.size > maxTags) throw new NotesError('invalid', `There are more than ${maxTags} tags`);
  return [...normalized.values()];
}

/** The normalized form of a tag. */
export function tagKey(tag: string): string {
  return tag.trim().normalize('NFKC').toLowerCase();
}

/** False for a text that a note can't contain. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

function rejectUnstorable(what: string, text: string): void {
  if (text.includes('\0'))
    throw new NotesError('invalid', `The ${what} contains a NUL character, which can't be stored`);
  if (/\p{Surrogate}/u.test(text)) {
    throw new NotesError('invalid', `The ${what} contains half of a surrogate pair, which is no character`);
  }
}

/** The kind of an error; `unavailable` may succeed on a retry. */
export type Problem = 'missing' | 'conflict' | 'invalid' | 'unavailable';

/** An error with the notes. The message is for the caller and names a remedy. */
export class NotesError extends Error {
  override name = 'NotesError';

  constructor(
    readonly problem: Problem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error for a missing note. */
export function missingError(id: string): NotesError {
  return new NotesError('missing', `There is no note "${id.slice(0, 40)}"`);
}

/** The error for a note in the trash. */
export function trashedError(id: string): NotesError {
  return new NotesError('missing', `${id} is in the trash; restore_note brings it back`);
}

/** The error for an idempotency key of another note. */
export function keyTakenError(id: string): NotesError {
  return new NotesError(
    'conflict',
    `The idempotency_key was used before, for ${id} with another title, content or tags: choose another key for a new note`,
  );
}

/** The error for a concurrent change. */
export function conflictError(id: string, updatedAt: string): NotesError {
  return new NotesError(
    'conflict',
    `${id} was changed by someone else: its updated_at is ${updatedAt}. Read it again and decide what to change`,
  );
}
