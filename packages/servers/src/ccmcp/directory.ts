import { type BigIntStats, constants, type Dirent, fstatSync, lstatSync, openSync } from 'node:fs';

/** A directory that was reached without following a link, so that what is done in it is done there and nowhere else. */
export interface Directory {
  /** Undefined for the root: nothing leads above it. */
  readonly parent: Directory | undefined;
  /** The path of an entry for calls that don't follow links; `.` is the directory itself. */
  path(name: string): string;
  /** A directory in this one; throws if there is a link or anything else. */
  enter(name: string): Directory;
  /** The entries of this directory. */
  list(): Dirent[];
  /** Throws if this directory has moved, or if the entry is not what was opened. */
  confirm(opened?: { name: string; descriptor: number }): void;
  close(): void;
}

/** The directory that everything must stay in. */
export interface Root {
  readonly path: string;
  readonly descriptor: number;
  readonly identity: BigIntStats;
}

/** Opens the root for as long as it is needed; while it is open, no other directory can get its identity. */
export function openRoot(path: string): Root {
  const descriptor = openDirectory(path);
  return { path, descriptor, identity: fstatSync(descriptor, { bigint: true }) };
}

/** Whether the root is still at its path, not removed and nothing else put in its place. */
export function isInPlace({ path, identity }: Root): boolean {
  return isSame(lstatSync(path, { bigint: true, throwIfNoEntry: false }), identity);
}

/** Opens a directory, and nothing but a directory; throws for a link. */
export function openDirectory(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Whether these are one and the same thing in the file system. */
export function isSame(found: BigIntStats | undefined, known: BigIntStats): boolean {
  return found?.dev === known.dev && found.ino === known.ino;
}
