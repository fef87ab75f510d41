import { isDeepStrictEqual } from 'node:util';
import { findClient, resolveScope, type Client } from '../config/clients.ts';
import { writeConfigFile } from '../config/file/config-file.ts';
import {
  type Configuration,
  nameFile,
  resolvePath,
  readConfiguration,
  formatChange,
  type Change,
  reportOutcome,
} from '../config/configuration.ts';
import { setValue } from '../config/file/edit.ts';
import { Failure } from '../command/failure.ts';
import { UsageError } from '../command/usage-error.ts';
import { checkName } from './names.ts';
import { maskSecrets } from '../config/file/secrets.ts';
import type { ServerEntry } from '../config/server-entry.ts';
import { serverEntries } from './server-entries.ts';
import type { Environment } from '../system/environment.ts';

/** The command line of `ccmcp install`. */
interface InstallArguments {
  readonly values: {
    name?: string;
    url?: string;
    header?: string[];
    env?: string[];
    scope?: string;
    file?: string;
    'dry-run'?: true;
    print?: true;
    force?: true;
    json?: true;
  };
  readonly positionals: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[] | undefined;
}

/** `ccmcp install`: writes servers into a client's configuration. Returns the exit code. */
export async function install(given: InstallArguments, environment: Environment): Promise<number> {
  return reportOutcome(environment, given.values.json, (quiet) => {
    const { id, client } = findClient(given.positionals[0]);
    const scope = resolveScope(client, given.values.scope);
    const path = resolvePath(client, scope, given.values.file, environment);
    const entries = entriesFor(id, client, given, quiet);
    const change = given.values.print
      ? printEntries(client, path, entries, quiet)
      : addEntries(readConfiguration(client, path), entries, given, quiet);
    return { client: id, servers: [...entries.keys()], ...change };
  });
}

function addEntries(
  found: Configuration,
  entries: ReadonlyMap<string, object>,
  { values }: InstallArguments,
  environment: Environment,
): Change {
  const { client, file, table, servers } = found;
  const isOld = (name: string, entry: object) => isDeepStrictEqual(structuredClone(servers[name]), entry);
  const changes = [...entries].filter(([name, entry]) => !isOld(name, entry));
  if (changes.length === 0) {
    environment.printStderr(`${[...entries.keys()].join(', ')}: already in ${file.path}\n`);
    return { file: file.path, changed: false };
  }
  const after = nameFile(file.path, () =>
    changes.reduce((text, [name, entry]) => setValue(client.syntax, text, [...table, name], entry), file.text),
  );
  const taken = changes.map(([name]) => name).filter((name) => Object.hasOwn(servers, name));
  if (taken.length > 0 && !values.force) {
    const diff = formatChange(found, after);
    environment.printStderr(diff);
    throw new Failure(
      'unexpected',
      `${taken.join(', ')}: already in ${file.path}, and different; --force replaces it, --name gives the new one another name`,
      { data: { diff } },
    );
  }
  if (values['dry-run']) {
    const diff = formatChange(found, after);
    environment.print(diff);
    return { file: file.path, changed: false, diff };
  }
  const backup = writeConfigFile(file, after, environment.now());
  environment.printStderr(`Added ${changes.map(([name]) => name).join(', ')} to ${file.path}\n`);
  if (backup !== undefined) environment.printStderr(`Backup: ${backup}\n`);
  environment.printStderr(`${client.nextStep}\n`);
  return { file: file.path, changed: true, ...(backup !== undefined && { backup }) };
}

function printEntries(
  client: Client,
  path: string,
  entries: ReadonlyMap<string, object>,
  environment: Environment,
): Change {
  const table = client.table(undefined);
  const text = [...entries].reduce((done, [name, entry]) => client.syntax.set(done, [...table, name], entry), '');
  environment.printStderr(`For ${path}:\n`);
  const entry = maskSecrets(client.syntax, text);
  environment.print(entry);
  return { file: path, changed: false, entry };
}

/** Creates the entries by name, in the format of the client. */
function entriesFor(
  id: string,
  client: Client,
  { values, positionals, rest: passed = [] }: InstallArguments,
  environment: Environment,
): Map<string, object> {
  const [, ...words] = positionals;
  const wanted = serverEntries({ ...values, words, passed }, environment);
  for (const name of wanted.keys()) checkName(name, client);
  if (id === 'claude-desktop' && words.includes('ccmcp') && !passed.some((each) => /^--root(?:=|$)/.test(each))) {
    environment.printStderr(
      'Its file tools will work in the folder that the client starts it in; name one with "-- --root DIR".\n',
    );
  }
  return new Map([...wanted].map(([name, entry]) => [name, toClientEntry(client, entry, name)]));
}

function toClientEntry(client: Client, entry: ServerEntry, name: string): object {
  if (entry.kind === 'stdio') return client.stdio(entry, name);
  if (client.http !== undefined) return client.http(entry, name);
  throw new UsageError(
    `${client.title} takes servers with an address in its settings, under Connectors, not in a file`,
  );
}
