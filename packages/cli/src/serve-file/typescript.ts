import { createRequire, register } from 'node:module';

let isReady = false;

/**
 * Makes Node able to load a TypeScript file. Newer ones are by themselves; an older one needs esbuild, which the user's
 * project has if it uses vite, vitest or tsx.
 */
export function readTypeScript(path: string): void {
  if (isReady || !/\.[cm]?ts$/.test(path) || stripsTypes()) return;
  const require = createRequire(path);
  let esbuild: string;
  try {
    esbuild = require.resolve('esbuild');
  } catch {
    throw new Error(
      `Node ${process.versions.node} does not read TypeScript. Use Node 22.18 or later, ` +
        'or run "npm install --save-dev esbuild" in your project, or compile the file to JavaScript first',
    );
  }
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { esbuild } });
  isReady = true;
}

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}

/** Runs in a thread of Node's own, which loads it by itself: hence a text. */
const hooks = `
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let esbuild;

export function initialize(data) {
  esbuild = createRequire(data.esbuild)(data.esbuild);
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!url.startsWith('file:') || !/\\.m?ts$/.test(pathname) || pathname.includes('/node_modules/')) {
    return next(url, context);
  }
  const file = new URL(url);
  file.search = '';
  const options = { loader: 'ts', format: 'esm', sourcefile: file.href, sourcemap: 'inline', target: 'node20' };
  const { code } = await esbuild.transform(await readFile(file, 'utf8'), options);
  return { format: 'module', source: code, shortCircuit: true };
}
`;
