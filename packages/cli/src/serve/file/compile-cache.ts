import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The compile cache of Node 22.8 and later. */
export interface CompileCaching {
  enableCompileCache?(folder: string): unknown;
  /** From 22.10 on. */
  flushCompileCache?(): void;
}

/** The options of the compile cache. */
export interface CompileCacheOptions {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** Default: Node's own. */
  caching?: CompileCaching;
  /** The maximum number of cached files. Default: 5000; a large project with all its imports has fewer. */
  maxFiles?: number;
}

/** The delay before a flush: a client may kill its server before it exits. */
const flushAfterMs = 3000;

/**
 * Enables Node's compile cache for the files loaded from now on, which speeds up the next start. The folder belongs to
 * the user: code in it is trusted. On errors there is no cache.
 */
export function enableCompileCache(options: CompileCacheOptions = {}): void {
  const { env = process.env, platform = process.platform, maxFiles = 5000 } = options;
  const { caching = nodeModule as CompileCaching } = options;
  // If the variable is set, Node has enabled the cache already, in the folder of the user's choice.
  if (caching.enableCompileCache === undefined || env.NODE_COMPILE_CACHE !== undefined) return;
  try {
    const folder = join(cacheFolder(env, platform), 'ccmcp', 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (countFiles(folder) > maxFiles) rmSync(folder, { recursive: true, force: true });
    caching.enableCompileCache(folder);
    setTimeout(() => caching.flushCompileCache?.(), flushAfterMs).unref();
  } catch {
    // The folder is missing or not writable.
  }
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_CACHE_HOME ?? join(homedir(), ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']));
}

/** Node creates a folder per version. */
function countFiles(folder: string): number {
  return readdirSync(folder).reduce((count, version) => count + readdirSync(join(folder, version)).length, 0);
}
