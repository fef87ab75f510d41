import { limits, type LogLevel, logLevels, type RateLimit } from '@ccmcp/core';
import manifest from '../../package.json' with { type: 'json' };
import { type Option, readOptions } from '../command/options.ts';
import { UnknownOptionError, UsageError } from '../command/usage-error.ts';
import { defaultCommand, type HttpAddress, type OAuthFlags, type ServeCommand } from './serve-command.ts';
import { type ServerName, serverNames } from './servers.ts';

/** A command line for serving, printing something, or with an error. */
export type ServeCommandLine = ServeCommand | { kind: 'help' } | { kind: 'print'; text: string } | CommandLineMistake;

/** An error in a command line. */
export interface CommandLineMistake {
  kind: 'mistake';
  message: string;
  /** The word or the option that does not exist, for a hint. */
  unknown?: { word: string } | { option: string; value: string };
}

/** A word that names neither a command nor a server. */
class UnknownWordError extends UsageError {
  constructor(readonly word: string) {
    super(`there is no command or server ${word}; the servers are ${serverNames.join(', ')}`);
  }
}

/** An option of serving. */
interface ServeOption extends Option {
  /** An option of ready-made servers: commands that start one accept it too. */
  readonly forServer?: true;
  /** The option that it requires. */
  readonly needs?: '--http' | '--audit FILE';
  /** `value` is empty if none was given. */
  apply(command: ServeCommand, value: string, name: string): void;
}

const framings = ['auto', 'newline', 'content-length'] as const;

/** The options of serving, in the order of the help. */
const options = {
  root: {
    value: 'DIR',
    about: `the folder that ccmcp's file tools work in (default: CCMCP_ROOT, else the
working directory, and the system's temporary folder)`,
    forServer: true,
    completes: 'folders',
    apply: (command, value) => (command.root = value),
  },
  'read-only': {
    about: 'ccmcp: offer no tool that changes files',
    forServer: true,
    apply: (command) => (command.readOnly = true),
  },
  hard: {
    about: 'ccmcp: delete files at once, instead of moving them to the trash in the root',
    forServer: true,
    apply: (command) => (command.hard = true),
  },
  db: {
    value: 'FILE',
    about: 'where notes keeps its notes (default: DATABASE_URL, else a file in your data folder)',
    forServer: true,
    completes: 'files',
    apply: (command, value) => (command.db = value),
  },
  'shared-notes': {
    about: 'all callers share the same notes, authenticated ones too',
    forServer: true,
    apply: (command) => (command.sharedNotes = true),
  },
  'log-level': {
    value: 'LEVEL',
    about: `the least severe log message that is written to stderr and sent to the client:
${logLevels.join(', ')}
(default: info; to clients of ccmcp: debug)`,
    forServer: true,
    choices: logLevels,
    apply: (command, value) => (command.logLevel = value as LogLevel),
  },
  'log-requests': {
    about: 'log each request to stderr: caller, method, duration, outcome; no arguments',
    apply: (command) => (command.logRequests = true),
  },
  'max-message': {
    value: 'BYTES',
    about: `the longest message that is accepted (default: ${limits.stdio.maxMessage.value})`,
    apply: (command, value, name) => (command.maxMessage = bytes(name, value)),
  },
  'rate-limit': {
    value: 'N/s',
    about: 'how many requests per s, min or h one caller may send, such as 100/s (default: no limit)',
    apply: (command, value, name) => (command.rateLimit = rate(name, value)),
  },
  'tool-search': {
    value: '[N]',
    about: 'list search_tools and call_tool instead of more than N tools (default: 40)',
    optionalValue: /^\d+$/,
    apply: (command, value, name) => (command.toolSearch = value === '' ? {} : { above: wholeNumber(name, value) }),
  },
  lock: {
    value: 'FILE',
    about: 'do not start if the server breaks what this lock has, or changes its wording',
    completes: 'files',
    apply: (command, value) => (command.lock = value),
  },
  audit: {
    value: 'FILE',
    about: `append a line to this file for each request: caller, method, outcome; "ccmcp audit
verify FILE" finds lines that were changed or removed`,
    completes: 'files',
    apply: (command, value) => (command.audit = value),
  },
  'audit-key-env': {
    value: 'NAME',
    about: 'the environment variable with a key that seals its lines',
    needs: '--audit FILE',
    apply: (command, value) => (command.auditKeyVariable = value),
  },
  'audit-strict': {
    about: "reject requests while that file can't be written",
    needs: '--audit FILE',
    apply: (command) => (command.auditStrict = true),
  },
  framing: {
    value: 'KIND',
    about: 'on stdio: auto, newline or content-length (default: auto, by the first bytes of the client)',
    choices: framings,
    apply: (command, value) => (command.framing = value as (typeof framings)[number]),
  },
  'allow-shutdown': {
    about: 'moonphase: offer a tool and a request that end it',
    forServer: true,
    apply: (command) => (command.allowShutdown = true),
  },
  http: {
    value: '[[HOST:]PORT]',
    about: 'serve over HTTP at /mcp (default: 127.0.0.1, port 8080; moonphase: 8181)',
    // The name of a server may follow, so only a word that resembles an address is the value.
    optionalValue: /\d$/,
    apply: (command, value, name) => (command.http = parseAddress(name, value)),
  },
  'api-key-env': {
    value: 'NAME',
    about: 'the environment variable with the key that callers must send, or several with commas',
    needs: '--http',
    apply: (command, value) => (command.apiKeyVariable = value),
  },
  'api-key-header': {
    value: 'NAME',
    about: 'the header that carries it (default: X-Api-Key; moonphase: X-Api-Token)',
    needs: '--http',
    apply: (command, value) => (command.apiKeyHeader = value),
  },
  oauth: {
    value: 'ISSUER',
    about: 'accept callers with an access token of this issuer, for this server; may be repeated',
    needs: '--http',
    apply: (command, value) => oauthOf(command).issuers.push(value),
  },
  resource: {
    value: 'URL',
    about: 'with --oauth: the public address of this server, such as https://api.example.com/mcp',
    needs: '--http',
    apply: (command, value) => (oauthOf(command).resource = value),
  },
  scope: {
    value: 'SCOPE',
    about: 'with --oauth: a scope that each token needs; may be repeated',
    needs: '--http',
    apply: (command, value) => oauthOf(command).scopes.push(...value.split(/[ ,]+/)),
  },
  audience: {
    value: 'NAME',
    about: 'with --oauth: the audience of tokens, if not the --resource; may be repeated',
    needs: '--http',
    apply: (command, value) => oauthOf(command).audiences.push(value),
  },
  'allow-host': {
    value: 'HOST',
    about: "a host name under which the server may be reached, beside this machine's; may be repeated",
    needs: '--http',
    apply: (command, value) => command.allowHosts.push(value),
  },
  'allow-origin': {
    value: 'ORIGIN',
    about: `an origin whose pages may call, beside this machine's; may be repeated.
Without one, no preflight is answered`,
    needs: '--http',
    apply: (command, value) => command.allowOrigins.push(value),
  },
  sse: {
    about: 'serve the transport of 2024 too, at /sse and /messages',
    needs: '--http',
    apply: (command) => (command.sse = true),
  },
  store: {
    value: 'URL',
    about: `keep sessions in Redis or PostgreSQL, redis://HOST:PORT, so that several instances can serve them
(default: REDIS_URL, else the memory of this process)`,
    needs: '--http',
    apply: (command, value, name) => (command.store = storeUrl(name, value)),
  },
  'public-without-auth': {
    about: 'listen on a public address without authentication',
    needs: '--http',
    apply: (command) => (command.publicWithoutAuth = true),
  },
  workers: {
    value: 'N',
    about: 'serve with N processes, or with one for each core: auto; not for the server ccmcp',
    needs: '--http',
    apply: (command, value, name) => (command.workers = workers(name, value)),
  },
  health: {
    about: 'serve health checks at /healthz and /readyz, without a key',
    needs: '--http',
    apply: (command) => (command.health = true),
  },
  admin: {
    value: '[HOST:]PORT',
    about: 'an address for operators, with /metrics for Prometheus, /healthz and /readyz (host: 127.0.0.1)',
    needs: '--http',
    apply: (command, value, name) => (command.admin = parseAddress(name, value)),
  },
  'public-admin': {
    about: 'allow a public address for it',
    needs: '--http',
    apply: (command) => (command.publicAdmin = true),
  },
  inspector: {
    about: 'a page at /inspect that shows what the server does, on this machine only',
    needs: '--http',
    apply: (command) => (command.inspector = true),
  },
} as const satisfies Record<string, ServeOption>;

/** The options of serving and, beside them, `--version` and `--help`. */
export const serveOptions: Readonly<Record<keyof typeof options | 'version' | 'help', Option & Partial<ServeOption>>> =
  {
    ...options,
    version: { about: 'print the version; also -v', short: ['v', 'V'] },
    help: { about: 'print this text; also -h. "ccmcp help COMMAND" shows the help of one command', short: ['h'] },
  };

/** The options of ready-made servers themselves, by name without dashes. */
export const serverOptions: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.entries<Option & Partial<ServeOption>>(options).filter(([, { forServer }]) => forServer === true),
);

/** True for an option of ready-made servers, such as `--root` or `--root=DIR`. */
export function isServerOption(word: string): boolean {
  const [typed = ''] = word.split('=', 1);
  return typed.startsWith('--') && Object.hasOwn(serverOptions, typed.slice(2));
}

/** Parses the command line of serving. */
export function parseServeOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeCommandLine {
  const command = defaultCommand(env);
  try {
    return parse(command, args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message } = error;
    if (error instanceof UnknownWordError) return { kind: 'mistake', message, unknown: { word: error.word } };
    if (!(error instanceof UnknownOptionError)) return { kind: 'mistake', message };
    return { kind: 'mistake', message, unknown: { option: error.option, value: error.value } };
  }
}

function parse(command: ServeCommand, args: readonly string[]): ServeCommandLine {
  const given = new Set<string>();
  const names: ServerName[] = [];
  for (const token of readOptions(args, serveOptions, { dashValues: true, nonEmpty: true })) {
    if (token.kind === 'rest') throw new UnknownOptionError('--', '');
    if (token.kind === 'positional') {
      names.push(serverName(token.word));
      continue;
    }
    const { name, value = '' } = token;
    if (name === 'help') return { kind: 'help' };
    if (name === 'version') return { kind: 'print', text: `${manifest.version}\n` };
    serveOptions[name].apply?.(command, value, `--${name}`);
    given.add(name);
  }
  if (names.length > 0) command.servers = names;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice`);
  requireOther('--http', command.http === undefined, given);
  if (command.publicAdmin && command.admin === undefined)
    throw new UsageError('--public-admin needs --admin HOST:PORT');
  requireOther('--audit FILE', command.audit === undefined, given);
  checkOAuth(command);
  return command;
}

/** Rejects an option without the one that it requires. */
function requireOther(needed: NonNullable<ServeOption['needs']>, isMissing: boolean, given: ReadonlySet<string>): void {
  if (!isMissing) return;
  const [stray] = Object.entries(serveOptions).find(([name, { needs }]) => needs === needed && given.has(name)) ?? [];
  if (stray !== undefined) throw new UsageError(`--${stray} needs ${needed}`);
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
    throw new UsageError(`${String(given)} needs --oauth ISSUER: whose tokens let callers in`);
  }
  if (resource === undefined) {
    throw new UsageError(
      '--oauth needs --resource URL: the public address of this server, such as https://api.example.com/mcp',
    );
  }
}

function serverName(name: string): ServerName {
  const known = serverNames.find((candidate) => candidate === name);
  if (known === undefined) throw new UnknownWordError(name);
  return known;
}

function bytes(name: string, value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 1024) {
    throw new UsageError(`${name} must be a whole number of at least 1024: ${value}`);
  }
  return number;
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`${name} must be a whole number: ${value}`);
  return Number(value);
}

function workers(name: string, value: string): number | 'auto' {
  if (value === 'auto') return value;
  const number = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (number < 1) throw new UsageError(`${name} must be a number of processes from 1 to 999, or auto: ${value}`);
  return number;
}

const spans: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };

function rate(name: string, value: string): RateLimit {
  const [, calls, span = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(value) ?? [];
  if (calls === undefined)
    throw new UsageError(`${name} must be a number of requests per s, min or h, such as 100/s: ${value}`);
  return { calls: Number(calls), perMs: spans[span] as number };
}

function storeUrl(name: string, value: string): string {
  // The value may hold a password.
  if (!/^(rediss?(\+\w+)?|postgres(ql)?):\/\//.test(value))
    throw new UsageError(
      `${name} must be the URL of a Redis or PostgreSQL, such as redis://HOST:6379 or postgres://HOST/DATABASE`,
    );
  return value;
}

function parseAddress(name: string, value: string): HttpAddress {
  if (value === '') return {};
  const parts = /^(?:(.+):)?(\d{1,5})$/.exec(value);
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) throw new UsageError(`${name} must be PORT or HOST:PORT: ${value}`);
  const host = parts[1]?.replace(/^\[(.*)\]$/, '$1');
  return host === undefined ? { port } : { host, port };
}
