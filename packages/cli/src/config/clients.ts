import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { HttpEntry, StdioEntry } from './server-entry.ts';
import type { Path, Syntax } from './file/syntax.ts';
import {
  type VariableSyntax,
  bearerVariable,
  splitByVariable,
  passedVariables,
  variablesIn,
  rejectReferences,
  writeReferences,
} from './variables.ts';
import type { Location } from '../system/environment.ts';
import { didYouMean } from '../command/suggest.ts';
import { UsageError } from '../command/usage-error.ts';
import { isRecord } from '../system/record.ts';
import { valueAt } from './file/edit.ts';
import { json } from './file/json.ts';
import { toml } from './file/toml.ts';
import { yaml } from './file/yaml.ts';

/** Whether an entry is for the user, or for one folder. */
export type Scope = 'user' | 'project';

/** A rule for names that only this client has. */
export interface NameRule {
  fits: RegExp;
  /** The problem with a name that doesn't match. */
  says: string;
}

/** A program that MCP servers can be installed into. */
export interface Client {
  title: string;
  /** The name by which it introduces itself to servers, in `clientInfo`, if that is known. */
  clientInfoName?: string;
  syntax: Syntax;
  /** It reads strict JSON: a comment or a trailing comma makes it ignore the whole file. */
  rejectsComments?: true;
  /** Its file for each scope. Of several, the first that exists, or else the first. */
  files: Partial<Record<Scope, (location: Location) => string[]>>;
  /** The path of the servers in the file; it may depend on the content. */
  table(settings: unknown): Path;
  /** More paths with servers, which are read but not written. */
  otherTables?(location: Location): Path[];
  names?: NameRule;
  /** The maximum length of a server name and a tool name together, above which the client drops the tool. */
  maxToolName?: number;
  /** The syntax of variables that it expands in an entry. */
  marks: VariableSyntax;
  stdio(entry: StdioEntry, name: string): object;
  /** Absent if the client supports no such servers. References to variables are written in the client's own syntax. */
  http?(entry: HttpEntry, name: string): object;
  /** What the user must do for a change to take effect. */
  nextStep: string;
}

/** The file that a client reads in a scope; `undefined` if it knows no such scope. */
export function fileOf(client: Client, scope: Scope, location: Location): string | undefined {
  const candidates = client.files[scope]?.(location) ?? [];
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}

/** A client with the id that the user typed. */
export interface NamedClient {
  id: string;
  client: Client;
}

/** Finds a client by its name. */
export function findClient(id: string | undefined): NamedClient {
  const names = Object.keys(clients).join(', ');
  if (id === undefined) throw new UsageError(`name a client: ${names}`);
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  if (client === undefined)
    throw new UsageError(`unknown client: ${id}; there are ${names}.${didYouMean(id, Object.keys(clients))}`);
  return { id, client };
}

/** The scope that was asked for, or the widest that the client knows. */
export function resolveScope({ title, files }: Client, given: string | undefined): Scope {
  const known = Object.keys(files) as Scope[];
  const scope = known.find((each) => each === (given ?? 'user'));
  if (scope !== undefined) return scope;
  if (given !== 'user' && given !== 'project') throw new UsageError(`--scope must be user or project: ${given}`);
  throw new UsageError(`${title} has no ${given} scope, only ${known.join(' and ')}`);
}

/** Every client, by the name that is given on the command line. */
export const clients: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    clientInfoName: 'claude-ai',
    syntax: json,
    rejectsComments: true,
    files: { user: claudeDesktopFiles },
    table: () => ['mcpServers'],
    marks: 'none',
    stdio: entryWriters(reject('Claude Desktop')).stdio,
    nextStep: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    clientInfoName: 'claude-code',
    syntax: json,
    rejectsComments: true,
    files: {
      user: (location) => [join(location, location.env.CLAUDE_CONFIG_DIR || location.home, '.claude.json')],
      project: inFolder('.mcp.json'),
    },
    table: () => ['mcpServers'],
    otherTables: ({ cwd }) => [['projects', cwd, 'mcpServers']],
    marks: 'braces',
    ...entryWriters(write(toBracedVariable), { stdio: { type: 'stdio' }, http: { type: 'http' } }),
    nextStep: 'Start a new session of Claude Code.',
  },
  cursor: {
    title: 'Cursor',
    clientInfoName: 'cursor-vscode',
    syntax: json,
    files: { user: inHome('.cursor', 'mcp.json'), project: inFolder('.cursor', 'mcp.json') },
    table: () => ['mcpServers'],
    maxToolName: 60,
    marks: 'editor',
    ...entryWriters(write(inEditors)),
    nextStep: 'Cursor reloads it automatically; switch the server on in its settings if asked.',
  },
  vscode: {
    title: 'VS Code',
    clientInfoName: 'Visual Studio Code',
    syntax: json,
    files: {
      user: (location) => [join(location, applicationSupport(location), 'Code', 'User', 'mcp.json')],
      project: inFolder('.vscode', 'mcp.json'),
    },
    table: () => ['servers'],
    marks: 'editor',
    ...entryWriters(write(inEditors), { stdio: { type: 'stdio' }, http: { type: 'http' } }),
    nextStep: 'VS Code reloads it automatically, and asks before it starts the server.',
  },
  windsurf: {
    title: 'Windsurf',
    syntax: json,
    files: { user: inHome('.codeium', 'windsurf', 'mcp_config.json') },
    table: () => ['mcpServers'],
    marks: 'editor',
    ...entryWriters(write(inEditors), { url: 'serverUrl' }),
    nextStep: 'Refresh the MCP servers in the settings of Windsurf.',
  },
  zed: {
    title: 'Zed',
    clientInfoName: 'Zed',
    syntax: json,
    files: {
      user: (location) => [
        location.platform === 'win32'
          ? join(location, applicationSupport(location), 'Zed', 'settings.json')
          : join(location, configHome(location), 'zed', 'settings.json'),
      ],
      project: inFolder('.zed', 'settings.json'),
    },
    table: () => ['context_servers'],
    marks: 'none',
    ...entryWriters(reject('Zed'), { stdio: { source: 'custom' } }),
    nextStep: 'Zed reloads it automatically.',
  },
  crush: {
    title: 'Crush',
    syntax: json,
    files: {
      user: (location) => [
        location.platform === 'win32'
          ? join(location, localApplicationData(location), 'crush', 'crush.json')
          : join(location, configHome(location), 'crush', 'crush.json'),
      ],
      project: (location) => [...inFolder('crush.json')(location), ...inFolder('.crush.json')(location)],
    },
    table: () => ['mcp'],
    marks: 'shell',
    ...entryWriters(write(inShells), { stdio: { type: 'stdio' }, http: { type: 'http' } }),
    nextStep: 'Start Crush again.',
  },
  codex: {
    title: 'Codex',
    clientInfoName: 'codex-mcp-client',
    syntax: toml,
    files: {
      user: (location) => [
        join(location, location.env.CODEX_HOME || join(location, location.home, '.codex'), 'config.toml'),
      ],
      project: inFolder('.codex', 'config.toml'),
    },
    table: () => ['mcp_servers'],
    marks: 'braces',
    stdio: codexStdio,
    http: codexHttp,
    nextStep: 'Start a new session of Codex.',
  },
  gemini: {
    title: 'Gemini CLI',
    clientInfoName: 'gemini-cli-mcp-client',
    syntax: json,
    files: { user: inHome('.gemini', 'settings.json'), project: inFolder('.gemini', 'settings.json') },
    table: () => ['mcpServers'],
    marks: 'shell',
    names: { fits: /^[^_]*$/, says: 'it takes what follows a "_" for the name of a tool' },
    ...entryWriters(write(toBracedVariable), { url: 'httpUrl' }),
    nextStep: 'Start Gemini CLI again.',
  },
  opencode: {
    title: 'OpenCode',
    clientInfoName: 'opencode',
    syntax: json,
    files: {
      user: (location) => jsonOrJsonc(location, join(location, configHome(location), 'opencode')),
      project: (location) => [
        ...jsonOrJsonc(location, location.cwd),
        ...jsonOrJsonc(location, join(location, location.cwd, '.opencode')),
      ],
    },
    table: openCodeTable,
    marks: 'curly',
    stdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...omitEmpty({ environment: writeReferences(env, inCurlies) }),
    }),
    http: ({ url, headers }) => ({
      type: 'remote',
      url,
      ...omitEmpty({ headers: writeReferences(headers, inCurlies) }),
    }),
    nextStep: 'Start OpenCode again.',
  },
  goose: {
    title: 'Goose',
    syntax: yaml,
    files: {
      user: (location) => [
        location.platform === 'win32'
          ? join(location, applicationSupport(location), 'Block', 'goose', 'config', 'config.yaml')
          : join(location, configHome(location), 'goose', 'config.yaml'),
      ],
    },
    table: () => ['extensions'],
    marks: 'shell',
    names: { fits: /^[a-z0-9_-]*$/, says: 'it knows servers by names in small letters' },
    stdio: gooseStdio,
    http: gooseHttp,
    nextStep: 'Start a new session of Goose.',
  },
};

/** Writes the variables or headers of an entry in the syntax of a client. */
type TextsWriter = (texts: Record<string, string>) => Record<string, string>;

/** Writes entries in the form that most clients have in common, with more members in front of it. */
function entryWriters(
  writeTexts: TextsWriter,
  { stdio, http, url: urlName = 'url' }: { stdio?: object; http?: object; url?: string } = {},
): Required<Pick<Client, 'stdio' | 'http'>> {
  return {
    stdio: ({ command, args, env }) => ({ ...stdio, command, args, ...omitEmpty({ env: writeTexts(env) }) }),
    http: ({ url, headers }) => ({ ...http, [urlName]: url, ...omitEmpty({ headers: writeTexts(headers) }) }),
  };
}

function write(reference: (variable: string) => string): TextsWriter {
  return (texts) => writeReferences(texts, reference);
}

function reject(title: string): TextsWriter {
  return (texts) => rejectReferences(texts, title);
}

function inHome(...path: string[]): (location: Location) => string[] {
  return (location) => [join(location, location.home, ...path)];
}

function inFolder(...path: string[]): (location: Location) => string[] {
  return (location) => [join(location, location.cwd, ...path)];
}

function toBracedVariable(variable: string): string {
  return `\${${variable}}`;
}

function inEditors(variable: string): string {
  return `\${env:${variable}}`;
}

function inShells(variable: string): string {
  return `$${variable}`;
}

function inCurlies(variable: string): string {
  return `{env:${variable}}`;
}

/** Codex stores references to variables apart from literal values. */
function codexStdio({ command, args, env }: StdioEntry): object {
  const { literals, references } = splitByVariable(env, 'Codex');
  const names = passedVariables(references, 'Codex');
  return { command, args, ...omitEmpty({ env: literals }), ...(names.length > 0 && { env_vars: names }) };
}

function codexHttp({ url, headers }: HttpEntry): object {
  const { bearer, others } = bearerVariable(headers);
  const { literals, references } = splitByVariable(others, 'Codex');
  const token = bearer === undefined ? {} : { bearer_token_env_var: bearer };
  return { url, ...token, ...omitEmpty({ http_headers: literals, env_http_headers: references }) };
}

/** Goose stores secrets elsewhere, or reads its environment; an entry lists their names. */
function gooseStdio({ command, args, env }: StdioEntry, name: string): object {
  const { literals, references } = splitByVariable(env, 'Goose');
  const names = passedVariables(references, 'Goose');
  const keys = names.length > 0 && { env_keys: names };
  return { enabled: true, type: 'stdio', name, cmd: command, args, envs: literals, ...keys, timeout: 300 };
}

function gooseHttp({ url, headers }: HttpEntry, name: string): object {
  const names = variablesIn(headers);
  const written = writeReferences(headers, toBracedVariable);
  const keys = names.length > 0 && { env_keys: names };
  return { enabled: true, type: 'streamable_http', name, uri: url, headers: written, ...keys, timeout: 300 };
}

/** OpenCode 2 nests its servers one level deeper. */
function openCodeTable(settings: unknown): Path {
  const servers = valueAt(settings, ['mcp', 'servers']);
  const isOneServer = isRecord(servers) && typeof servers.type === 'string';
  return isRecord(servers) && !isOneServer ? ['mcp', 'servers'] : ['mcp'];
}

function claudeDesktopFiles(location: Location): string[] {
  const usual = join(location, applicationSupport(location), 'Claude', 'claude_desktop_config.json');
  if (location.platform !== 'win32') return [usual];
  const packages = join(location, localApplicationData(location), 'Packages');
  const fromStore = existsSync(packages) ? readdirSync(packages).filter((name) => name.startsWith('Claude_')) : [];
  const tail = ['LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'];
  return [...fromStore.map((name) => join(location, packages, name, ...tail)), usual];
}

function jsonOrJsonc(location: Location, folder: string): string[] {
  return [join(location, folder, 'opencode.json'), join(location, folder, 'opencode.jsonc')];
}

/** Drops empty records. */
function omitEmpty(parts: Record<string, Record<string, string>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0));
}

/** The settings folder of desktop programs. */
function applicationSupport(location: Location): string {
  if (location.platform === 'win32') return location.env.APPDATA || join(location, location.home, 'AppData', 'Roaming');
  if (location.platform === 'darwin') return join(location, location.home, 'Library', 'Application Support');
  return configHome(location);
}

/** The folder of machine-local data on Windows. */
function localApplicationData(location: Location): string {
  return location.env.LOCALAPPDATA || join(location, location.home, 'AppData', 'Local');
}

/** The settings folder of terminal programs, and on Linux of all. */
function configHome(location: Location): string {
  return location.env.XDG_CONFIG_HOME || join(location, location.home, '.config');
}

/** A path as the platform of the location writes it. */
function join({ platform }: Location, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}
