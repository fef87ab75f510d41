import { NotesError } from './notes-error.ts';
import { limits } from '../limits.ts';

/** What callers must have been granted to see notes, where tokens say what they were. */
export const readScopes: readonly string[] = ['notes:read'];

/** The same to change them. */
export const writeScopes: readonly string[] = ['notes:write'];

/** Whose notes they are that callers make who are not known, on stdio for example. */
export const anonymousOwner = '';

const maxOwner = limits.notes.owner.value;
const plain = /^(?!json:)[\x20-\x7e]+$/;

/** The owner that stands for a principal in a store, in characters that every store takes; never nobody. */
export function ownerOf(principal: string | undefined): string {
  if (principal === undefined) return anonymousOwner;
  if (principal.length > maxOwner) {
    throw new NotesError(
      'invalid',
      `The name you are known by has more than ${maxOwner} characters: it can't own notes`,
    );
  }
  return plain.test(principal) ? principal : `json:${JSON.stringify(principal)}`;
}

/** The principal that an owner stands for. */
export function principalOf(owner: string): string | undefined {
  if (owner === anonymousOwner) return undefined;
  return owner.startsWith('json:') ? (JSON.parse(owner.slice(5)) as string) : owner;
}
