import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The published packages, in build order. */
export const packages = ['core', 'gateway', 'openapi', 'servers', 'redis', 'postgres', 'inspector', 'cli'].map(
  (name) => {
    const directory = join(root, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return {
      name,
      directory,
      dist: join(directory, 'dist'),
      entries: entriesOf(manifest).map(({ source, output }) => ({
        source: join(directory, source),
        output: join(directory, output),
      })),
      external: externalOf(manifest),
      isCommand: manifest.bin !== undefined,
    };
  },
);

/** @typedef {(typeof packages)[number]} Package */

/**
 * The entries of a package: each export maps a source to a built file; a command is built from `src/main.ts`.
 *
 * @param {{ exports?: Record<string, { 'ccmcp-source': string, default: string }>, bin?: Record<string, string> }} manifest
 */
function entriesOf({ exports = {}, bin = {} }) {
  return [
    ...Object.values(exports).map((conditions) => ({ source: conditions['ccmcp-source'], output: conditions.default })),
    ...Object.values(bin).map((output) => ({ source: 'src/main.ts', output })),
  ];
}

/**
 * Dependencies that npm installs stay external; everything else is bundled.
 *
 * @param {Record<string, Record<string, string> | undefined>} manifest
 */
function externalOf({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}
