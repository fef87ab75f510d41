import { limits, type LogLevel, logLevels } from '@ccmcp/core';
import manifest from '../package.json' with { type: 'json' };
import { help } from './help.ts';
import { type ServerName, serverNames } from './servers.ts';

/** What to serve, and how. */
export interface ServeCommand {
  kind: 'serve';
  /** One, or several that are joined. */
  servers: ServerName[];
  root: string;
  /** Where notes are kept, if not where they usually are. */
  db?: string;
  logLevel: LogLevel;
  framing: 'auto' | 'newline' | 'content-length';
  maxMessage: number;
  /** Absent: on stdio. */
  http?: HttpPlace;
  /** The environment variable that holds the key, or several separated by commas, that callers must send. */
  apiKeyVariable?: string;
  apiKeyHeader?: string;
  allowHosts: string[];
  allowOrigins: string[];
  sse: boolean;
  publicWithoutAuth: boolean;
  allowShutdown: boolean;
}

/** Where to listen; what is absent is the server's own default. */
export interface HttpPlace {
  host?: string;
  port?: number;
}

/** What the user wants: to serve, to read something, or something that can't be understood. */
export type Command = ServeCommand | { kind: 'print'; text: string } | { kind: 'mistake'; message: string };

class Mistake extends Error {}

interface Flag {
  takes: 'nothing' | 'a value' | 'perhaps a value';
  /** `value` is empty where none was given. */
  apply(command: ServeCommand, value: string, name: string): void;
}

const flags: Record<string, Flag> = {
  '--root': { takes: 'a value', apply: (command, value) => (command.root = value) },
  '--db': { takes: 'a value', apply: (command, value) => (command.db = value) },
  '--log-level': {
    takes: 'a value',
    apply: (command, value, name) => (command.logLevel = oneOf(name, value, logLevels)),
  },
  '--framing': {
    takes: 'a value',
    apply: (command, value, name) => (command.framing = oneOf(name, value, ['auto', 'newline', 'content-length'])),
  },
  '--max-message': { takes: 'a value', apply: (command, value, name) => (command.maxMessage = bytes(name, value)) },
  '--http': { takes: 'perhaps a value', apply: (command, value, name) => (command.http = place(name, value)) },
  '--api-key-env': { takes: 'a value', apply: (command, value) => (command.apiKeyVariable = value) },
  '--api-key-header': { takes: 'a value', apply: (command, value) => (command.apiKeyHeader = value) },
  '--allow-host': { takes: 'a value', apply: (command, value) => command.allowHosts.push(value) },
  '--allow-origin': { takes: 'a value', apply: (command, value) => command.allowOrigins.push(value) },
  '--sse': { takes: 'nothing', apply: (command) => (command.sse = true) },
  '--public-without-auth': { takes: 'nothing', apply: (command) => (command.publicWithoutAuth = true) },
  '--allow-shutdown': { takes: 'nothing', apply: (command) => (command.allowShutdown = true) },
};

/** Flags that mean something over HTTP only. */
const httpFlags = [
  '--api-key-env',
  '--api-key-header',
  '--allow-host',
  '--allow-origin',
  '--sse',
  '--public-without-auth',
];

/** Reads the command line. Options may be written `--name value` or `--name=value`. */
export function parseCommandLine(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const command: ServeCommand = {
    kind: 'serve',
    servers: ['ccmcp'],
    root: env.CCMCP_ROOT || '.',
    logLevel: 'info',
    framing: 'auto',
    maxMessage: limits.stdio.maxMessage.value,
    allowHosts: [],
    allowOrigins: [],
    sse: false,
    publicWithoutAuth: false,
    allowShutdown: false,
  };
  try {
    return read(command, args);
  } catch (error) {
    if (error instanceof Mistake) return { kind: 'mistake', message: error.message };
    throw error;
  }
}

function read(command: ServeCommand, args: readonly string[]): Command {
  const rest = [...args];
  const given = new Set<string>();
  const names: string[] = [];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') return { kind: 'print', text: help };
    if (argument === '--version') return { kind: 'print', text: `${manifest.version}\n` };
    if (!argument.startsWith('-')) {
      names.push(argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) throw new Mistake(`unknown option: ${name}`);
    const value = equals === -1 ? nextValue(flag, name, rest) : ownValue(flag, name, argument.slice(equals + 1));
    flag.apply(command, value, name);
    given.add(name);
  }
  if (names.length > 0) command.servers = names.map(serverName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Mistake(`${twice} is named twice`);
  const unused = command.http === undefined ? httpFlags.find((name) => given.has(name)) : undefined;
  if (unused !== undefined) throw new Mistake(`${unused} needs --http`);
  return command;
}

/** The value after `=`. */
function ownValue({ takes }: Flag, name: string, value: string): string {
  if (takes === 'nothing') throw new Mistake(`${name} takes no value`);
  if (value === '') throw new Mistake(`${name} needs a value`);
  return value;
}

/** The argument that follows, where it can be the flag's value. */
function nextValue({ takes }: Flag, name: string, rest: string[]): string {
  if (takes === 'nothing') return '';
  const [next = ''] = rest;
  // A server's name may follow here, so only what ends like an address is taken for one.
  if (takes === 'perhaps a value' && !/\d$/.test(next)) return '';
  if (next === '' || next.startsWith('--')) throw new Mistake(`${name} needs a value`);
  return rest.shift() as string;
}

function serverName(name: string): ServerName {
  const known = serverNames.find((candidate) => candidate === name);
  if (known === undefined) throw new Mistake(`unknown server: ${name}; there are ${serverNames.join(', ')}`);
  return known;
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw new Mistake(`${name} must be one of ${choices.join(', ')}: ${value}`);
  return choice;
}

function bytes(name: string, value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 1024) {
    throw new Mistake(`${name} must be a whole number of at least 1024: ${value}`);
  }
  return number;
}

function place(name: string, value: string): HttpPlace {
  if (value === '') return {};
  const parts = /^(?:(.+):)?(\d{1,5})$/.exec(value);
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) throw new Mistake(`${name} must be PORT or HOST:PORT: ${value}`);
  const host = parts[1]?.replace(/^\[(.*)\]$/, '$1');
  return host === undefined ? { port } : { host, port };
}
