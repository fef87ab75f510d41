import { existsSync } from 'node:fs';
import type { Command } from '../command/command.ts';
import { urlFromWord } from '../system/url-from-word.ts';
import { didYouMean } from '../command/suggest.ts';
import { type CommandLineMistake, serveOptions } from '../servers/serve-options.ts';
import { selfCommand } from '../system/self-command.ts';
import { isServerFile } from '../servers/server-file.ts';
import { serverNames } from '../servers/servers.ts';

/** Words of other tools for serving. Those for a command are in its row of the table. */
export const servingAliases: Readonly<Record<string, string>> = { stdio: '[SERVER]', http: '[SERVER] --http' };

/** Options of other tools, with a sentence about the option here. `value` is what was given with it; it may be empty. */
const foreignOptions: Readonly<Record<string, (value: string) => string>> = {
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
  '--database': () => 'To choose the database of notes, write --db FILE.',
  '--watch': () => 'To reload a file of your own when it changes, write "serve FILE --watch".',
  '--reload': () => 'To reload a file of your own when it changes, write "serve FILE --watch".',
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

/** Explains the error in a command line, with a suggestion. */
export function explainMistake({ message, unknown }: CommandLineMistake, commands: readonly Command[] = []): string {
  if (unknown === undefined) return message;
  const hint = 'word' in unknown ? hintForWord(unknown.word, commands) : hintForOption(unknown.option, unknown.value);
  const isCommand = 'word' in unknown && hint !== '';
  return [isCommand ? `there is no command or server ${unknown.word}` : message, hint].filter(Boolean).join('\n');
}

/** What to type instead of an unknown option; empty if nothing is close. */
function hintForOption(name: string, value = ''): string {
  const known = Object.hasOwn(foreignOptions, name) ? foreignOptions[name] : undefined;
  if (known !== undefined) return known(value);
  const names = Object.keys(serveOptions).map((each) => `--${each}`);
  return didYouMean(name, names).trim();
}

/** What to type instead of a word that is neither a command nor a server; empty if nothing is close. */
function hintForWord(word: string, commands: readonly Command[]): string {
  const program = selfCommand();
  if (isServerFile(word) || (existsSync(word) && /[/\\]/.test(word))) {
    return `To serve a file, write "${program} serve ${word}"; to look at it, "${program} list ${word}".`;
  }
  if (urlFromWord(word) !== undefined)
    return `To look at a server that runs elsewhere, write "${program} list ${word}".`;
  const [alias] = [servingAliases, ...commands.map(({ aliases }) => aliases ?? {})]
    .filter((aliases) => Object.hasOwn(aliases, word))
    .map((aliases) => aliases[word]);
  if (alias !== undefined) return `Here that is "${program} ${alias}".`;
  const names = commands.map(({ name }) => name).filter((name) => !name.includes(' '));
  return didYouMean(word, [...names, 'help', 'version', ...serverNames]).trim();
}
