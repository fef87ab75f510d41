import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../command/usage-error.ts';
import { findClient } from '../config/clients.ts';
import { clientFiles, clientServers } from '../config/find-server.ts';
import type { ServerEntry } from '../config/server-entry.ts';
import { resolveStart } from '../config/start-command.ts';
import type { Environment } from '../system/environment.ts';
import { type GatewayFile, type Mistake, readGatewayFile, type UpstreamSettings } from './gateway-file.ts';

/** Where a gateway gets its upstreams from: a file, clients, or both. */
export interface Sources {
  file: string | undefined;
  /** The names of clients. */
  clients: readonly string[];
}

/** The sources that a command line names. */
export function resolveSources(file: string | undefined, from: string | undefined, { cwd }: Environment): Sources {
  const clients = (from ?? '').split(',').filter((id) => id !== '');
  for (const id of clients) findClient(id);
  if (file !== undefined) return { file: resolve(cwd, file), clients };
  const usual = resolve(cwd, 'mcp.json');
  if (clients.length > 0) return { file: undefined, clients };
  if (existsSync(usual)) return { file: usual, clients };
  throw new UsageError('name a file with "mcpServers", or clients with --from; there is no mcp.json here');
}

/** The files whose changes matter. */
export function watchedFiles({ file, clients }: Sources, environment: Environment): string[] {
  const ofClients = clients.flatMap((id) => clientFiles(findClient(id).client, environment));
  return file === undefined ? ofClients : [file, ...ofClients];
}

/** Reads all sources. Of servers with the same name, the first one is used. Throws if a file can't be used at all. */
export async function readSources({ file, clients }: Sources, environment: Environment): Promise<GatewayFile> {
  const { upstreams, features, mistakes, lockFiles } =
    file === undefined
      ? { upstreams: new Map<string, UpstreamSettings>(), features: {}, mistakes: [] as Mistake[], lockFiles: [] }
      : await readGatewayFile(file, environment);
  for (const id of clients) {
    for (const found of clientServers(id, findClient(id).client, environment)) {
      if ('problem' in found) {
        mistakes.push({ server: found.name, message: found.problem });
        continue;
      }
      const { entry, folder, isOn, path } = found.server;
      if (!isOn || isOurs(entry, environment)) continue;
      try {
        const settings: UpstreamSettings = { entry: startable(entry, folder, environment), sse: false, auth: 'login' };
        const known = upstreams.get(found.name);
        if (isDeepStrictEqual(known?.entry, settings.entry)) continue;
        upstreams.set(known === undefined ? found.name : `${id}-${found.name}`, settings);
      } catch (error) {
        mistakes.push({ server: found.name, message: `${path}: server "${found.name}": ${(error as Error).message}` });
      }
    }
  }
  return { upstreams, features, mistakes, lockFiles };
}

/** Omits a gateway among a client's servers: it would start itself recursively. */
function isOurs(entry: ServerEntry, { command }: Environment): boolean {
  if (entry.kind === 'http') return false;
  const words = [entry.command, ...entry.args];
  const at = words.indexOf('gateway');
  return at > 0 && (words[at - 1] === command || basename(words[at - 1] ?? '') === 'ccmcp');
}

function startable(entry: ServerEntry, folder: string, environment: Environment): ServerEntry {
  if (entry.kind === 'http') return entry;
  const { command, args, cwd, env } = resolveStart(entry, { ...environment, cwd: folder });
  return { kind: 'stdio', command, args: [...args], cwd, env };
}
