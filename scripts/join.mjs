import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { build } from 'esbuild';

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * The chunks that files of a bundle can't start without.
 *
 * @param {readonly string[]} files
 * @param {Outputs} outputs
 */
export function chunksOf(files, outputs) {
  // A set grows while it is walked: each file adds those it imports.
  const reached = new Set(files);
  for (const file of reached) {
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path] !== undefined) reached.add(path);
  }
  return [...reached].filter((path) => !files.includes(path));
}

/**
 * Joins modules into one file and one scope; what is not among them stays outside.
 *
 * @param {string} contents the module that imports them
 * @param {ReadonlyMap<string, string | undefined>} modules texts by file name, whichever directory they are imported from
 */
export async function joinModules(contents, modules) {
  const { outputFiles } = await build({
    stdin: { contents },
    plugins: [
      {
        name: 'modules-from-memory',
        setup({ onResolve, onLoad }) {
          // All are ES modules at this point, also those that will become CommonJS and are named so.
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind === 'import-statement' && modules.has(basename(path))
              ? { path: `${basename(path)}.mjs`, namespace: 'memory' }
              : { path, external: true },
          );
          onLoad({ filter: /./, namespace: 'memory' }, ({ path }) => ({
            contents: modules.get(basename(path, '.mjs')) ?? '',
          }));
        },
      },
    ],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    write: false,
  });
  return (outputFiles[0]?.text ?? '').replace(/^\/\/ (?:memory:.*|<stdin>)\n/gm, '');
}

/**
 * What files export, each with a name that no other of their exports has.
 *
 * @param {readonly string[]} files
 * @param {Outputs} outputs
 */
export function uniqueNames(files, outputs) {
  /** @type {Set<string>} */
  const taken = new Set();
  const unique = (/** @type {string} */ name) => {
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
    taken.add(free);
    return free;
  };
  const namesOf = (/** @type {string} */ file) =>
    (outputs[file]?.exports ?? []).map((name) => ({ name, unique: unique(name) }));
  return new Map(files.map((file) => [file, namesOf(file)]));
}

/** @param {string} name @param {string} text @param {string} extension */
export function namedByContent(name, text, extension) {
  return `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}${extension}`;
}
