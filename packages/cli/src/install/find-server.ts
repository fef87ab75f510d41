import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, fileOf } from './client.ts';
import { clients } from './clients.ts';
import { readConfigFile } from './config-file/config-file.ts';
import { isRecord, valueAt } from './config-file/edit.ts';
import { json } from './config-file/json.ts';
import { readEntry, type ServerEntry } from './server-entry.ts';
import { Malformed, type Path, type Syntax } from './config-file/syntax.ts';
import { toml } from './config-file/toml.ts';
import { type VariableSyntax, NotTestable, substituteVariables } from './variables.ts';
import type { Location } from '../util/environment.ts';
import { yaml } from './config-file/yaml.ts';

/** A server that is configured in a file, ready to be used. */
export interface ConfiguredServer {
  entry: ServerEntry;
  /** Where it is started. */
  folder: string;
  path: string;
  /** False: it is switched off there. */
  isOn: boolean;
}

/** A name under which nothing is configured that could be used; `names` are those that there are. */
export class NoSuchServer extends Error {
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

/** The files of a folder that belong to no client, and in which a server is found by its name alone. */
const commonFiles = ['mcp.json', '.mcp.json'];

/** Servers by their names, in one part of a file. */
interface ServerTable {
  path: string;
  marks: VariableSyntax;
  folder: string;
  servers: Readonly<Record<string, unknown>>;
}

/**
 * The server that `CLIENT:NAME`, `FILE:NAME` or the `NAME` of one in the folder's `mcp.json` means; undefined where a word
 * is none of these.
 */
export function findServer(word: string, place: Location): ConfiguredServer | undefined {
  const [, file, ofFile = ''] = /^(.+?\.(?:jsonc?|toml|ya?ml))(?::(.*))?$/s.exec(word) ?? [];
  const [, id = '', name] = /^([a-z-]+)(?::(.*))?$/s.exec(word) ?? [];
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  const ofClient = (called: string, { title }: Client) => ({ name: called, where: title, word: `${id}:NAME` });
  if (client !== undefined && name !== undefined) {
    return pickServer(ofClient(name, client), clientTables(client, place), place);
  }
  if (file !== undefined) {
    const path = resolve(place.cwd, file.replace(/^~(?=[\\/])/, place.home));
    if (!existsSync(path)) throw new NoSuchServer(`There is no file ${file}`);
    return pickServer({ name: ofFile, where: file, word: `${file}:NAME` }, fileTables(path, place), place);
  }
  // A word that may be a path or URL is never looked up in the files of the folder.
  const shelves = /^[^:/\\]+$/.test(word) ? commonTables(place) : [];
  if (shelves.some(({ servers }) => Object.hasOwn(servers, word))) {
    return pickServer({ name: word, where: 'mcp.json', word: 'NAME' }, shelves, place);
  }
  return client === undefined ? undefined : pickServer(ofClient('', client), clientTables(client, place), place);
}

/** The names of all configured servers, as typed on a command line. */
export function configuredNames(place: Location): string[] {
  const own = ignoreErrors(() => commonTables(place)).flatMap(({ servers }) => Object.keys(servers));
  const others = Object.entries(clients).flatMap(([id, client]) =>
    ignoreErrors(() => clientTables(client, place)).flatMap(({ servers }) =>
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

function pickServer({ name, where, word }: Wanted, shelves: readonly ServerTable[], place: Location): ConfiguredServer {
  const names = [...new Set(shelves.flatMap(({ servers }) => Object.keys(servers)))];
  const shelf = shelves.find(({ servers }) => Object.hasOwn(servers, name));
  if (shelf === undefined) {
    const problem =
      name === '' ? `Which server of ${where}? Write ${word}` : `There is no server "${name}" in ${where}`;
    throw new NoSuchServer(problem, { names });
  }
  const { path, marks, folder } = shelf;
  const read = readEntry(shelf.servers[name]);
  if (read === undefined) {
    throw new NoSuchServer(`"${name}" in ${path} has neither a command nor an address: only its client can use it`);
  }
  const { disabled, ...entry } = read;
  try {
    const filled = substituteVariables<ServerEntry>(entry, { ...place, folder: place.cwd, marks });
    return { entry: filled, folder, path, isOn: !disabled };
  } catch (error) {
    if (!(error instanceof NotTestable)) throw error;
    const advice = error.variable && `Set ${error.variable}, or give it with --env ${error.variable}=VALUE.`;
    throw new NoSuchServer(`"${name}" in ${path} can't be used from here: ${error.message}`, { advice });
  }
}

/** The servers of a client: the user's for this folder, the user's for all folders, then those of the folder. */
function clientTables(client: Client, place: Location): ServerTable[] {
  const { syntax, marks } = client;
  const own = fileOf(client, 'user', place);
  const ofFolder = fileOf(client, 'project', place);
  const mine =
    own === undefined
      ? []
      : readTables(own, syntax, (settings) => [
          ...(client.otherTables?.(place) ?? []).map((table) => ({ table, folder: place.cwd })),
          { table: client.table(settings), folder: place.home },
        ]);
  const theirs =
    ofFolder === undefined || ofFolder === own
      ? []
      : readTables(ofFolder, syntax, (settings) => [{ table: client.table(settings), folder: place.cwd }]);
  return [...mine, ...theirs].map((shelf) => ({ ...shelf, marks }));
}

/** The servers in a named file, of a client or in a known format. */
function fileTables(path: string, place: Location): ServerTable[] {
  const isOf = (client: Client) => fileOf(client, 'user', place) === path || fileOf(client, 'project', place) === path;
  const client = Object.values(clients).find(isOf);
  if (client !== undefined) return clientTables(client, place).filter((shelf) => shelf.path === path);
  const found = readTables(path, syntaxOf(path), (settings) =>
    usualTables(settings).map((table) => ({ table, folder: place.cwd })),
  );
  return found.map((shelf) => ({ ...shelf, marks: 'any' }));
}

function commonTables(place: Location): ServerTable[] {
  return commonFiles
    .map((name) => resolve(place.cwd, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => fileTables(path, place));
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
    if (error instanceof Malformed) throw new NoSuchServer(`${path} is malformed, ${error.message}`);
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
