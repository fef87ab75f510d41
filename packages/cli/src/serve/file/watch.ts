import { createRequire, register } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { replaceable } from '@ccmcp/core';
import { type LoadedServer, loadServer } from './load.ts';
import { describeError } from './describe-error.ts';
import { watchFiles } from '../../system/watch-files.ts';

/**
 * Reports every file that a versioned module imports by path, and adds the version to it, so that it is reloaded together with
 * the module. Packages are not tracked.
 */
function trackImports(onImport: (path: string) => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (url: string) => onImport(fileURLToPath(url)));
  port1.unref();
  const options = { data: { port: port2 }, transferList: [port2] };
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, options);
}

/** A string, because Node runs module hooks in a separate thread. */
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

/** Loads a user's server, and reloads it when its file or an imported one changes. `log` reports the result. */
export async function watchServer(file: string, log: (text: string) => void): Promise<LoadedServer> {
  const path = resolve(file);
  const watcher = watchFiles(reload, log);
  let version = 1;
  trackImports((imported) => watcher.add(imported));
  const { server: first, options } = await load();
  const { server, replace } = replaceable(first);
  watcher.add(path);
  return { server, options };

  async function load(): Promise<LoadedServer> {
    const loaded = await loadServer(file, { version, onLateError: (error) => void logError(error) });
    if (loaded !== 'serves on its own') return loaded;
    throw new Error(`${file} reads stdin on its own, so it can't be reloaded: leave --watch out`);
  }

  async function logError(error: unknown): Promise<void> {
    log(`${file} failed: ${await describeError(error, watcher.files)}`);
  }

  async function reload(): Promise<void> {
    version += 1;
    // CommonJS has no versions.
    const { cache } = createRequire(path);
    for (const each of watcher.files) delete cache[each];
    try {
      replace((await load()).server);
      log(`${file} was reloaded`);
    } catch (error) {
      log(`${file} was not reloaded, the previous version keeps running: ${await describeError(error, watcher.files)}`);
    }
  }
}
