import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { build } from 'esbuild';

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * The chunks that files of a bundle import statically.
 *
 * @param {readonly string[]} files
 * @param {Outputs} outputs
 */
export function chunksOf(files, outputs) {
  // The set grows during iteration: each file adds its imports.
  const reached = new Set(files);
  for (const file of reached) {
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path] !== undefined) reached.add(path);
  }
  return [...reached].filter((path) => !files.includes(path));
}

/**
 * Joins modules into one file and one scope; imports of other modules stay.
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
          // All are ES modules at this point, also those that become CommonJS later and already have its extension.
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
  return withUsedImports((outputFiles[0]?.text ?? '').replace(/^\/\/ (?:memory:.*|<stdin>)\n/gm, ''));
}

const importStatement = /^import \{([^}]*)\} from (".*?");\n/gm;

/**
 * Imports the names that occur in a module, in one statement for each file: linking takes time for each name.
 *
 * @param {string} text
 */
function withUsedImports(text) {
  const body = text.replace(importStatement, '');
  const words = new Set(body.match(/[\w$]+/g));
  /** @type {Map<string, string[]>} */
  const used = new Map();
  for (const [, list = '', from = ''] of text.matchAll(importStatement)) {
    const names = list.split(',').map((name) => name.trim());
    const found = names.filter((name) => words.has(name.split(' as ').at(-1) ?? ''));
    used.set(from, [...(used.get(from) ?? []), ...found]);
  }
  const statements = Array.from(used, ([from, names]) =>
    names.length > 0 ? `import { ${names.join(', ')} } from ${from};\n` : `import ${from};\n`,
  );
  return statements.join('') + body;
}

/**
 * The exports of files, each renamed to be unique among them.
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
