import { type FSWatcher, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import type { Server } from '@ccmcp/core';
import { followImports } from './dependencies.ts';
import { describeError } from './describe-error.ts';
import { loadServer } from './load.ts';
import { replaceable } from '@ccmcp/core';

/** An editor writes a file in several steps. */
const settleMs = 50;

/** Loads a user's server, and again whenever its file changes, or one that it imports. `tell` says how that went. */
export async function watchServer(file: string, tell: (text: string) => void): Promise<Server> {
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
      }, settleMs);
    });
    watcher.on('error', (error) => tell(`${folder} is not watched any more: ${error.message}`));
    folders.set(folder, watcher);
  };
  const isOurs = (folder: string, name: string): boolean =>
    [...files].some((each) => dirname(each) === folder && basename(each) === name);

  followImports(look);
  const { server, replace } = replaceable(await loadServer(file, version));
  look(path);
  return server;

  async function reload(): Promise<void> {
    version += 1;
    // CommonJS knows no versions.
    const { cache } = createRequire(path);
    for (const each of files) delete cache[each];
    try {
      replace(await loadServer(file, version));
      tell(`${file} was loaded anew`);
    } catch (error) {
      tell(`${file} was not loaded anew, the version before stays: ${await describeError(error, files)}`);
    }
  }
}
