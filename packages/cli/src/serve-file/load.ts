import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isServer, type Server } from '@ccmcp/core';
import { readTypeScript } from './typescript.ts';

/** The server that a user's module exports. `version` tells apart the same file at different times. */
export async function loadServer(file: string, version?: number): Promise<Server> {
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`there is no file ${file}`);
  readTypeScript(path);
  const url = pathToFileURL(path);
  if (version !== undefined) url.searchParams.set('ccmcp', String(version));
  const module = (await import(url.href)) as { default?: unknown; server?: unknown };
  // What CommonJS exports arrives as the default.
  const exported = [module.server, module.default, (module.default as typeof module | undefined)?.default].find(
    (candidate) => typeof candidate === 'function' || isServer(candidate),
  );
  const server: unknown = typeof exported === 'function' ? await exported() : exported;
  if (isServer(server)) return server;
  throw new Error(
    `${file} exports no server: write "export default createServer(…)". ` +
      `If it serves by itself, run it as a command: -- node ${file}`,
  );
}
