import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { writeFile } from './files.mjs';
import { writeNotices } from './notices.mjs';

/**
 * Builds the page of a package that has one in `src/page`: `main.ts` or `main.tsx` with what it loads late in chunks, its styles,
 * and `index.html` as it is.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {string} target the directory that receives the folder `page`
 */
export async function buildPage({ directory }, target) {
  const sources = join(directory, 'src/page');
  const html = join(sources, 'index.html');
  if (!existsSync(html)) return;

  const folder = join(target, 'page');
  const main = ['main.tsx', 'main.ts'].map((name) => join(sources, name)).find((path) => existsSync(path));
  if (main === undefined) throw new Error(`${relative(directory, sources)} has no main.ts`);
  const { outputFiles, metafile } = await build({
    absWorkingDir: directory,
    entryPoints: [main],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    assetNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  for (const { path, text } of outputFiles) writeFile(path, text);
  writeFile(join(folder, 'index.html'), readFileSync(html, 'utf8'));
  writeNotices([metafile], directory, folder);
}

/**
 * Puts the page of the inspector beside a command, which has the rest of the inspector in its bundle.
 *
 * @param {string} from the built inspector
 * @param {string} target the directory that receives the folder `page`
 */
export function copyPage(from, target) {
  cpSync(join(from, 'page'), join(target, 'page'), { recursive: true });
}
