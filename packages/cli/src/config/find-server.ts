import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, fileOf, clients } from './clients.ts';
import { readConfigFile } from './file/config-file.ts';
import { isRecord } from '../system/record.ts';
import { valueAt } from './file/edit.ts';
import { json } from './file/json.ts';
import { readEntry, type ServerEntry } from './server-entry.ts';
import { ConfigSyntaxError, type Path, type Syntax } from './file/syntax.ts';
import { toml } from './file/toml.ts';
import { type VariableSyntax, NotTestableError, substituteVariables } from './variables.ts';
import type { Location } from '../system/environment.ts';
import { yaml } from './file/yaml.ts';

/** A configured server, ready to be used. */
export interface ConfiguredServer {
  entry: ServerEntry;
  /** Its working directory. */
  folder: string;
  path: string;
  /** False if it is disabled there. */
  isOn: boolean;
}

/** No usable server has this name; `names` are the configured ones. */
export class NoSuchServerError extends Error {
  readonly names: readonly string[];
  /** The advice for the user. */
  readonly advice: string | undefined;

  constructor(
    message: string,
    { names = [], advice }: { names?: readonly string[]; advice?: string | undefined } = {},
  ) {
    super(message);
    this.names = names;
    this.advice = advice;
  }
}

/** Files of a folder that belong to no client, in which a server is found by its name alone. */
const commonFiles = ['mcp.json', '.mcp.json'];

/** Servers by their names, in one part of a file. */
interface ServerTable {
  path: string;
  marks: VariableSyntax;
  folder: string;
  servers: Readonly<Record<string, unknown>>;
}

/**
 * Finds the server of `CLIENT:NAME`, `FILE:NAME` or the `NAME` of one in the folder's `mcp.json`; undefined if a word
 * is none of these.
 */
export function findServer(word: string, location: Location): ConfiguredServer | undefined {
  const [, file, ofFile = ''] = /^(.+?\.(?:jsonc?|toml|ya?ml))(?::(.*))?$/s.exec(word) ?? [];
  const [, id = '', name] = /^([a-z-]+)(?::(.*))?$/s.exec(word) ?? [];
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  const toClientWord = (called: string, { title }: Client) => ({ name: called, where: title, word: `${id}:NAME` });
  if (client !== undefined && name !== undefined) {
    return pickServer(toClientWord(name, client), clientTables(client, location), location);
  }
  if (file !== undefined) {
    const path = resolve(location.cwd, file.replace(/^~(?=[\\/])/, location.home));
    if (!existsSync(path)) throw new NoSuchServerError(`There is no file ${file}`);
    return pickServer({ name: ofFile, where: file, word: `${file}:NAME` }, fileTables(path, location), location);
  }
  // A word that may be a path or URL is never looked up in the files of the folder.
  const tables = /^[^:/\\]+$/.test(word) ? commonTables(location) : [];
  if (tables.some(({ servers }) => Object.hasOwn(servers, word))) {
    return pickServer({ name: word, where: 'mcp.json', word: 'NAME' }, tables, location);
  }
  return client === undefined
    ? undefined
    : pickServer(toClientWord('', client), clientTables(client, location), location);
}

/** A server of a client, or why it can't be used from here. */
export type ClientServer = { name: string } & ({ server: ConfiguredServer } | { problem: string });

/** All servers that a client has configured. Throws if a file of the client can't be read. */
export function clientServers(id: string, client: Client, location: Location): ClientServer[] {
  const tables = clientTables(client, location);
  const names = new Set(tables.flatMap(({ servers }) => Object.keys(servers)));
  return Array.from(names, (name) => {
    try {
      return { name, server: pickServer({ name, where: client.title, word: `${id}:NAME` }, tables, location) };
    } catch (error) {
      if (error instanceof NoSuchServerError) return { name, problem: error.message };
      throw error;
    }
  });
}

/** The files that a client reads its servers from. */
export function clientFiles(client: Client, location: Location): string[] {
  return (['user', 'project'] as const).flatMap((scope) => fileOf(client, scope, location) ?? []);
}

/** The names of all configured servers, as typed on a command line. */
export function configuredNames(location: Location): string[] {
  const own = ignoreErrors(() => commonTables(location)).flatMap(({ servers }) => Object.keys(servers));
  const others = Object.entries(clients).flatMap(([id, client]) =>
    ignoreErrors(() => clientTables(client, location)).flatMap(({ servers }) =>
      Object.keys(servers).map((name) => `${id}:${name}`),
    ),
  );
  return [...new Set([...own, ...others])];
}

/** The server to find, where, and the form of its target. */
interface Wanted {
  name: string;
  where: string;
  word: string;
}

function pickServer(
  { name, where, word }: Wanted,
  tables: readonly ServerTable[],
  location: Location,
): ConfiguredServer {
  const names = [...new Set(tables.flatMap(({ servers }) => Object.keys(servers)))];
  const table = tables.find(({ servers }) => Object.hasOwn(servers, name));
  if (table === undefined) {
    const problem =
      name === '' ? `Which server of ${where}? Write ${word}` : `There is no server "${name}" in ${where}`;
    throw new NoSuchServerError(problem, { names });
  }
  const { path, marks, folder } = table;
  const read = readEntry(table.servers[name]);
  if (read === undefined) {
    throw new NoSuchServerError(
      `"${name}" in ${path} has neither a command nor an address: only its client can use it`,
    );
  }
  const { disabled, ...entry } = read;
  try {
    const filled = substituteVariables<ServerEntry>(entry, { ...location, folder: location.cwd, marks });
    return { entry: filled, folder, path, isOn: !disabled };
  } catch (error) {
    if (!(error instanceof NotTestableError)) throw error;
    const advice = error.variable && `Set ${error.variable}, or give it with --env ${error.variable}=VALUE.`;
    throw new NoSuchServerError(`"${name}" in ${path} can't be used from here: ${error.message}`, { advice });
  }
}

/** The servers of a client: the user's for this folder, the user's for all folders, then those of the folder. */
function clientTables(client: Client, location: Location): ServerTable[] {
  const { syntax, marks } = client;
  const own = fileOf(client, 'user', location);
  const ofFolder = fileOf(client, 'project', location);
  const mine =
    own === undefined
      ? []
      : readTables(own, syntax, (settings) => [
          ...(client.otherTables?.(location) ?? []).map((table) => ({ table, folder: location.cwd })),
          { table: client.table(settings), folder: location.home },
        ]);
  const theirs =
    ofFolder === undefined || ofFolder === own
      ? []
      : readTables(ofFolder, syntax, (settings) => [{ table: client.table(settings), folder: location.cwd }]);
  return [...mine, ...theirs].map((each) => ({ ...each, marks }));
}

/** The servers in a named file, of a client or in a known format. */
function fileTables(path: string, location: Location): ServerTable[] {
  const isOf = (client: Client) =>
    fileOf(client, 'user', location) === path || fileOf(client, 'project', location) === path;
  const client = Object.values(clients).find(isOf);
  if (client !== undefined) return clientTables(client, location).filter((each) => each.path === path);
  const found = readTables(path, syntaxOf(path), (settings) =>
    usualTables(settings).map((table) => ({ table, folder: location.cwd })),
  );
  return found.map((each) => ({ ...each, marks: 'any' }));
}

function commonTables(location: Location): ServerTable[] {
  return commonFiles
    .map((name) => resolve(location.cwd, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => fileTables(path, location));
}

/** The paths under which any client stores servers. */
function usualTables(settings: unknown): Path[] {
  return [...new Map(Object.values(clients).map(({ table }) => [table(settings).join('.'), table(settings)])).values()];
}

function syntaxOf(path: string): Syntax {
  if (path.endsWith('.toml')) return toml;
  return /\.ya?ml$/.test(path) ? yaml : json;
}

type UnmarkedTable = Omit<ServerTable, 'marks'>;

function readTables(
  path: string,
  syntax: Syntax,
  tablesOf: (settings: unknown) => readonly { table: Path; folder: string }[],
): UnmarkedTable[] {
  if (!existsSync(path)) return [];
  const settings = settingsIn(path, syntax);
  return tablesOf(settings).flatMap(({ table, folder }) => {
    const servers = valueAt(settings, table);
    return isRecord(servers) ? [{ path, folder, servers }] : [];
  });
}

function settingsIn(path: string, syntax: Syntax): unknown {
  try {
    return syntax.read(readConfigFile(path).text);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) throw new NoSuchServerError(`${path} is malformed, ${error.message}`);
    throw error;
  }
}

/** Ignores files that can't be read. */
function ignoreErrors(look: () => ServerTable[]): ServerTable[] {
  try {
    return look();
  } catch {
    return [];
  }
}
