import nodeModule, { createRequire, register } from 'node:module';

/** The resolution of an imported name, by Node or a hook. */
interface Resolving {
  (specifier: string, context: { parentURL?: string }): unknown;
}

/** The module API of Node versions that strip types. */
interface NewerModule {
  registerHooks(hooks: { resolve(...args: [...Parameters<Resolving>, next: Resolving]): unknown }): void;
}

let isReady = false;

/**
 * Makes Node able to load a TypeScript file. Newer versions are able to; an older one needs esbuild, which the user's
 * project has if it uses vite, vitest or tsx. No version resolves an import of `./dep.js` to `dep.ts`.
 */
export function enableTypeScript(path: string): void {
  if (isReady || !/\.[cm]?ts$/.test(path)) return;
  if (stripsTypes()) (nodeModule as unknown as NewerModule).registerHooks({ resolve: resolveCompiled });
  else transform(path);
  isReady = true;
}

/** Resolves an import of the compiled name, such as `./dep.js`, to its source. */
function resolveCompiled(specifier: string, context: { parentURL?: string }, next: Resolving): unknown {
  try {
    return next(specifier, context);
  } catch (error) {
    const meant = compiledFrom(specifier, context.parentURL);
    if (meant === undefined || (error as NodeJS.ErrnoException).code?.endsWith('MODULE_NOT_FOUND') !== true)
      throw error;
    try {
      return next(meant, context);
    } catch {
      throw error;
    }
  }
}

/** The TypeScript source of a compiled name that TypeScript imports. Its text is used below. */
function compiledFrom(specifier: string, parentURL = ''): string | undefined {
  const meant = specifier.replace(/\.([cm]?)js$/, '.$1ts');
  const isNear = /^(?:\.|\/|file:)/.test(specifier) && /\.[cm]?ts(?:\?|$)/.test(parentURL);
  return isNear && meant !== specifier ? meant : undefined;
}

function transform(path: string): void {
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
  // Stack traces show the lines of the source.
  process.setSourceMapsEnabled(true);
}

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}

/** A string, because Node runs module hooks in a separate thread. */
const hooks = `
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let esbuild;

export function initialize(data) {
  esbuild = createRequire(data.esbuild)(data.esbuild);
}

const compiledFrom = ${compiledFrom.toString()};

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    const meant = compiledFrom(specifier, context.parentURL);
    if (meant === undefined || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return next(meant, context).catch(() => Promise.reject(error));
  }
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
