import { isDeepStrictEqual } from 'node:util';
import { clientNamed, scopeOf } from './arguments.ts';
import type { Client } from './client.ts';
import { writeConfigFile } from './config-file/config-file.ts';
import { type Configuration, explained, pathOf, readConfiguration, shownChange } from './configuration.ts';
import { withValue } from './config-file/edit.ts';
import { UsageError } from '../command/usage-error.ts';
import { checkName } from './names.ts';
import { withoutSecrets } from './config-file/secrets.ts';
import type { ServerEntry } from './server-entry.ts';
import { wantedServers } from './server-entries.ts';
import type { Environment } from '../util/environment.ts';

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
  };
  readonly positionals: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[] | undefined;
}

/** `ccmcp install`: writes servers into a client's configuration. Returns the exit code. */
export async function install(given: InstallArguments, environment: Environment): Promise<number> {
  const { id, client } = clientNamed(given.positionals[0]);
  const scope = scopeOf(client, given.values.scope);
  const path = pathOf(client, scope, given.values.file, environment);
  const entries = entriesFor(id, client, given, environment);
  if (given.values.print) {
    printEntries(client, path, entries, environment);
    return 0;
  }
  return add(readConfiguration(client, path), entries, given, environment);
}

function add(
  found: Configuration,
  entries: ReadonlyMap<string, object>,
  { values }: InstallArguments,
  environment: Environment,
): number {
  const { client, file, table, servers } = found;
  const isOld = (name: string, entry: object) => isDeepStrictEqual(structuredClone(servers[name]), entry);
  const changes = [...entries].filter(([name, entry]) => !isOld(name, entry));
  if (changes.length === 0) {
    environment.tell(`${[...entries.keys()].join(', ')}: already in ${file.path}\n`);
    return 0;
  }
  const after = explained(file.path, () =>
    changes.reduce((text, [name, entry]) => withValue(client.syntax, text, [...table, name], entry), file.text),
  );
  const taken = changes.map(([name]) => name).filter((name) => Object.hasOwn(servers, name));
  if (taken.length > 0 && !values.force) {
    environment.tell(shownChange(found, after));
    environment.tell(
      `ccmcp: ${taken.join(', ')}: already in ${file.path}, and different; --force replaces it, --name gives the new one another name\n`,
    );
    return 1;
  }
  if (values['dry-run']) {
    environment.print(shownChange(found, after));
    return 0;
  }
  const backup = writeConfigFile(file, after, environment.now());
  environment.tell(`Put ${changes.map(([name]) => name).join(', ')} into ${file.path}\n`);
  if (backup !== undefined) environment.tell(`The file as it was: ${backup}\n`);
  environment.tell(`${client.afterwards}\n`);
  return 0;
}

function printEntries(
  client: Client,
  path: string,
  entries: ReadonlyMap<string, object>,
  environment: Environment,
): void {
  const table = client.table(undefined);
  const text = [...entries].reduce((done, [name, entry]) => client.syntax.set(done, [...table, name], entry), '');
  environment.tell(`For ${path}:\n`);
  environment.print(withoutSecrets(client.syntax, text));
}

/** The entries to be made, by name, in the client's own form. */
function entriesFor(
  id: string,
  client: Client,
  { values, positionals, rest: passed = [] }: InstallArguments,
  environment: Environment,
): Map<string, object> {
  const [, ...words] = positionals;
  const wanted = wantedServers({ ...values, words, passed }, environment);
  for (const name of wanted.keys()) checkName(name, client);
  if (id === 'claude-desktop' && words.includes('ccmcp') && !passed.some((each) => /^--root(?:=|$)/.test(each))) {
    environment.tell(
      'Its file tools will work in the folder that the client starts it in; name one with "-- --root DIR".\n',
    );
  }
  return new Map([...wanted].map(([name, entry]) => [name, inFormOf(client, entry, name)]));
}

function inFormOf(client: Client, entry: ServerEntry, name: string): object {
  if (entry.kind === 'stdio') return client.stdio(entry, name);
  if (client.http !== undefined) return client.http(entry, name);
  throw new UsageError(
    `${client.title} takes servers with an address in its settings, under Connectors, not in a file`,
  );
}
