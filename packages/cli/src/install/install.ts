import { isDeepStrictEqual } from 'node:util';
import { clientNamed, readArguments, scopeOf } from './arguments.ts';
import type { Client } from './client.ts';
import { writeConfigFile } from './config-file.ts';
import { type Configuration, explained, pathOf, readConfiguration, shownChange } from './configuration.ts';
import { withValue } from './edit.ts';
import { installHelp } from './help.ts';
import { Failure } from '../client/failure.ts';
import { Misuse } from '../misuse.ts';
import { checkName } from './names.ts';
import { type Change, reportOutcome } from './outcome.ts';
import { run } from './run.ts';
import { withoutSecrets } from './secrets.ts';
import type { ServerEntry } from './server-entry.ts';
import { wantedServers } from './wanted-servers.ts';
import { thisWorld, type World } from './world.ts';

const options = {
  name: { type: 'string' },
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  scope: { type: 'string' },
  file: { type: 'string' },
  'dry-run': { type: 'boolean' },
  print: { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Given = ReturnType<typeof readArguments<typeof options>>;

/** `ccmcp install`: puts servers into a client's configuration. Returns the exit code. */
export function install(args: readonly string[]): Promise<number> {
  return installIn(args, thisWorld());
}

/** The same in any world. */
export function installIn(args: readonly string[], world: World): Promise<number> {
  return run({ name: 'install', args }, world, () => {
    const given = readArguments(args, options);
    if (given.values.help) {
      world.print(installHelp);
      return 0;
    }
    return reportOutcome(world, given.values.json, (told) => {
      const { id, client } = clientNamed(given.positionals[0]);
      const scope = scopeOf(client, given.values.scope);
      const path = pathOf(client, scope, given.values.file, world);
      const entries = entriesFor(id, client, given, told);
      const done = given.values.print
        ? printEntries(client, path, entries, told)
        : add(readConfiguration(client, path), entries, given, told);
      return { client: id, servers: [...entries.keys()], ...done };
    });
  });
}

function add(found: Configuration, entries: ReadonlyMap<string, object>, { values }: Given, world: World): Change {
  const { client, file, table, servers } = found;
  const isOld = (name: string, entry: object) => isDeepStrictEqual(structuredClone(servers[name]), entry);
  const changes = [...entries].filter(([name, entry]) => !isOld(name, entry));
  if (changes.length === 0) {
    world.tell(`${[...entries.keys()].join(', ')}: already in ${file.path}\n`);
    return { file: file.path, changed: false };
  }
  const after = explained(file.path, () =>
    changes.reduce((text, [name, entry]) => withValue(client.syntax, text, [...table, name], entry), file.text),
  );
  const taken = changes.map(([name]) => name).filter((name) => Object.hasOwn(servers, name));
  if (taken.length > 0 && !values.force) {
    const diff = shownChange(found, after);
    world.tell(diff);
    throw new Failure(
      'unexpected',
      `${taken.join(', ')}: already in ${file.path}, and different; --force replaces it, --name gives the new one another name`,
      { data: { diff } },
    );
  }
  if (values['dry-run']) {
    const diff = shownChange(found, after);
    world.print(diff);
    return { file: file.path, changed: false, diff };
  }
  const backup = writeConfigFile(file, after, world.now());
  world.tell(`Put ${changes.map(([name]) => name).join(', ')} into ${file.path}\n`);
  if (backup !== undefined) world.tell(`The file as it was: ${backup}\n`);
  world.tell(`${client.afterwards}\n`);
  return { file: file.path, changed: true, ...(backup !== undefined && { backup }) };
}

function printEntries(client: Client, path: string, entries: ReadonlyMap<string, object>, world: World): Change {
  const table = client.table(undefined);
  const text = [...entries].reduce((done, [name, entry]) => client.syntax.set(done, [...table, name], entry), '');
  world.tell(`For ${path}:\n`);
  const entry = withoutSecrets(client.syntax, text);
  world.print(entry);
  return { file: path, changed: false, entry };
}

/** The entries to be made, by name, in the client's own form. */
function entriesFor(
  id: string,
  client: Client,
  { values, positionals, passed }: Given,
  world: World,
): Map<string, object> {
  const [, ...words] = positionals;
  const wanted = wantedServers({ ...values, words, passed }, world);
  for (const name of wanted.keys()) checkName(name, client);
  if (id === 'claude-desktop' && words.includes('ccmcp') && !passed.some((each) => /^--root(?:=|$)/.test(each))) {
    world.tell('Its file tools will work in the folder that the client starts it in; name one with "-- --root DIR".\n');
  }
  return new Map([...wanted].map(([name, entry]) => [name, inFormOf(client, entry, name)]));
}

function inFormOf(client: Client, entry: ServerEntry, name: string): object {
  if (entry.kind === 'stdio') return client.stdio(entry, name);
  if (client.http !== undefined) return client.http(entry, name);
  throw new Misuse(`${client.title} takes servers with an address in its settings, under Connectors, not in a file`);
}
