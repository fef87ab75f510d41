import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';
import { root } from './imports.ts';

/** Bundles a source into a file that Node can run, until the tests of the file end. */
export function programOf(source: URL): string {
  // Below node_modules, so that it resolves packages.
  const folder = mkdtempSync(join(root, 'node_modules/.program-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const outfile = join(folder, 'program.mjs');
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['ioredis'],
    conditions: ['ccmcp-source'],
    logLevel: 'error',
  });
  return outfile;
}
