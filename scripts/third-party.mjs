import { build } from 'esbuild';
import { alias } from './alias.mjs';
import { namedByContent } from './join.mjs';

/**
 * The imports of our libraries from bundled packages. Each package becomes a separate minified file, because nobody
 * reads it and it would be twice as large. Our own code stays readable, for stack traces.
 *
 * @type {Record<string, Record<string, readonly string[]>>}
 */
const parts = {
  jose: {
    jose: [
      'calculateJwkThumbprint',
      'compactVerify',
      'decodeJwt',
      'decodeProtectedHeader',
      'EmbeddedJWK',
      'importPKCS8',
      'jwtVerify',
      'SignJWT',
    ],
  },
  'js-yaml': { 'js-yaml': ['CORE_SCHEMA', 'load', 'mergeTag'] },
  typebox: {
    'typebox/format': ['IsIri', 'IsIriReference', 'Set'],
    'typebox/schema': ['Build', 'Check', 'ErrorContext', 'ErrorSchema', 'Stack'],
    'typebox/system': ['Settings'],
  },
  yaml: { yaml: ['Lexer', 'parseDocument', 'Parser'] },
};

/** @typedef {{ name: string, file: string, text: string, metafile: import('esbuild').Metafile }} Part */

const mark = 'third-party:';
const partOf = new Map(Object.entries(parts).flatMap(([name, from]) => Object.keys(from).map((path) => [path, name])));

/**
 * Excludes these packages from a bundle, and records which of them it imports.
 *
 * @param {Set<string>} used
 * @returns {import('esbuild').Plugin}
 */
export function leaveOut(used) {
  return {
    name: 'leave-out-third-party',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) => {
        const name = partOf.get(path);
        if (name === undefined) return undefined;
        used.add(name);
        return { path: mark + name, external: true, sideEffects: false };
      });
    },
  };
}

/**
 * Creates the file of a package.
 *
 * @param {string} name
 * @param {string} directory of the package that it is bundled into
 * @returns {Promise<Part>}
 */
export async function minified(name, directory) {
  const lines = Object.entries(parts[name] ?? {}).map(
    ([path, names]) => `export { ${names.join(', ')} } from '${path}';`,
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: directory,
    stdin: { contents: lines.join('\n'), resolveDir: directory },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  return { name, file: namedByContent(name, text, '.js'), text, metafile };
}

/**
 * Redirects the imports of a bundled file to these files.
 *
 * @param {string} text
 * @param {readonly Part[]} made
 * @param {string} chunks the way from the file to the directory that they are in
 */
export function importThem(text, made, chunks) {
  return made.reduce((done, { name, file }) => done.replaceAll(`"${mark}${name}"`, `"${chunks}${file}"`), text);
}
