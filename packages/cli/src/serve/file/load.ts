import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isServer } from '@ccmcp/core';
import { fileProblem } from '../server-file.ts';
import { detectServing, type LoadedServer } from './serving-detector.ts';
import { detectIdle } from './idle-detector.ts';
import { enableTypeScript } from './typescript.ts';

/** A loaded file: a server, or a program that serves on stdio by itself. */
export type Loaded = LoadedServer | 'serves by itself';

/** How a file is loaded. */
export interface LoadOptions {
  /** Distinguishes reloads of the same file. */
  version?: number;
  /** Called if the file fails after it has begun to serve. */
  onLateError(error: unknown): void;
}

/**
 * Loads a user's module and gives the server that it exports, or the one that it hands to `serveStdio`. A program that reads
 * stdin by means of another library is left alone.
 */
export async function loadServer(file: string, { version, onLateError }: LoadOptions): Promise<Loaded> {
  const path = resolve(file);
  const problem = fileProblem(file, path);
  if (problem !== undefined) throw new Error(problem);
  enableTypeScript(path);
  const url = pathToFileURL(path);
  if (version !== undefined) url.searchParams.set('ccmcp', String(version));
  // Some files serve only if they are the main program.
  process.argv.splice(1, process.argv.length, path);

  const { offered, reading, stopListening } = detectServing();
  const exported = import(url.href).then(exportedServer);
  const { nothing, stopLooking } = detectIdle(file, exported);
  const began = Promise.race([offered, reading.then(() => 'serves by itself' as const), nothing]);
  try {
    const loaded = (await Promise.race([began, exported])) ?? (await began);
    exported.catch(onLateError);
    return loaded;
  } finally {
    stopLooking();
    stopListening();
  }
}

/** The server that a module exports, if any. */
async function exportedServer(module: { default?: unknown; server?: unknown }): Promise<LoadedServer | undefined> {
  // CommonJS exports arrive as the default.
  const exported = [module.server, module.default, (module.default as typeof module | undefined)?.default].find(
    (candidate) => typeof candidate === 'function' || isServer(candidate),
  );
  const server: unknown = typeof exported === 'function' ? await exported() : exported;
  return isServer(server) ? { server, options: {} } : undefined;
}
