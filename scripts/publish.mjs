import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './files.mjs';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Moves staged files into the `dist` folder of a package, so that a process that starts meanwhile gets the old build or
 * the new one. Entries come last, after the chunks they load. Chunks of earlier builds stay for a day, because a
 * running server may still load them; their names contain a content hash.
 *
 * @param {string} staged
 * @param {import('./packages.mjs').Package} each
 */
export function publish(staged, { dist, entries }) {
  const isEntry = (/** @type {string} */ file) => entries.some(({ output }) => output === join(dist, file));
  const files = filesBelow(staged);
  for (const file of [...files.filter((file) => !isEntry(file)), ...files.filter(isEntry)]) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(staged, file), join(dist, file));
  }

  for (const file of filesBelow(dist).filter((file) => !files.includes(file))) {
    const age = Date.now() - statSync(join(dist, file)).mtimeMs;
    if (!file.startsWith('chunks') || age > DAY) rmSync(join(dist, file));
  }
}
