import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeFile } from './files.mjs';
import { writeNotices } from './notices.mjs';

/**
 * Builds the page in `src/page` of a package: `index.html` with inlined styles and script, because a starting browser
 * takes long for every further file, and chunks for late imports. Each file is also written compressed, so that no
 * server has to compress it.
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
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  /** @type {Map<string, string>} */
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(folder, path), text]));
  const document = readFileSync(html, 'utf8')
    .replace(/<link rel="stylesheet" href="(.+?)" \/>/, (_, name) => `<style>${takeFile(texts, name)}</style>`)
    .replace(/(<script type="module") src="(.+?)">/, (_, tag, name) => `${tag}>${takeFile(texts, name)}`);
  for (const [name, text] of texts.set('index.html', document)) {
    writeFile(join(folder, name), text);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
  }
  writeNotices([metafile], directory, folder);
}

/** Removes a file that is inlined into the document. @param {Map<string, string>} texts @param {string} name */
function takeFile(texts, name) {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`The page names ${name}, which was not built`);
  if (/<!--|<\/(?:script|style)/i.test(text)) throw new Error(`${name} can't stand in a document: it has markup in it`);
  texts.delete(name);
  return text.trim();
}

/**
 * Copies the page of the inspector beside a command, whose bundle contains the rest of the inspector.
 *
 * @param {string} from the built inspector
 * @param {string} target the directory that receives the folder `page`
 */
export function copyPage(from, target) {
  cpSync(join(from, 'page'), join(target, 'page'), { recursive: true });
}
