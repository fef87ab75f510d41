import { existsSync } from 'node:fs';
import { urlMeant } from '../util/url-from-word.ts';
import { didYouMean } from './suggest.ts';
import { type CommandLineMistake, flagNames } from '../serve/serve-options.ts';
import { ownName } from '../util/program-name.ts';
import { isServerFile } from '../serve/server-file.ts';
import { serverNames } from '../serve/servers.ts';

/** Words by which other tools call what a command of ours does. */
export const commandsOfOthers: Readonly<Record<string, string>> = {
  add: 'install CLIENT SERVER',
  config: 'install CLIENT SERVER',
  configure: 'install CLIENT SERVER',
  remove: 'uninstall CLIENT SERVER',
  rm: 'uninstall CLIENT SERVER',
  create: 'new NAME',
  init: 'new NAME',
  scaffold: 'new NAME',
  run: 'serve FILE',
  start: 'serve FILE',
  dev: 'serve FILE --watch',
  watch: 'serve FILE --watch',
  stdio: '[SERVER]',
  http: '[SERVER] --http',
  exec: 'call TARGET TOOL',
  invoke: 'call TARGET TOOL',
  tool: 'call TARGET TOOL',
  tools: 'list TARGET tools',
  resources: 'list TARGET resources',
  prompts: 'list TARGET prompts',
  ls: 'list TARGET',
  discover: 'list TARGET',
  get: 'read TARGET URI',
  check: 'probe TARGET',
  connect: 'shell TARGET',
  debug: 'inspect TARGET',
  inspector: 'inspect TARGET',
  repl: 'shell TARGET',
  status: 'doctor',
  subscribe: 'listen TARGET URI',
  test: 'probe TARGET',
};

/** What an option of other tools is here, as a whole sentence. `value` is what was given with it, if anything. */
const optionsOfOthers: Readonly<Record<string, (value: string) => string>> = {
  '--port': (value) => `To serve over HTTP at a port, write --http ${value || 'PORT'}.`,
  '-p': (value) => `To serve over HTTP at a port, write --http ${value || 'PORT'}.`,
  '--host': (value) => `To serve over HTTP at an address, write --http ${value || 'HOST'}:8080.`,
  '--hostname': (value) => `To serve over HTTP at an address, write --http ${value || 'HOST'}:8080.`,
  '--address': (value) => `To serve over HTTP at an address, write --http ${value || 'HOST:PORT'}.`,
  '--listen': (value) => `To serve over HTTP at an address, write --http ${value || 'HOST:PORT'}.`,
  '--bind': (value) => `To serve over HTTP at an address, write --http ${value || 'HOST:PORT'}.`,
  '--transport': transport,
  '-t': transport,
  '--stdio': () => transport('stdio'),
  '--streamable-http': () => transport('http'),
  '--streamableHttp': () => transport('http'),
  '--verbose': () => 'To see more of what it does, write --log-level debug.',
  '--debug': () => 'To see more of what it does, write --log-level debug.',
  '--quiet': () => 'To see less of what it does, write --log-level error.',
  '--silent': () => 'To see less of what it does, write --log-level error.',
  '-q': () => 'To see less of what it does, write --log-level error.',
  '--api-key': () => 'A key on the command line shows up in lists of processes: name its variable with --api-key-env.',
  '--token': () => 'A key on the command line shows up in lists of processes: name its variable with --api-key-env.',
  '--auth': () =>
    'To ask callers for a key, name the variable that holds it with --api-key-env; for a token, its issuer with --oauth.',
  '--cors': () => 'To let the pages of an origin call, write --allow-origin ORIGIN.',
  '--origin': () => 'To let the pages of an origin call, write --allow-origin ORIGIN.',
  '--dir': folder,
  '--directory': folder,
  '--allowed-directories': folder,
  '--cwd': folder,
  '--path': folder,
  '--database': () => 'To say where notes are kept, write --db FILE.',
  '--watch': () => 'A file of your own is loaded anew with "serve FILE --watch".',
  '--reload': () => 'A file of your own is loaded anew with "serve FILE --watch".',
  '--stateless': () => 'Nothing to set: clients with sessions and without are served alike.',
  '--url': () => 'To use a server that runs elsewhere, write "list URL" or "call URL TOOL".',
  '--method': () =>
    'To send requests to a server, write "list TARGET", "call TARGET TOOL", "read TARGET URI" and so on.',
  '--cli': () => 'To send requests to a server, write "list TARGET", "call TARGET TOOL", "read TARGET URI" and so on.',
  '--tool-name': () => 'To call a tool, write "call TARGET TOOL key=value".',
  '--tool-arg': () => 'To call a tool, write "call TARGET TOOL key=value".',
  '--json': forClients,
  '--header': forClients,
  '-H': forClients,
  '--env': forClients,
  '-e': forClients,
  '--timeout': forClients,
  '--era': forClients,
};

function transport(value: string): string {
  if (value === 'stdio') return 'Leave it out: stdio is what is served unless --http is given.';
  if (value === 'sse') return 'To serve over HTTP, with the older SSE transport too, write --http --sse.';
  return 'To serve over HTTP, write --http [PORT]; on stdio, leave it out.';
}

function folder(value: string): string {
  return `The folder that ccmcp's file tools work in is given with --root ${value || 'DIR'}.`;
}

function forClients(): string {
  return 'It belongs to commands such as list, call and read: "help call" tells how they are used.';
}

/** What is wrong with a command line, and what was probably meant. `commands` are those that a word may have meant. */
export function explained({ message, unknown }: CommandLineMistake, commands: readonly string[] = []): string {
  if (unknown === undefined) return message;
  const hint = 'word' in unknown ? hintForWord(unknown.word, commands) : hintForOption(unknown.option, unknown.value);
  const isCommand = 'word' in unknown && hint !== '';
  return [isCommand ? `there is no command or server ${unknown.word}` : message, hint].filter(Boolean).join('\n');
}

/** What to type instead of an option that there is not; empty where nothing comes near. */
function hintForOption(name: string, value = ''): string {
  const known = Object.hasOwn(optionsOfOthers, name) ? optionsOfOthers[name] : undefined;
  return known === undefined ? didYouMean(name, flagNames).trim() : known(value);
}

/** What to type instead of a word that is neither a command nor a server; empty where nothing comes near. */
function hintForWord(word: string, commands: readonly string[]): string {
  const name = ownName();
  if (isServerFile(word) || (existsSync(word) && /[/\\]/.test(word))) {
    return `To serve a file, write "${name} serve ${word}"; to look at it, "${name} list ${word}".`;
  }
  if (urlMeant(word) !== undefined) return `To look at a server that runs elsewhere, write "${name} list ${word}".`;
  const ours = Object.hasOwn(commandsOfOthers, word) ? commandsOfOthers[word] : undefined;
  if (ours !== undefined) return `Here that is "${name} ${ours}".`;
  return didYouMean(word, [...commands, ...serverNames]).trim();
}
