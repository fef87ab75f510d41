import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { filesBelow } from './files.mjs';
import { packages, root } from './packages.mjs';

const record = join(root, 'node_modules/.cache/ccmcp/built-from');

/** A hash of everything the build depends on: sources, manifests, versions of tools, and the build scripts. */
export function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The fingerprint of the current build, if there is one. */
export function builtFrom() {
  return existsSync(record) ? readFileSync(record, 'utf8') : undefined;
}

/**
 * Stores the fingerprint of the current build.
 *
 * @param {string} value
 */
export function recordBuild(value) {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, value);
}

function inputs() {
  const named = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map((file) => join(root, file));
  const below = [join(root, 'scripts'), ...packages.map(({ directory }) => join(directory, 'src'))];
  return [
    ...named,
    ...packages.map(({ directory }) => join(directory, 'package.json')),
    ...below.flatMap((directory) => filesBelow(directory).map((file) => join(directory, file))),
  ].filter((file) => !file.endsWith('.test.ts'));
}
