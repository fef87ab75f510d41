import { existsSync, readdirSync } from 'node:fs';
import type { Client } from './client.ts';
import { isRecord, valueAt } from './config-file/edit.ts';
import { json } from './config-file/json.ts';
import {
  bearerVariable,
  splitByVariable,
  passedVariables,
  variablesIn,
  rejectReferences,
  writeReferences,
} from './references.ts';
import type { HttpEntry, StdioEntry } from './server-entry.ts';
import type { Path } from './config-file/syntax.ts';
import { toml } from './config-file/toml.ts';
import type { Location } from '../util/environment.ts';
import { yaml } from './config-file/yaml.ts';
import { posix, win32 } from 'node:path';

/** Every client, by the name that is given on the command line. */
export const clients: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    syntax: json,
    refusesComments: true,
    files: { user: claudeDesktopFiles },
    table: () => ['mcpServers'],
    marks: 'none',
    stdio: ({ command, args, env }) => ({
      command,
      args,
      ...filled({ env: rejectReferences(env, 'Claude Desktop') }),
    }),
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    syntax: json,
    refusesComments: true,
    files: {
      user: (place) => [join(place, place.env.CLAUDE_CONFIG_DIR || place.home, '.claude.json')],
      project: (place) => [join(place, place.cwd, '.mcp.json')],
    },
    table: () => ['mcpServers'],
    otherTables: ({ cwd }) => [['projects', cwd, 'mcpServers']],
    marks: 'braces',
    stdio: ({ command, args, env }) => ({
      type: 'stdio',
      command,
      args,
      ...filled({ env: writeReferences(env, braced) }),
    }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers: writeReferences(headers, braced) }) }),
    afterwards: 'Start a new session of Claude Code.',
  },
  cursor: {
    title: 'Cursor',
    syntax: json,
    files: {
      user: (place) => [join(place, place.home, '.cursor', 'mcp.json')],
      project: (place) => [join(place, place.cwd, '.cursor', 'mcp.json')],
    },
    table: () => ['mcpServers'],
    longestTool: 60,
    marks: 'editor',
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env: writeReferences(env, inEditors) }) }),
    http: ({ url, headers }) => ({ url, ...filled({ headers: writeReferences(headers, inEditors) }) }),
    afterwards: 'Cursor sees it by itself; switch the server on in its settings if asked.',
  },
  vscode: {
    title: 'VS Code',
    syntax: json,
    files: {
      user: (place) => [join(place, applicationSupport(place), 'Code', 'User', 'mcp.json')],
      project: (place) => [join(place, place.cwd, '.vscode', 'mcp.json')],
    },
    table: () => ['servers'],
    marks: 'editor',
    stdio: ({ command, args, env }) => ({
      type: 'stdio',
      command,
      args,
      ...filled({ env: writeReferences(env, inEditors) }),
    }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers: writeReferences(headers, inEditors) }) }),
    afterwards: 'VS Code sees it by itself, and asks before it starts the server.',
  },
  windsurf: {
    title: 'Windsurf',
    syntax: json,
    files: { user: (place) => [join(place, place.home, '.codeium', 'windsurf', 'mcp_config.json')] },
    table: () => ['mcpServers'],
    marks: 'editor',
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env: writeReferences(env, inEditors) }) }),
    http: ({ url, headers }) => ({ serverUrl: url, ...filled({ headers: writeReferences(headers, inEditors) }) }),
    afterwards: 'Refresh the MCP servers in the settings of Windsurf.',
  },
  zed: {
    title: 'Zed',
    syntax: json,
    files: {
      user: (place) => [
        place.platform === 'win32'
          ? join(place, applicationSupport(place), 'Zed', 'settings.json')
          : join(place, configHome(place), 'zed', 'settings.json'),
      ],
      project: (place) => [join(place, place.cwd, '.zed', 'settings.json')],
    },
    table: () => ['context_servers'],
    marks: 'none',
    stdio: ({ command, args, env }) => ({
      source: 'custom',
      command,
      args,
      ...filled({ env: rejectReferences(env, 'Zed') }),
    }),
    http: ({ url, headers }) => ({ url, ...filled({ headers: rejectReferences(headers, 'Zed') }) }),
    afterwards: 'Zed sees it by itself.',
  },
  crush: {
    title: 'Crush',
    syntax: json,
    files: {
      user: (place) => [
        place.platform === 'win32'
          ? join(place, localApplicationData(place), 'crush', 'crush.json')
          : join(place, configHome(place), 'crush', 'crush.json'),
      ],
      project: (place) => [join(place, place.cwd, 'crush.json'), join(place, place.cwd, '.crush.json')],
    },
    table: () => ['mcp'],
    marks: 'shell',
    stdio: ({ command, args, env }) => ({
      type: 'stdio',
      command,
      args,
      ...filled({ env: writeReferences(env, inShells) }),
    }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers: writeReferences(headers, inShells) }) }),
    afterwards: 'Start Crush again.',
  },
  codex: {
    title: 'Codex',
    syntax: toml,
    files: {
      user: (place) => [join(place, place.env.CODEX_HOME || join(place, place.home, '.codex'), 'config.toml')],
      project: (place) => [join(place, place.cwd, '.codex', 'config.toml')],
    },
    table: () => ['mcp_servers'],
    marks: 'braces',
    stdio: codexStdio,
    http: codexHttp,
    afterwards: 'Start a new session of Codex.',
  },
  gemini: {
    title: 'Gemini CLI',
    syntax: json,
    files: {
      user: (place) => [join(place, place.home, '.gemini', 'settings.json')],
      project: (place) => [join(place, place.cwd, '.gemini', 'settings.json')],
    },
    table: () => ['mcpServers'],
    marks: 'shell',
    names: { fits: /^[^_]*$/, says: 'it takes what follows a "_" for the name of a tool' },
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env: writeReferences(env, braced) }) }),
    http: ({ url, headers }) => ({ httpUrl: url, ...filled({ headers: writeReferences(headers, braced) }) }),
    afterwards: 'Start Gemini CLI again.',
  },
  opencode: {
    title: 'OpenCode',
    syntax: json,
    files: {
      user: (place) => jsonOrJsonc(place, join(place, configHome(place), 'opencode')),
      project: (place) => [
        ...jsonOrJsonc(place, place.cwd),
        ...jsonOrJsonc(place, join(place, place.cwd, '.opencode')),
      ],
    },
    table: openCodeTable,
    marks: 'curly',
    stdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...filled({ environment: writeReferences(env, inCurlies) }),
    }),
    http: ({ url, headers }) => ({ type: 'remote', url, ...filled({ headers: writeReferences(headers, inCurlies) }) }),
    afterwards: 'Start OpenCode again.',
  },
  goose: {
    title: 'Goose',
    syntax: yaml,
    files: {
      user: (place) => [
        place.platform === 'win32'
          ? join(place, applicationSupport(place), 'Block', 'goose', 'config', 'config.yaml')
          : join(place, configHome(place), 'goose', 'config.yaml'),
      ],
    },
    table: () => ['extensions'],
    marks: 'shell',
    names: { fits: /^[a-z0-9_-]*$/, says: 'it knows servers by names in small letters' },
    stdio: gooseStdio,
    http: gooseHttp,
    afterwards: 'Start a new session of Goose.',
  },
};

function braced(variable: string): string {
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
  const { given, held } = splitByVariable(env, 'Codex');
  const names = passedVariables(held, 'Codex');
  return { command, args, ...filled({ env: given }), ...(names.length > 0 && { env_vars: names }) };
}

function codexHttp({ url, headers }: HttpEntry): object {
  const { bearer, others } = bearerVariable(headers);
  const { given, held } = splitByVariable(others, 'Codex');
  const token = bearer === undefined ? {} : { bearer_token_env_var: bearer };
  return { url, ...token, ...filled({ http_headers: given, env_http_headers: held }) };
}

/** Goose stores secrets elsewhere, or reads its environment; an entry lists their names. */
function gooseStdio({ command, args, env }: StdioEntry, name: string): object {
  const { given, held } = splitByVariable(env, 'Goose');
  const names = passedVariables(held, 'Goose');
  const keys = names.length > 0 && { env_keys: names };
  return { enabled: true, type: 'stdio', name, cmd: command, args, envs: given, ...keys, timeout: 300 };
}

function gooseHttp({ url, headers }: HttpEntry, name: string): object {
  const names = variablesIn(headers);
  const written = writeReferences(headers, braced);
  const keys = names.length > 0 && { env_keys: names };
  return { enabled: true, type: 'streamable_http', name, uri: url, headers: written, ...keys, timeout: 300 };
}

/** OpenCode 2 nests its servers one level deeper. */
function openCodeTable(settings: unknown): Path {
  const servers = valueAt(settings, ['mcp', 'servers']);
  const isOneServer = isRecord(servers) && typeof servers.type === 'string';
  return isRecord(servers) && !isOneServer ? ['mcp', 'servers'] : ['mcp'];
}

function claudeDesktopFiles(place: Location): string[] {
  const usual = join(place, applicationSupport(place), 'Claude', 'claude_desktop_config.json');
  if (place.platform !== 'win32') return [usual];
  const packages = join(place, localApplicationData(place), 'Packages');
  const fromStore = existsSync(packages) ? readdirSync(packages).filter((name) => name.startsWith('Claude_')) : [];
  const tail = ['LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'];
  return [...fromStore.map((name) => join(place, packages, name, ...tail)), usual];
}

function jsonOrJsonc(place: Location, folder: string): string[] {
  return [join(place, folder, 'opencode.json'), join(place, folder, 'opencode.jsonc')];
}

/** Drops empty records. */
function filled(parts: Record<string, Record<string, string>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0));
}

/** The settings folder of desktop programs. */
function applicationSupport(place: Location): string {
  if (place.platform === 'win32') return place.env.APPDATA || join(place, place.home, 'AppData', 'Roaming');
  if (place.platform === 'darwin') return join(place, place.home, 'Library', 'Application Support');
  return configHome(place);
}

/** The folder of machine-local data on Windows. */
function localApplicationData(place: Location): string {
  return place.env.LOCALAPPDATA || join(place, place.home, 'AppData', 'Local');
}

/** The settings folder of terminal programs, and on Linux of all. */
function configHome(place: Location): string {
  return place.env.XDG_CONFIG_HOME || join(place, place.home, '.config');
}

/** A path as the platform of the place writes it. */
function join({ platform }: Location, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}
