import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withScheme } from '../util/url-from-word.ts';
import { parseCommandLine, serverFlags } from '../serve/serve-options.ts';
import { fileProblem, looksLikeFile } from '../serve/server-file.ts';
import { serverNames } from '../serve/servers.ts';
import { nameOfCommand, nameOfFile, nameOfUrl } from './default-name.ts';
import { absoluteArgument, absoluteCommand } from './absolute-paths.ts';
import { Misuse } from '../command/usage-error.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from './server-entry.ts';
import type { World } from '../util/environment.ts';

/** What is said on the command line about servers that are to be put into a client. */
export interface Wish {
  /** Names, files and addresses, as they stand there. */
  words: readonly string[];
  /** What stands after `--`: options of the servers, or a command where no server is named. */
  passed: readonly string[];
  name?: string | undefined;
  url?: string | undefined;
  header?: readonly string[] | undefined;
  env?: readonly string[] | undefined;
}

/** The servers that are wanted, by the names that they get. */
export function wantedServers(wish: Wish, world: World): Map<string, ServerEntry> {
  const { words, name } = wish;
  const url = wish.url && withScheme(wish.url, world.cwd);
  if (url !== undefined) {
    const [called, another] = words;
    if (another !== undefined) throw new Misuse('--url is for one server');
    return new Map([[name ?? called ?? nameOfUrl(addressOf(url)), remoteEntry(url, wish)]]);
  }
  if (words.length === 0) {
    const [program, ...args] = wish.passed;
    if (program === undefined) throw new Misuse('name a server: one of ours, a file, a URL, or a command after "--"');
    return new Map([[name ?? nameOfCommand(program, args, world), commandEntry(wish, world)]]);
  }
  if (words.length > 1 && name !== undefined) throw new Misuse('--name is for one server');
  const found = words.map((word) => oneServer(word, wish, world));
  const twice = found.find(([called], index) => found.findIndex(([other]) => other === called) !== index);
  if (twice !== undefined)
    throw new Misuse(`two servers would be called ${twice[0]}: install one at a time, with --name`);
  return new Map(name === undefined ? found : found.map(([, entry]) => [name, entry]));
}

function oneServer(given: string, wish: Wish, world: World): [string, ServerEntry] {
  const word = withScheme(given, world.cwd);
  if (isAddress(word)) return [nameOfUrl(addressOf(word)), remoteEntry(word, wish)];
  if (wish.header !== undefined) throw new Misuse('--header needs a URL: it is for servers with an address');
  const isReady = serverNames.some((each) => each === word);
  const path = resolve(world.cwd, word.replace(/^~(?=[\\/])/, world.home));
  if (looksLikeFile(word) || (!isReady && existsSync(path))) {
    return [nameOfFile(path, world), fileEntry(word, path, wish, world)];
  }
  if (!isReady) {
    throw new Misuse(
      `unknown server: ${word}; there are ${serverNames.join(', ')}, a file such as ./${word}.js, a URL, or "-- COMMAND"`,
    );
  }
  return [word, readyEntry(word, wish, world)];
}

/** Whether a word on the command line is the address of a server. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/** A ready-made server, with its options checked. */
function readyEntry(server: string, { passed, env }: Wish, world: World): StdioEntry {
  const args = [server, ...passed.map((argument, index) => absoluteArgument(argument, passed[index - 1], world))];
  checkServing(args);
  return own(args, env, world);
}

function checkServing(args: readonly string[]): void {
  const command = parseCommandLine(args, {});
  if (command.kind === 'mistake') throw new Misuse(command.message);
  if (command.kind !== 'serve') throw new Misuse('what follows -- must be options to serve with');
  if (command.http !== undefined) throw new Misuse('a client starts a server on stdio; for one on HTTP give its URL');
}

/** A file of the user's own, served by this command. */
function fileEntry(word: string, path: string, { passed, env }: Wish, world: World): StdioEntry {
  const problem = fileProblem(word, path);
  if (problem !== undefined) throw new Misuse(problem);
  const foreign = passed.find((argument) => serverFlags.has(argument.split('=', 1)[0] ?? ''));
  if (foreign !== undefined) throw new Misuse(`${foreign} is for ready-made servers, not for files`);
  checkServing(passed);
  return own(['serve', path, ...passed], env, world);
}

/** A command that starts a server, with nothing in it that depends on this shell and folder. */
function commandEntry({ passed, env, header }: Wish, world: World): StdioEntry {
  if (header !== undefined) throw new Misuse('--header needs a URL: it is for servers with an address');
  const { command, args } = absoluteCommand(passed, world);
  return { kind: 'stdio', command, args: [...args], env: variables(env) };
}

function own(args: readonly string[], env: readonly string[] | undefined, world: World): StdioEntry {
  if (/[\\/]_npx[\\/]/.test(world.command)) {
    world.tell('This copy of ccmcp belongs to npx, which may remove it: better run "npm install -g ccmcp" first.\n');
  }
  return { kind: 'stdio', command: world.node, args: [world.command, ...args], env: variables(env) };
}

function remoteEntry(url: string, { passed, header, env }: Wish): HttpEntry {
  if (passed.length > 0) throw new Misuse('a server with an address is running already: it takes no options after --');
  if (env !== undefined) throw new Misuse('--env is for a server that the client starts, not for one with an address');
  const { username, password } = addressOf(url);
  if (username !== '' || password !== '') throw new Misuse('a password does not belong into an address: use --header');
  return {
    kind: 'http',
    url,
    headers: Object.fromEntries((header ?? []).map((text) => pairOf(text, ':', '--header'))),
  };
}

function addressOf(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Misuse('the address of a server must begin with http:// or https://');
  }
  return new URL(text);
}

function variables(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(given.map((text) => pairOf(text, '=', '--env')));
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
