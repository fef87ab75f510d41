import { resolve } from 'node:path';
import { type Client, fileOf, type Scope } from './client.ts';
import { type ConfigFile, readConfigFile } from './config-file/config-file.ts';
import { diff } from './config-file/diff.ts';
import { isRecord, valueAt } from './config-file/edit.ts';
import { maskSecrets } from './config-file/secrets.ts';
import { Malformed, type Path, NotEditable } from './config-file/syntax.ts';
import type { Location } from '../util/environment.ts';

/** A client's file, and the servers in it. */
export interface Configuration {
  client: Client;
  file: ConfigFile;
  /** The path of the servers in the file. */
  table: Path;
  servers: Readonly<Record<string, unknown>>;
}

/** The file to edit: the named one, or the client's own. */
export function resolvePath(client: Client, scope: Scope, named: string | undefined, place: Location): string {
  const path = named === undefined ? fileOf(client, scope, place) : resolve(place.cwd, named);
  if (path === undefined) throw new Error(`${client.title} has no file for the ${scope} scope`);
  return path;
}

/** Reads a client's file. Syntax errors name the position. */
export function readConfiguration(client: Client, path: string): Configuration {
  const file = readConfigFile(path);
  return nameFile(path, () => {
    const settings = client.syntax.read(file.text);
    const table = client.table(settings);
    const servers = valueAt(settings, table);
    return { client, file, table, servers: isRecord(servers) ? servers : {} };
  });
}

/** Adds the name of the file to errors about its text. */
export function nameFile<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof NotEditable)) throw error;
    const trouble = error instanceof Malformed ? 'is malformed' : "can't be edited";
    throw new Error(`${path} ${trouble}, ${error.message}; nothing was written`, { cause: error });
  }
}

/** The diff of a file, with secrets masked. */
export function formatChange({ client, file }: Configuration, after: string): string {
  const [old, young] = [file.text, after].map((text) => maskSecrets(client.syntax, text)) as [string, string];
  if (old === young) return `${file.path}: what differs may be secret, and is not shown\n`;
  return diff(file.path, old, young);
}
