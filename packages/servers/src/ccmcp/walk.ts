import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import type { Directory } from './directory.ts';
import { fileError, FileError } from './file-error.ts';

const maxLinks = 40;

/** The target of a path: an entry of a directory inside the root; a link only with `toLinks`. */
export interface ResolvedPath {
  readonly directory: Directory;
  /** `.` if the path leads to the directory itself. */
  readonly name: string;
  /** Undefined if there is no such entry yet. */
  readonly stats: Stats | undefined;
}

/** Options of `walk`. */
export interface WalkOptions {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  /** How the root is spelled in absolute paths. */
  readonly roots: readonly string[];
  /** The name of the sandbox in messages. Default: the root. */
  readonly where?: (() => string) | undefined;
  /** Collects the opened directories; the caller closes them. */
  readonly opened: Directory[];
  /** Does not follow a link at the end of the path: the link itself is moved or removed. */
  readonly toLinks?: true;
  /** Creates missing directories. */
  readonly make?: (directory: Directory, name: string) => void;
}

/**
 * Resolves names from a directory one by one, and follows links itself: each target is resolved in the same way, so that
 * `..` in a target can't leave the root.
 */
export function walk(from: Directory, names: readonly string[], options: WalkOptions): ResolvedPath {
  const { path, roots, where, opened, toLinks, make } = options;
  let here = from;
  let links = 0;
  const pending = names.map((name, index) => ({ name, given: index + 1 })).toReversed();
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { name, given } = step;
    if (name === '..') {
      if (here.parent === undefined) throw leadsOutside(path, where);
      here = here.parent;
      continue;
    }
    let stats = lstatSync(here.path(name), { throwIfNoEntry: false });
    if (stats === undefined && make !== undefined) {
      make(here, name);
      stats = lstatSync(here.path(name));
    }
    if (stats?.isSymbolicLink() && !(toLinks && pending.length === 0)) {
      links += 1;
      if (links > maxLinks) throw fileError('Too many symbolic links in the path', path);
      const target = readlinkSync(here.path(name));
      const inside = isAbsolute(target) ? namesBelow(target, roots) : namesIn(target);
      if (inside === undefined) throw leadsOutside(path, where);
      if (isAbsolute(target)) here = rootOf(here);
      pending.push(...inside.toReversed().map((next) => ({ name: next, given })));
      continue;
    }
    if (pending.length === 0) return { directory: here, name, stats };
    if (!stats?.isDirectory()) {
      throw fileError(stats === undefined ? 'Directory not found' : 'Not a directory', names.slice(0, given).join('/'));
    }
    here = here.enter(name);
    opened.push(here);
  }
  return { directory: here, name: '.', stats: lstatSync(here.path('.')) };
}

/** The root above a directory. */
export function rootOf(directory: Directory): Directory {
  let top = directory;
  while (top.parent !== undefined) top = top.parent;
  return top;
}

const maxPathLength = 4096;
const separator = sep === '\\' ? /[/\\]/ : /\//;

/**
 * Splits a path into names below the root. The path is relative, or begins with one of the root's spellings. It is not
 * normalized or decoded: the operating system gets exactly what is checked here.
 */
export function namesFromRoot(path: string, roots: readonly string[], where?: () => string): string[] {
  if (path.length > maxPathLength) throw fileError(`Path is longer than ${maxPathLength} characters`, path);
  if (path.includes('\0')) throw fileError('Path contains a NUL byte', path);
  if (path.split(/[/\\]/).includes('..')) throw fileError("Path contains '..'", path);
  if (!isAbsolute(path)) return namesIn(path);
  const names = namesBelow(path, roots);
  if (names === undefined) throw leadsOutside(path, where);
  return names;
}

/** Throws if a path can't be that of a file. */
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
function namesIn(path: string): string[] {
  return path.split(separator).filter((name) => name !== '' && name !== '.');
}

/** The error for a path outside the root, whether it exists or not. */
function leadsOutside(path: string, where = () => 'the root'): FileError {
  return fileError(`Path leads outside ${where()}`, path);
}
