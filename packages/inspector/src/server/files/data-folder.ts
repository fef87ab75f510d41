import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { RequestError } from '../targets.ts';

/** Folder of saved requests and recordings within the project. */
const folderName = '.ccmcp';

/** The inspector's files below one folder. Links can't lead reads or writes outside of it. */
export class DataFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Path for display. */
  displayPath(...parts: readonly string[]): string {
    return join(folderName, ...parts);
  }

  /** Path of an existing plain file; undefined if absent. */
  find(...parts: readonly string[]): string | undefined {
    const path = join(this.#root, folderName, ...parts);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    this.#assertInside(join(path, '..'));
    if (!found.isFile()) throw new RequestError(`${this.displayPath(...parts)} is no plain file`);
    return path;
  }

  /** Path of a file to write; creates missing folders. */
  prepare(...parts: readonly string[]): string {
    let folder = this.#root;
    for (const step of [folderName, ...parts.slice(0, -1)]) {
      folder = join(folder, step);
      // Step by step: a folder created below a link may be elsewhere.
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
      this.#assertInside(folder);
    }
    const path = join(folder, ...parts.slice(-1));
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw new RequestError(`${this.displayPath(...parts)} is no plain file`);
    return path;
  }

  #assertInside(folder: string): void {
    const inner = relative(realpathSync(this.#root), realpathSync(folder));
    if (inner.startsWith('..') || isAbsolute(inner)) {
      throw new RequestError(
        `${folderName} leads outside of the inspector's folder`,
        'Remove the link, or start in another folder.',
      );
    }
  }
}
