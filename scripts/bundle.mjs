import { relative } from 'node:path';
import { build } from 'esbuild';
import { alias } from './alias.mjs';
import { inlineLimits } from './inline-limits.mjs';
import { views } from './view.mjs';

/**
 * Bundles the entries of a package as ES modules. Shared code and late imports become chunks.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {import('esbuild').BuildOptions & { outdir: string }} options
 */
export function bundle({ directory, dist, entries, external }, { plugins = [], ...options }) {
  return build({
    absWorkingDir: directory,
    entryPoints: entries.map(({ source, output }) => ({
      in: source,
      out: relative(dist, output).replace(/\.c?js$/, ''),
    })),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['ccmcp-source'],
    alias,
    plugins: [views, inlineLimits, ...plugins],
    external,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
    metafile: true,
    write: false,
  });
}
