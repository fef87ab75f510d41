import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './files.mjs';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Moves staged files into a package's `dist`, so that whoever starts meanwhile gets the old build or the new one.
 *
 * Entries come last: what they load is there before them. Chunks of earlier builds stay for a day, because a server
 * that is running may load them yet; their names carry a hash of their content.
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
