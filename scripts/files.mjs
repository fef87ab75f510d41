import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The files below a directory, as sorted relative paths; none if it does not exist.
 *
 * @param {string} directory
 */
export function filesBelow(directory) {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => statSync(join(directory, path)).isFile()).sort();
}

/**
 * Writes a file, and the directories above it where they are missing.
 *
 * @param {string} path
 * @param {string} content
 */
export function writeFile(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
