import {
  type BigIntStats,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  closeSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAccessDenied } from './file-error.ts';

/** Whether the system supports descriptor paths, as Linux does. */
export function hasDescriptorPaths({ descriptor, identity }: Root): boolean {
  const path = `/proc/self/fd/${descriptor}/.`;
  try {
    return isSameFile(statSync(path, { bigint: true, throwIfNoEntry: false }), identity);
  } catch (error) {
    if (isAccessDenied(error)) return false;
    throw error;
  }
}

/** How often a check is repeated. */
const rounds = 16;

/** A directory that was reached without following links. */
export interface Directory {
  /** Undefined for the root. */
  readonly parent: Directory | undefined;
  /** The path of an entry for calls that don't follow links; `.` is the directory itself. */
  path(name: string): string;
  /** Opens a subdirectory; throws for a link or a file. */
  enter(name: string): Directory;
  /** The entries of this directory. */
  list(): Dirent[];
  /** Throws if this directory has moved, or if the entry is not what was opened. */
  confirm(opened?: { name: string; descriptor: number }): void;
  close(): void;
}

/** The root of the sandbox. */
export interface Root {
  readonly path: string;
  readonly descriptor: number;
  readonly identity: BigIntStats;
}

/** Opens the root. While it is open, no other directory can get its inode. */
export function openRoot(path: string): Root {
  const descriptor = openDirectory(path);
  return { path, descriptor, identity: fstatSync(descriptor, { bigint: true }) };
}

/** Whether the root is still at its path. */
export function isStillAt({ path, identity }: Root): boolean {
  return isSameFile(lstatSync(path, { bigint: true, throwIfNoEntry: false }), identity);
}

/** Opens a directory; throws for a link or a file. */
function openDirectory(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Whether both are the same file. */
export function isSameFile(found: BigIntStats | undefined, known: BigIntStats): boolean {
  return found?.dev === known.dev && found.ino === known.ino;
}

/**
 * A directory held by its descriptor. Each step down starts at the descriptor and rejects links, so replacing a parent
 * has no effect.
 */
export class HeldDirectory implements Directory {
  constructor(
    private readonly descriptor: number,
    readonly parent: Directory | undefined,
  ) {}

  path(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`;
  }

  enter(name: string): Directory {
    return new HeldDirectory(openDirectory(this.path(name)), this);
  }

  list(): Dirent[] {
    return readdirSync(this.path('.'), { withFileTypes: true });
  }

  confirm(): void {}

  close(): void {
    closeSync(this.descriptor);
  }
}

/**
 * A directory known by its path and identity, for systems without descriptor paths. What was opened or listed counts
 * only if it is found again in every round, with the path from the root unchanged before and after. That is no proof: an
 * attacker who swaps a directory for a link and back goes unnoticed if the link is there at the right moments of every
 * round. A lost race can leave an empty file or folder outside, or move or delete the wrong entry.
 */
export class CheckedDirectory implements Directory {
  constructor(
    private readonly location: string,
    private readonly identity: BigIntStats,
    readonly parent: CheckedDirectory | undefined,
  ) {}

  path(name: string): string {
    return join(this.location, name);
  }

  enter(name: string): Directory {
    const found = lstatSync(this.path(name), { bigint: true });
    if (!found.isDirectory()) throw movedError();
    return new CheckedDirectory(this.path(name), found, this);
  }

  list(): Dirent[] {
    const entries = readdirSync(this.location, { withFileTypes: true });
    const names = entries.map(({ name }) => name).join('/');
    this.confirmRepeatedly(() => readdirSync(this.location).join('/') === names);
    return entries;
  }

  confirm(opened?: { name: string; descriptor: number }): void {
    if (opened === undefined) return this.checkPath();
    const known = fstatSync(opened.descriptor, { bigint: true });
    const path = this.path(opened.name);
    this.confirmRepeatedly(() => isSameFile(lstatSync(path, { bigint: true, throwIfNoEntry: false }), known));
  }

  close(): void {}

  private confirmRepeatedly(holds: () => boolean): void {
    for (let round = 0; round < rounds; round++) {
      this.checkPath();
      if (!holds()) throw movedError();
      this.checkPath();
      // Jitter against attackers who synchronize with the checks.
      for (let pause = Math.floor(Math.random() * 4); pause > 0; pause--) this.checkPath();
    }
  }

  private checkPath(): void {
    this.parent?.checkPath();
    if (!isSameFile(lstatSync(this.location, { bigint: true, throwIfNoEntry: false }), this.identity))
      throw movedError();
  }
}

function movedError(): Error {
  return Object.assign(new Error('the directory is not where it was'), { code: 'ESTALE', syscall: 'lstat' });
}
