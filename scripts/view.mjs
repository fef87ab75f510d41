import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const styleSheet = /<link rel="stylesheet" href="(\.[^"]+)">/g;
const script = /<script type="module" src="(\.[^"]+)"><\/script>/g;

/**
 * Bundles a view into one document, with inlined styles and scripts: a view can load no other files.
 *
 * @param {string} path of the HTML file
 */
export async function buildView(path) {
  const html = await readFile(path, 'utf8');
  const texts = new Map();
  for (const [tag, file = ''] of [...html.matchAll(styleSheet), ...html.matchAll(script)]) {
    const text = await bundle(join(dirname(path), file));
    texts.set(tag, tag.startsWith('<link') ? `<style>${text}</style>` : `<script type="module">${text}</script>`);
  }
  return html
    .replace(styleSheet, (tag) => texts.get(tag))
    .replace(script, (tag) => texts.get(tag))
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .replace(/>\n\s+/g, '>\n');
}

/** @param {string} path */
async function bundle(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'esm',
    // Hosts of views run in evergreen browsers.
    target: path.endsWith('.ts') ? 'es2022' : 'esnext',
    platform: 'browser',
    conditions: ['ccmcp-source'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  return (outputFiles[0]?.text ?? '').trim();
}

/** Lets sources import a view as the text of its document. @type {import('esbuild').Plugin} */
export const views = {
  name: 'views',
  setup({ onLoad }) {
    onLoad({ filter: /\/views\/.*\.html$/ }, async ({ path }) => ({ contents: await buildView(path), loader: 'text' }));
  },
};
