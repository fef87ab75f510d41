import { slug } from '../util/slug.ts';
import type { Client } from './client.ts';
import { UsageError } from '../command/usage-error.ts';

/**
 * Clients put the server's name before those of its tools, and models take 64 characters of both. Cursor drops tools with
 * which it becomes more than 60.
 */
const longest = 32;
/** Generated names are shorter. */
const longestOwn = 24;

/** Rejects a name that the client would reject or misread, and suggests a valid one. */
export function checkName(name: string, { title, names }: Client): void {
  if (name === '') throw new UsageError('a name must not be empty');
  const problem = problemWith(name) ?? (names === undefined || names.fits.test(name) ? undefined : names.says);
  if (problem === undefined) return;
  throw new UsageError(
    `"${name}" is no name for a server in ${title}: ${problem}; "--name ${legalName(name)}" will do`,
  );
}

function problemWith(name: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'clients take letters, digits, "-" and "_"';
  if (!/^[A-Za-z0-9]/.test(name)) return 'it must begin with a letter or a digit';
  if (name.length <= longest) return undefined;
  return `with more than ${longest} characters too little room is left for the names of its tools`;
}

/** A name that every client accepts, as close to the text as possible. */
export function legalName(text: string): string {
  const words = slug(text);
  const cut = words.length > longestOwn ? words.slice(0, longestOwn + 1).replace(/-[^-]*$/, '') : words;
  return cut.slice(0, longestOwn).replace(/-+$/, '') || 'server';
}
