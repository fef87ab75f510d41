import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';
import { root } from './imports.ts';

/** Creates a file that Node can run of a source and of what it imports of ours; it is gone after the tests of a file. */
export function programOf(source: URL): string {
  // Below node_modules, so that the program finds its packages.
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
