import { limits, type LogLevel, logLevels, type RateLimit } from '@ccmcp/core';
import manifest from '../../package.json' with { type: 'json' };
import { help } from '../command/help.ts';
import { type ServerName, serverNames } from './servers.ts';

/** What to serve, and how. */
export interface ServeCommand {
  kind: 'serve';
  /** One, or several that are joined. */
  servers: ServerName[];
  /** The folder of the file tools. Absent: the server's own. */
  root?: string;
  /** No tool changes files. */
  readOnly: boolean;
  /** What is deleted is gone, instead of in the trash. */
  hard: boolean;
  /** Where notes are kept, if not where they usually are. */
  db?: string;
  /** All callers have the same notes. */
  sharedNotes: boolean;
  /** Absent: the server's own. */
  logLevel?: LogLevel;
  framing: 'auto' | 'newline' | 'content-length';
  maxMessage: number;
  /** How often one caller may send requests. */
  rateLimit?: RateLimit;
  /** Absent: on stdio. */
  http?: HttpPlace;
  /** The environment variable that holds the key, or several separated by commas, that callers must send. */
  apiKeyVariable?: string;
  apiKeyHeader?: string;
  /** Whose tokens let callers in. Absent: tokens do not count. */
  oauth?: OAuthFlags;
  allowHosts: string[];
  allowOrigins: string[];
  sse: boolean;
  /** The URL of what instances share. Absent: nothing, this process is alone. */
  store?: string;
  publicWithoutAuth: boolean;
  /** How many processes serve. Absent: this one. */
  workers?: number | 'auto';
  /** Probes are told at /healthz and /readyz whether the server is well. */
  health: boolean;
  /** Where operators look. Absent: nowhere. */
  admin?: HttpPlace;
  /** Others may look, too. */
  publicAdmin: boolean;
  /** A page at /inspect shows what the server does. */
  inspector: boolean;
  /** Each request is a line in the log. */
  logRequests: boolean;
  /** The file that gets a line for each request. Absent: none does. */
  audit?: string;
  /** The environment variable that holds the key which its lines are sealed with. */
  auditKeyVariable?: string;
  /** Nothing is served while that file can't be written. */
  auditStrict: boolean;
  allowShutdown: boolean;
}

/** What callers must have a token of, and for what. */
export interface OAuthFlags {
  issuers: string[];
  resource?: string;
  scopes: string[];
  audiences: string[];
}

/** Where to listen; what is absent is the server's own default. */
export interface HttpPlace {
  host?: string;
  port?: number;
}

/** What the user wants: to serve, to read something, or something that can't be understood. */
export type Command = ServeCommand | { kind: 'print'; text: string } | CommandLineMistake;

/** What is wrong with a command line. */
export interface CommandLineMistake {
  kind: 'mistake';
  message: string;
  /** What there is not: a server, or an option with its value. */
  unknown?: { word: string } | { option: string; value: string };
}

class Mistake extends Error {
  constructor(
    message: string,
    readonly unknown?: CommandLineMistake['unknown'],
  ) {
    super(message);
  }
}

interface Flag {
  takes: 'nothing' | 'a value' | 'perhaps a value';
  /** It is for ready-made servers themselves: whoever starts one as a client may give it too. */
  isForServer?: true;
  /** `value` is empty where none was given. */
  apply(command: ServeCommand, value: string, name: string): void;
}

const flags: Record<string, Flag> = {
  '--root': { takes: 'a value', isForServer: true, apply: (command, value) => (command.root = value) },
  '--read-only': { takes: 'nothing', isForServer: true, apply: (command) => (command.readOnly = true) },
  '--hard': { takes: 'nothing', isForServer: true, apply: (command) => (command.hard = true) },
  '--db': { takes: 'a value', isForServer: true, apply: (command, value) => (command.db = value) },
  '--shared-notes': { takes: 'nothing', isForServer: true, apply: (command) => (command.sharedNotes = true) },
  '--log-level': {
    takes: 'a value',
    isForServer: true,
    apply: (command, value, name) => (command.logLevel = oneOf(name, value, logLevels)),
  },
  '--audit': { takes: 'a value', apply: (command, value) => (command.audit = value) },
  '--audit-key-env': { takes: 'a value', apply: (command, value) => (command.auditKeyVariable = value) },
  '--audit-strict': { takes: 'nothing', apply: (command) => (command.auditStrict = true) },
  '--framing': {
    takes: 'a value',
    apply: (command, value, name) => (command.framing = oneOf(name, value, ['auto', 'newline', 'content-length'])),
  },
  '--max-message': { takes: 'a value', apply: (command, value, name) => (command.maxMessage = bytes(name, value)) },
  '--rate-limit': { takes: 'a value', apply: (command, value, name) => (command.rateLimit = rate(name, value)) },
  '--http': { takes: 'perhaps a value', apply: (command, value, name) => (command.http = place(name, value)) },
  '--api-key-env': { takes: 'a value', apply: (command, value) => (command.apiKeyVariable = value) },
  '--api-key-header': { takes: 'a value', apply: (command, value) => (command.apiKeyHeader = value) },
  '--oauth': { takes: 'a value', apply: (command, value) => oauthOf(command).issuers.push(value) },
  '--resource': { takes: 'a value', apply: (command, value) => (oauthOf(command).resource = value) },
  '--scope': { takes: 'a value', apply: (command, value) => oauthOf(command).scopes.push(...value.split(/[ ,]+/)) },
  '--audience': { takes: 'a value', apply: (command, value) => oauthOf(command).audiences.push(value) },
  '--allow-host': { takes: 'a value', apply: (command, value) => command.allowHosts.push(value) },
  '--allow-origin': { takes: 'a value', apply: (command, value) => command.allowOrigins.push(value) },
  '--store': { takes: 'a value', apply: (command, value, name) => (command.store = storeUrl(name, value)) },
  '--sse': { takes: 'nothing', apply: (command) => (command.sse = true) },
  '--public-without-auth': { takes: 'nothing', apply: (command) => (command.publicWithoutAuth = true) },
  '--workers': { takes: 'a value', apply: (command, value, name) => (command.workers = workers(name, value)) },
  '--health': { takes: 'nothing', apply: (command) => (command.health = true) },
  '--admin': { takes: 'a value', apply: (command, value, name) => (command.admin = place(name, value)) },
  '--public-admin': { takes: 'nothing', apply: (command) => (command.publicAdmin = true) },
  '--inspector': { takes: 'nothing', apply: (command) => (command.inspector = true) },
  '--log-requests': { takes: 'nothing', apply: (command) => (command.logRequests = true) },
  '--allow-shutdown': { takes: 'nothing', isForServer: true, apply: (command) => (command.allowShutdown = true) },
};

/** The options there are. */
export const flagNames = [...Object.keys(flags), '--version', '--help'];

/** The flags of ready-made servers themselves, and whether each takes a value. */
export const serverFlags: ReadonlyMap<string, 'string' | 'boolean'> = new Map(
  Object.entries(flags)
    .filter(([, { isForServer }]) => isForServer === true)
    .map(([name, { takes }]) => [name, takes === 'nothing' ? 'boolean' : 'string']),
);

/** Flags that mean something over HTTP only. */
const httpFlags = [
  '--api-key-env',
  '--api-key-header',
  '--oauth',
  '--resource',
  '--scope',
  '--audience',
  '--allow-host',
  '--allow-origin',
  '--sse',
  '--store',
  '--public-without-auth',
  '--workers',
  '--health',
  '--admin',
  '--public-admin',
  '--inspector',
];

/** Flags that mean something with an audit log only. */
const auditFlags = ['--audit-key-env', '--audit-strict'];

/** Reads the command line. Options may be written `--name value` or `--name=value`. */
export function parseCommandLine(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  const command: ServeCommand = {
    kind: 'serve',
    servers: ['ccmcp'],
    ...(env.CCMCP_ROOT && { root: env.CCMCP_ROOT }),
    readOnly: false,
    hard: false,
    sharedNotes: false,
    framing: 'auto',
    maxMessage: limits.stdio.maxMessage.value,
    allowHosts: [],
    allowOrigins: [],
    sse: false,
    publicWithoutAuth: false,
    health: false,
    publicAdmin: false,
    inspector: false,
    logRequests: false,
    auditStrict: false,
    allowShutdown: false,
    ...(env.REDIS_URL && { store: env.REDIS_URL }),
  };
  try {
    return read(command, args);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { message, unknown } = error;
    return { kind: 'mistake', message, ...(unknown !== undefined && { unknown }) };
  }
}

function read(command: ServeCommand, args: readonly string[]): Command {
  const rest = [...args];
  const given = new Set<string>();
  const names: string[] = [];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') {
      for (const name of names) serverName(name);
      return { kind: 'print', text: help };
    }
    if (argument === '--version' || argument === '-v' || argument === '-V')
      return { kind: 'print', text: `${manifest.version}\n` };
    if (!argument.startsWith('-')) {
      names.push(argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) throw unknownOption(name, equals === -1 ? rest[0] : argument.slice(equals + 1));
    const value = equals === -1 ? nextValue(flag, name, rest) : ownValue(flag, name, argument.slice(equals + 1));
    flag.apply(command, value, name);
    given.add(name);
  }
  if (names.length > 0) command.servers = names.map(serverName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Mistake(`${twice} is named twice`);
  const unused = command.http === undefined ? httpFlags.find((name) => given.has(name)) : undefined;
  if (unused !== undefined) throw new Mistake(`${unused} needs --http`);
  if (command.publicAdmin && command.admin === undefined) throw new Mistake('--public-admin needs --admin HOST:PORT');
  const idle = command.audit === undefined ? auditFlags.find((name) => given.has(name)) : undefined;
  if (idle !== undefined) throw new Mistake(`${idle} needs --audit FILE`);
  checkOAuth(command);
  return command;
}

function oauthOf(command: ServeCommand): OAuthFlags {
  command.oauth ??= { issuers: [], scopes: [], audiences: [] };
  return command.oauth;
}

function checkOAuth({ oauth }: ServeCommand): void {
  if (oauth === undefined) return;
  const { issuers, resource, scopes } = oauth;
  if (issuers.length === 0) {
    const [given] = [resource && '--resource', scopes.length > 0 && '--scope', '--audience'].filter(Boolean);
    throw new Mistake(`${String(given)} needs --oauth ISSUER: whose tokens let callers in`);
  }
  if (resource === undefined) {
    throw new Mistake(
      '--oauth needs --resource URL: the public address of this server, such as https://api.example.com/mcp',
    );
  }
}

/** `next` may be its value: what follows it. */
function unknownOption(option: string, next = ''): Mistake {
  return new Mistake(`There is no option ${option}.`, { option, value: next.startsWith('-') ? '' : next });
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
  if (takes === 'perhaps a value' && (next.startsWith('-') || !/\d$/.test(next))) return '';
  if (next === '' || next.startsWith('--')) throw new Mistake(`${name} needs a value`);
  return rest.shift() as string;
}

function serverName(name: string): ServerName {
  const known = serverNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new Mistake(`there is no command or server ${name}; the servers are ${serverNames.join(', ')}`, {
      word: name,
    });
  }
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

function workers(name: string, value: string): number | 'auto' {
  if (value === 'auto') return value;
  const number = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (number < 1) throw new Mistake(`${name} must be a number of processes from 1 to 999, or auto: ${value}`);
  return number;
}

const spans: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };

function rate(name: string, value: string): RateLimit {
  const [, calls, span = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(value) ?? [];
  if (calls === undefined)
    throw new Mistake(`${name} must be a number of requests per s, min or h, such as 100/s: ${value}`);
  return { calls: Number(calls), perMs: spans[span] as number };
}

function storeUrl(name: string, value: string): string {
  // What follows may hold a password.
  if (!/^rediss?(\+\w+)?:\/\//.test(value))
    throw new Mistake(`${name} must be the URL of a Redis, such as redis://HOST:6379`);
  return value;
}

function place(name: string, value: string): HttpPlace {
  if (value === '') return {};
  const parts = /^(?:(.+):)?(\d{1,5})$/.exec(value);
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) throw new Mistake(`${name} must be PORT or HOST:PORT: ${value}`);
  const host = parts[1]?.replace(/^\[(.*)\]$/, '$1');
  return host === undefined ? { port } : { host, port };
}
