import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Starts the benchmark, whose sources are TypeScript:  npm run bench  or  npm run bench -- --quick

const folder = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'ccmcp-bench-'));
try {
  const outfile = join(work, 'main.mjs');
  await build({
    entryPoints: [join(folder, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(folder, process.argv.slice(2));
} finally {
  rmSync(work, { recursive: true, force: true });
}
