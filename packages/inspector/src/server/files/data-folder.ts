import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { Refusal } from '../targets.ts';

/** The folder below the project in which collections and recordings are kept. */
const ownName = '.ccmcp';

/** Files of the inspector below one folder. Nothing outside of it is read or written, whatever links lie there. */
export class OwnFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** How a file is shown to people. */
  shown(...parts: readonly string[]): string {
    return join(ownName, ...parts);
  }

  /** The path of a file that is there, and is one; undefined where it is not there. */
  find(...parts: readonly string[]): string | undefined {
    const path = join(this.#root, ownName, ...parts);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    this.#assertInside(join(path, '..'));
    if (!found.isFile()) throw new Refusal(`${this.shown(...parts)} is no plain file`);
    return path;
  }

  /** The path for a file that is to be written, in a folder that is made where it is missing. */
  place(...parts: readonly string[]): string {
    let folder = this.#root;
    for (const step of [ownName, ...parts.slice(0, -1)]) {
      folder = join(folder, step);
      // One after the other: what is made below a link may be elsewhere.
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
      this.#assertInside(folder);
    }
    const path = join(folder, ...parts.slice(-1));
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw new Refusal(`${this.shown(...parts)} is no plain file`);
    return path;
  }

  #assertInside(folder: string): void {
    const inner = relative(realpathSync(this.#root), realpathSync(folder));
    if (inner.startsWith('..') || isAbsolute(inner)) {
      throw new Refusal(
        `${ownName} leads out of the folder of the inspector`,
        'Remove the link, or start in another folder.',
      );
    }
  }
}
