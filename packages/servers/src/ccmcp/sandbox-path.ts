import { isAbsolute, sep } from 'node:path';
import { fileError, FileError } from './file-error.ts';
import { limits } from '../limits.ts';

const maxPathLength = limits.ccmcp.path.value;
const separator = sep === '\\' ? /[/\\]/ : /\//;

/**
 * The names on the way from the root to a path, which is relative or one of the root's spellings and more.
 * Nothing is normalised or decoded: what is checked here is what the operating system gets.
 */
export function namesFromRoot(path: string, roots: readonly string[], where?: string): string[] {
  if (path.length > maxPathLength) throw fileError(`Path is longer than ${maxPathLength} characters`, path);
  if (path.includes('\0')) throw fileError('Path contains a NUL byte', path);
  if (path.split(/[/\\]/).includes('..')) throw fileError("Path contains '..'", path);
  if (!isAbsolute(path)) return namesIn(path);
  const names = namesBelow(path, roots);
  if (names === undefined) throw leadsOutside(path, where);
  return names;
}

/** Throws if the form of a path says that it can't be a file. */
export function checkFilePath(path: string): void {
  if (path === '') throw new FileError('Path is empty: give the path of a file inside the root');
  if (['', '.'].includes(path.split(separator).at(-1) ?? '')) throw fileError('Is a directory', path);
}

/** The names below the root in an absolute path; undefined if it lies elsewhere. It may contain `..`. */
export function namesBelow(absolute: string, roots: readonly string[]): string[] | undefined {
  const names = namesIn(absolute);
  const prefix = roots.map(namesIn).find((root) => root.every((name, index) => names[index] === name));
  return prefix && names.slice(prefix.length);
}

/** The names in a path. */
export function namesIn(path: string): string[] {
  return path.split(separator).filter((name) => name !== '' && name !== '.');
}

/** The error for a path that is not inside the root, whatever is there instead. */
export function leadsOutside(path: string, where = 'the root'): FileError {
  return fileError(`Path leads outside ${where}`, path);
}
