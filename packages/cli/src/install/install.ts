import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseCommandLine } from '../command-line.ts';
import { clientNamed, Misuse, readArguments, scopeOf } from './arguments.ts';
import type { Client } from './clients.ts';
import { writeConfigFile } from './config-file.ts';
import { type Configuration, explained, pathOf, readConfiguration, shownChange } from './configuration.ts';
import { withValue } from './edit.ts';
import { installHelp } from './help.ts';
import { run } from './run.ts';
import { withoutSecrets } from './secrets.ts';
import type { ServerEntry } from './server-entry.ts';
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
  help: { type: 'boolean', short: 'h' },
} as const;

type Given = ReturnType<typeof readArguments<typeof options>>;

/** `ccmcp install`: puts servers into a client's configuration. Returns the exit code. */
export function install(args: readonly string[]): Promise<number> {
  return installIn(args, thisWorld());
}

/** The same in any world. */
export function installIn(args: readonly string[], world: World): Promise<number> {
  return run('install', world, () => {
    const given = readArguments(args, options);
    if (given.values.help) {
      world.print(installHelp);
      return 0;
    }
    const { id, client } = clientNamed(given.positionals[0]);
    const scope = scopeOf(client, given.values.scope);
    const path = pathOf(client, scope, given.values.file, world);
    const entries = entriesFor(id, client, given, world);
    if (given.values.print) {
      printEntries(client, path, entries, world);
      return 0;
    }
    return add(readConfiguration(client, path), entries, given, world);
  });
}

function add(found: Configuration, entries: ReadonlyMap<string, object>, { values }: Given, world: World): number {
  const { client, file, table, servers } = found;
  const isOld = (name: string, entry: object) => isDeepStrictEqual(structuredClone(servers[name]), entry);
  const changes = [...entries].filter(([name, entry]) => !isOld(name, entry));
  if (changes.length === 0) {
    world.tell(`${[...entries.keys()].join(', ')}: already in ${file.path}\n`);
    return 0;
  }
  const after = explained(file.path, () =>
    changes.reduce((text, [name, entry]) => withValue(client.syntax, text, [...table, name], entry), file.text),
  );
  const taken = changes.map(([name]) => name).filter((name) => Object.hasOwn(servers, name));
  if (taken.length > 0 && !values.force) {
    world.tell(shownChange(found, after));
    world.tell(`ccmcp: ${taken.join(', ')}: already in ${file.path}, and different; --force replaces it\n`);
    return 1;
  }
  if (values['dry-run']) {
    world.print(shownChange(found, after));
    return 0;
  }
  const backup = writeConfigFile(file, after, world.now());
  world.tell(`Put ${changes.map(([name]) => name).join(', ')} into ${file.path}\n`);
  if (backup !== undefined) world.tell(`The file as it was: ${backup}\n`);
  world.tell(`${client.afterwards}\n`);
  return 0;
}

function printEntries(client: Client, path: string, entries: ReadonlyMap<string, object>, world: World): void {
  const table = client.table(undefined);
  const text = [...entries].reduce((done, [name, entry]) => client.syntax.set(done, [...table, name], entry), '');
  world.tell(`For ${path}:\n`);
  world.print(withoutSecrets(client.syntax, text));
}

/** The entries to be made, by name, in the client's own form. */
function entriesFor(id: string, client: Client, given: Given, world: World): Map<string, object> {
  const { values, positionals } = given;
  const [, ...servers] = positionals;
  const names = values.name === undefined ? servers : [values.name];
  if (names.length === 0) throw new Misuse('name a server');
  if (servers.length > 1 && values.name !== undefined) throw new Misuse('--name is for one server');
  if (names.includes('')) throw new Misuse('a name must not be empty');
  if (values.url !== undefined) {
    if (names.length > 1) throw new Misuse('--url is for one server');
    const entry = remoteEntry(values.url, given);
    if (client.http === undefined) {
      throw new Misuse(
        `${client.title} takes servers with an address in its settings, under Connectors, not in a file`,
      );
    }
    return new Map(names.map((name) => [name, client.http?.(entry, name) ?? {}]));
  }
  if (values.header !== undefined) throw new Misuse('--header needs --url');
  if (servers.length === 0) throw new Misuse('name a server');
  if (/[\\/]_npx[\\/]/.test(world.command)) {
    world.tell('This copy of ccmcp belongs to npx, which may remove it: better run "npm install -g ccmcp" first.\n');
  }
  const pairs = servers.map((server) => [values.name ?? server, localEntry(id, server, given, world)] as const);
  return new Map(pairs.map(([name, entry]) => [name, client.stdio(entry, name)]));
}

function localEntry(id: string, server: string, { values, passed }: Given, world: World) {
  const args = [server, ...passed.map((argument, index) => absolute(argument, passed[index - 1], world))];
  const command = parseCommandLine(args, {});
  if (command.kind === 'mistake') throw new Misuse(command.message);
  if (command.kind !== 'serve') throw new Misuse('what follows -- must be options to serve with');
  if (command.http !== undefined) throw new Misuse('a client starts a server on stdio; for one on HTTP give its --url');
  if (server === 'ccmcp' && id === 'claude-desktop' && !args.some((each) => /^--root(?:=|$)/.test(each))) {
    world.tell('Its file tools will work in the folder that the client starts it in; name one with "-- --root DIR".\n');
  }
  return {
    kind: 'stdio' as const,
    command: world.node,
    args: [world.command, ...args],
    env: Object.fromEntries((values.env ?? []).map((text) => pairOf(text, '=', '--env'))),
  };
}

function remoteEntry(url: string, { values, passed }: Given): Extract<ServerEntry, { kind: 'http' }> {
  if (passed.length > 0) throw new Misuse('a server with an address is running already: it takes no options after --');
  if (values.env !== undefined) throw new Misuse('--env is for a server that the client starts, not for --url');
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new Misuse(`--url must be an address that begins with http:// or https://`);
  }
  const headers = Object.fromEntries((values.header ?? []).map((text) => pairOf(text, ':', '--header')));
  return { kind: 'http', url, headers };
}

/** The parts of `NAME=VALUE` or `Name: value`. The value is not repeated if it is wrong: it may be secret. */
function pairOf(text: string, separator: '=' | ':', option: string): [string, string] {
  const place = text.indexOf(separator);
  const name = text.slice(0, place).trim();
  const value = text.slice(place + 1);
  const isHeader = separator === ':';
  if (place < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n]/.test(value)) {
    throw new Misuse(`${option} must be ${isHeader ? "'NAME: VALUE'" : 'NAME=VALUE'}`);
  }
  return [name, isHeader ? value.trim() : value];
}

const pathOptions = ['--root', '--db'];

/** Clients start servers in folders of their own, so a path must not depend on ours. */
function absolute(argument: string, before: string | undefined, { cwd, home }: World): string {
  const [, option = '', value = ''] = /^(--[\w-]+=)?(.*)$/s.exec(argument) ?? [];
  const isPath = pathOptions.includes(option === '' ? (before ?? '') : option.slice(0, -1)) && !/^\w+:/.test(value);
  if (/^~(?:[\\/]|$)/.test(value)) return option + resolve(home, value.slice(2));
  return isPath || /^\.{1,2}(?:[\\/]|$)/.test(value) ? option + resolve(cwd, value) : argument;
}
