import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addScheme } from '../system/url-from-word.ts';
import { isServerOption, parseServeOptions } from '../servers/serve-options.ts';
import { fileProblem, looksLikeFile } from '../servers/server-file.ts';
import { serverNames } from '../servers/servers.ts';
import { nameOfCommand, nameOfFile, nameOfUrl } from './names.ts';
import { absoluteArgument, absoluteCommand } from '../config/start-command.ts';
import { UsageError } from '../command/usage-error.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from '../config/server-entry.ts';
import type { Environment } from '../system/environment.ts';

/** The servers to install, as the command line describes them. */
export interface InstallRequest {
  /** Names, files and URLs, as typed. */
  words: readonly string[];
  /** The words after `--`: options of the servers, or a command if no server is named. */
  passed: readonly string[];
  name?: string | undefined;
  url?: string | undefined;
  header?: readonly string[] | undefined;
  env?: readonly string[] | undefined;
}

/** The entries to install, by name. */
export function serverEntries(request: InstallRequest, environment: Environment): Map<string, ServerEntry> {
  const { words, name } = request;
  const url = request.url && addScheme(request.url, environment.cwd);
  if (url !== undefined) {
    const [called, another] = words;
    if (another !== undefined) throw new UsageError('--url is for one server');
    return new Map([[name ?? called ?? nameOfUrl(parseUrl(url)), remoteEntry(url, request)]]);
  }
  if (words.length === 0) {
    const [program, ...args] = request.passed;
    if (program === undefined)
      throw new UsageError('name a server: one of ours, a file, a URL, or a command after "--"');
    return new Map([[name ?? nameOfCommand(program, args, environment), commandEntry(request, environment)]]);
  }
  if (words[0] === 'gateway') return new Map([[name ?? 'gateway', gatewayEntry(request, environment)]]);
  if (words.length > 1 && name !== undefined) throw new UsageError('--name is for one server');
  const found = words.map((word) => entryFor(word, request, environment));
  const twice = found.find(([called], index) => found.findIndex(([other]) => other === called) !== index);
  if (twice !== undefined)
    throw new UsageError(`two servers would be called ${twice[0]}: install one at a time, with --name`);
  return new Map(name === undefined ? found : found.map(([, entry]) => [name, entry]));
}

function entryFor(given: string, request: InstallRequest, environment: Environment): [string, ServerEntry] {
  const word = addScheme(given, environment.cwd);
  if (isUrl(word)) return [nameOfUrl(parseUrl(word)), remoteEntry(word, request)];
  if (request.header !== undefined) throw new UsageError('--header needs a URL: it is for servers with an address');
  const isReady = serverNames.some((each) => each === word);
  const path = resolve(environment.cwd, word.replace(/^~(?=[\\/])/, environment.home));
  if (looksLikeFile(word) || (!isReady && existsSync(path))) {
    return [nameOfFile(path, environment), fileEntry(word, path, request, environment)];
  }
  if (!isReady) {
    throw new UsageError(
      `unknown server: ${word}; there are ${serverNames.join(', ')}, a file such as ./${word}.js, a URL, or "-- COMMAND"`,
    );
  }
  return [word, readyEntry(word, request, environment)];
}

/** Whether a word on the command line is the address of a server. */
export function isUrl(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/** A ready-made server, with its options checked. */
function readyEntry(server: string, { passed, env }: InstallRequest, environment: Environment): StdioEntry {
  const args = [server, ...passed.map((argument, index) => absoluteArgument(argument, passed[index - 1], environment))];
  checkServing(args);
  return selfEntry(args, env, environment);
}

function checkServing(args: readonly string[]): void {
  const command = parseServeOptions(args, {});
  if (command.kind === 'mistake') throw new UsageError(command.message);
  if (command.kind !== 'serve') throw new UsageError('what follows -- must be options to serve with');
  if (command.http !== undefined)
    throw new UsageError('a client starts a server on stdio; for one on HTTP give its URL');
}

/** A file of the user's own, served by this command. */
function fileEntry(word: string, path: string, { passed, env }: InstallRequest, environment: Environment): StdioEntry {
  const problem = fileProblem(word, path);
  if (problem !== undefined) throw new UsageError(problem);
  const foreign = passed.find(isServerOption);
  if (foreign !== undefined) throw new UsageError(`${foreign} is for ready-made servers, not for files`);
  checkServing(passed);
  return selfEntry(['serve', path, ...passed], env, environment);
}

/** A gateway over a file, served by this command. */
function gatewayEntry({ words, passed, env, header }: InstallRequest, environment: Environment): StdioEntry {
  const [, file, another] = words;
  if (file === undefined || another !== undefined) throw new UsageError('a gateway needs one file: gateway FILE');
  if (header !== undefined) throw new UsageError('--header needs a URL: it is for servers with an address');
  const path = resolve(environment.cwd, file.replace(/^~(?=[\\/])/, environment.home));
  if (!existsSync(path)) throw new UsageError(`there is no file ${file}`);
  checkServing(passed);
  return selfEntry(['gateway', path, ...passed], env, environment);
}

/** A command that starts a server, made independent of this shell and folder. */
function commandEntry({ passed, env, header }: InstallRequest, environment: Environment): StdioEntry {
  if (header !== undefined) throw new UsageError('--header needs a URL: it is for servers with an address');
  const { command, args } = absoluteCommand(passed, environment);
  return { kind: 'stdio', command, args: [...args], env: parseVariables(env) };
}

function selfEntry(args: readonly string[], env: readonly string[] | undefined, environment: Environment): StdioEntry {
  if (/[\\/]_npx[\\/]/.test(environment.command)) {
    environment.printStderr(
      'This copy of ccmcp belongs to npx, which may remove it: better run "npm install -g ccmcp" first.\n',
    );
  }
  return { kind: 'stdio', command: environment.node, args: [environment.command, ...args], env: parseVariables(env) };
}

function remoteEntry(url: string, { passed, header, env }: InstallRequest): HttpEntry {
  if (passed.length > 0)
    throw new UsageError('a server with an address is running already: it takes no options after --');
  if (env !== undefined)
    throw new UsageError('--env is for a server that the client starts, not for one with an address');
  const { username, password } = parseUrl(url);
  if (username !== '' || password !== '')
    throw new UsageError('a password does not belong into an address: use --header');
  return {
    kind: 'http',
    url,
    headers: Object.fromEntries((header ?? []).map((text) => parsePair(text, ':', '--header'))),
  };
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError('the address of a server must begin with http:// or https://');
  }
  return new URL(text);
}

function parseVariables(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(given.map((text) => parsePair(text, '=', '--env')));
}

/** The parts of `NAME=VALUE` or `Name: value`. The value is not repeated if it is wrong: it may be secret. */
function parsePair(text: string, separator: '=' | ':', option: string): [string, string] {
  const at = text.indexOf(separator);
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1);
  const isHeader = separator === ':';
  if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n]/.test(value)) {
    throw new UsageError(`${option} must be ${isHeader ? "'NAME: VALUE'" : 'NAME=VALUE'}`);
  }
  return [name, isHeader ? value.trim() : value];
}
