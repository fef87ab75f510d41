import { type BigIntStats, type Dirent, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, isSame } from './directory.ts';

const rounds = 16;

/**
 * A directory known by its path and identity, for systems without descriptor paths. What was opened or listed counts
 * only if it is found again, time after time, with the way from the root unchanged before and after. That is no proof:
 * someone who swaps a directory for a link and back is caught unless the link is there at just the right moments in
 * every round, and a race that was lost can leave an empty file or folder outside, or move or delete the wrong entry.
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
    if (!found.isDirectory()) throw moved();
    return new CheckedDirectory(this.path(name), found, this);
  }

  list(): Dirent[] {
    const entries = readdirSync(this.location, { withFileTypes: true });
    const names = entries.map(({ name }) => name).join('/');
    this.insist(() => readdirSync(this.location).join('/') === names);
    return entries;
  }

  confirm(opened?: { name: string; descriptor: number }): void {
    if (opened === undefined) return this.checkWay();
    const known = fstatSync(opened.descriptor, { bigint: true });
    const path = this.path(opened.name);
    this.insist(() => isSame(lstatSync(path, { bigint: true, throwIfNoEntry: false }), known));
  }

  close(): void {}

  private insist(holds: () => boolean): void {
    for (let round = 0; round < rounds; round++) {
      this.checkWay();
      if (!holds()) throw moved();
      this.checkWay();
      // An uneven pace, so that nobody can keep in step.
      for (let pause = Math.floor(Math.random() * 4); pause > 0; pause--) this.checkWay();
    }
  }

  private checkWay(): void {
    this.parent?.checkWay();
    if (!isSame(lstatSync(this.location, { bigint: true, throwIfNoEntry: false }), this.identity)) throw moved();
  }
}

function moved(): Error {
  return Object.assign(new Error('the directory is not where it was'), { code: 'ESTALE', syscall: 'lstat' });
}
