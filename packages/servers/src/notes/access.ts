import { NotesError } from './note.ts';

/** The scopes to read notes. */
export const readScopes: readonly string[] = ['notes:read'];

/** The scopes to change notes. */
export const writeScopes: readonly string[] = ['notes:write'];

/** The owner of notes of anonymous callers, for example on stdio. */
export const anonymousOwner = '';

const maxOwner = 500;
const plain = /^(?!json:)[\x20-\x7e]+$/;

/** The owner of a principal, in characters that every database accepts. */
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

/** The principal of an owner. */
export function principalOf(owner: string): string | undefined {
  if (owner === anonymousOwner) return undefined;
  return owner.startsWith('json:') ? (JSON.parse(owner.slice(5)) as string) : owner;
}
