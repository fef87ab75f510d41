import { type FSWatcher, watch } from 'node:fs';
import { createRequire, register } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { replaceable } from '@ccmcp/core';
import type { LoadedServer } from './serving-detector.ts';
import { describeError } from './describe-error.ts';
import { loadServer } from './load.ts';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

/**
 * Tells of every file that a versioned module imports by path, and gives those the same version, so that they are
 * reloaded together with it. Packages are not tracked.
 */
function trackImports(tell: (path: string) => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (url: string) => tell(fileURLToPath(url)));
  port1.unref();
  const options = { data: { port: port2 }, transferList: [port2] };
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, options);
}

/** Runs in a thread of Node's own, which loads it by itself: hence a text. */
const hooks = `
let port;

export function initialize(data) {
  port = data.port;
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const { parentURL = '' } = context;
  const version = parentURL.startsWith('file:') ? new URL(parentURL).searchParams.get('ccmcp') : null;
  if (version === null || !/^(\\.|\\/|file:)/.test(specifier) || !resolved.url.startsWith('file:')) return resolved;
  const url = new URL(resolved.url);
  port.postMessage(url.href);
  url.searchParams.set('ccmcp', version);
  return { ...resolved, url: url.href };
}
`;

/** An editor writes a file in several steps. */
const debounceMs = 50;

/** Loads a user's server, and again whenever its file changes, or one that it imports. `tell` says how that went. */
export async function watchServer(file: string, tell: (text: string) => void): Promise<LoadedServer> {
  const path = resolve(file);
  const files = new Set([path]);
  const folders = new Map<string, FSWatcher>();
  let version = 1;
  let due: NodeJS.Timeout | undefined;
  let loading: Promise<void> = Promise.resolve();

  const look = (changed: string): void => {
    files.add(changed);
    const folder = dirname(changed);
    if (folders.has(folder)) return;
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name !== null && !isOurs(folder, name)) return;
      clearTimeout(due);
      due = setTimeout(() => {
        loading = loading.then(reload);
      }, debounceMs);
    });
    watcher.on('error', (error) => tell(`${folder} is not watched any more: ${error.message}`));
    folders.set(folder, watcher);
  };
  const isOurs = (folder: string, name: string): boolean =>
    [...files].some((each) => dirname(each) === folder && basename(each) === name);

  trackImports(look);
  const { server: first, options } = await load();
  const { server, replace } = replaceable(first);
  look(path);
  return { server, options };

  async function load(): Promise<LoadedServer> {
    const loaded = await loadServer(file, { version, onLateError: (error) => void tellError(error) });
    if (loaded !== 'serves by itself') return loaded;
    throw new Error(`${file} reads stdin by itself, so it can't be reloaded: leave --watch out`);
  }

  async function tellError(error: unknown): Promise<void> {
    tell(`${file} failed: ${await describeError(error, files)}`);
  }

  async function reload(): Promise<void> {
    version += 1;
    // CommonJS knows no versions.
    const { cache } = createRequire(path);
    for (const each of files) delete cache[each];
    try {
      replace((await load()).server);
      tell(`${file} was reloaded`);
    } catch (error) {
      tell(`${file} was not reloaded, the previous version keeps running: ${await describeError(error, files)}`);
    }
  }
}
