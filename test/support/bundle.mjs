import { build } from 'esbuild';
import { alias } from '../../scripts/alias.mjs';

/**
 * Bundles a TypeScript file with the sources of the packages that it imports, so that Node can run it.
 *
 * @param {string} entry
 * @param {string} outfile
 */
export async function bundle(entry, outfile) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['ccmcp-source'],
    alias,
    logLevel: 'warning',
  });
}
