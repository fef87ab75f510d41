import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Starts the benchmark or the soak, whose sources are TypeScript:  npm run bench -- --quick  or  npm run soak

const folder = dirname(fileURLToPath(import.meta.url));
const [first, ...others] = process.argv.slice(2);
const [entry, args] = first === 'soak' ? ['soak/main.ts', others] : ['main.ts', process.argv.slice(2)];
const work = mkdtempSync(join(tmpdir(), 'ccmcp-bench-'));
try {
  const outfile = join(work, 'main.mjs');
  await build({
    entryPoints: [join(folder, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(folder, args);
} finally {
  rmSync(work, { recursive: true, force: true });
}
