import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './packages.mjs';

/** @typedef {{ value: number, of?: string, option?: string }} Limit */
/** @typedef {Record<string, Record<string, Limit>>} Limits */

const sources = join(root, 'packages/core/src');
/** The part of the source from the functions that create the table to its end. */
const table = /function grouped<[\s\S]*?\nexport const limits = grouped\(\{\n[\s\S]*?\n\}\);\n/;
const reading = /\blimits\.(\w+)\.(\w+)\.value\b/g;
const checking = /\bcheckLimits\('(\w+)', (\w+)\)/g;

/**
 * Inlines the values of limits where they are read, and replaces the table by a JSON text that is parsed on first use:
 * creating a hundred objects would delay the start of a server.
 *
 * @type {import('esbuild').Plugin}
 */
export const inlineLimits = {
  name: 'inline-limits',
  setup({ onLoad }) {
    /** @type {Promise<Limits> | undefined} */
    let reads;
    onLoad({ filter: /[\\/]packages[\\/]core[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8');
      if (!/\b(?:limits\.ts|pageLimits)\b/.test(contents)) return undefined;
      reads ??= readLimits();
      const limits = await reads;
      return {
        contents: path === join(sources, 'limits.ts') ? withLazyTable(contents, limits) : inline(contents, limits),
        loader: 'ts',
      };
    });
  },
};

/** @returns {Promise<Limits>} */
async function readLimits() {
  const { outputFiles } = await build({
    entryPoints: [join(sources, 'limits.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { limits } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  return limits;
}

/** @param {string} contents @param {Limits} limits */
function inline(contents, limits) {
  return contents
    .replace(reading, (text, group, name) => String(limits[group]?.[name]?.value ?? text))
    .replace(
      checking,
      (_, of, options) => `checkLimits('${of}', ${options}, ${JSON.stringify(optionsOf(of, limits))})`,
    );
}

/** @param {string} of @param {Limits} limits */
function optionsOf(of, limits) {
  const all = Object.values(limits).flatMap((group) => Object.values(group));
  return all.filter((limit) => limit.of === of && limit.option !== undefined).map(({ option }) => option);
}

/** @param {string} contents @param {Limits} limits */
function withLazyTable(contents, limits) {
  if (!table.test(contents))
    throw new Error('limits.ts has no table of the form that scripts/inline-limits.mjs replaces');
  const groups = Object.keys(limits).map((name) => `get ${name}() { return all().${name}; },`);
  const lazy = [
    'let parsed: any;',
    `const all = () => (parsed ??= JSON.parse(${JSON.stringify(JSON.stringify(limits))}));`,
    `export const limits: any = { ${groups.join(' ')} };\n`,
  ];
  return contents.replace(table, () => lazy.join('\n'));
}
