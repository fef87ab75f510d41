import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { isRecord, valueAt } from './edit.ts';
import { json } from './json.ts';
import type { HttpEntry, StdioEntry } from './server-entry.ts';
import type { Path, Syntax } from './syntax.ts';
import { toml } from './toml.ts';
import type { Place } from './world.ts';
import { yaml } from './yaml.ts';

/** Whether an entry is for all that somebody does, or for one folder. */
export type Scope = 'user' | 'project';

/** A program that MCP servers can be put into. */
export interface Client {
  title: string;
  syntax: Syntax;
  /** It reads plain JSON: a comment or a trailing comma makes it ignore the whole file. */
  refusesComments?: true;
  /** Its file for each scope it knows. Of several, the first that exists is meant, or else the first. */
  files: Partial<Record<Scope, (place: Place) => string[]>>;
  /** Where in the file the servers stand, which may depend on what the file says. */
  table(settings: unknown): Path;
  /** More places with servers, which are looked at but not written to. */
  otherTables?(place: Place): Path[];
  stdio(entry: StdioEntry, name: string): object;
  /** Absent where the file has no place for such servers. */
  http?(entry: HttpEntry, name: string): object;
  /** What somebody must do before a change is seen. */
  afterwards: string;
}

/** Every client, by the name that is given on the command line. */
export const clients: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    syntax: json,
    refusesComments: true,
    files: { user: claudeDesktopFiles },
    table: () => ['mcpServers'],
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env }) }),
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
    stdio: ({ command, args, env }) => ({ type: 'stdio', command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({ type: 'stdio', command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers }) }),
    afterwards: 'VS Code sees it by itself, and asks before it starts the server.',
  },
  windsurf: {
    title: 'Windsurf',
    syntax: json,
    files: { user: (place) => [join(place, place.home, '.codeium', 'windsurf', 'mcp_config.json')] },
    table: () => ['mcpServers'],
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ serverUrl: url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({ source: 'custom', command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({ type: 'stdio', command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ type: 'http', url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ url, ...filled({ http_headers: headers }) }),
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
    stdio: ({ command, args, env }) => ({ command, args, ...filled({ env }) }),
    http: ({ url, headers }) => ({ httpUrl: url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...filled({ environment: env }),
    }),
    http: ({ url, headers }) => ({ type: 'remote', url, ...filled({ headers }) }),
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
    stdio: ({ command, args, env }, name) => ({
      enabled: true,
      type: 'stdio',
      name,
      cmd: command,
      args,
      envs: env,
      timeout: 300,
    }),
    http: ({ url, headers }, name) => ({
      enabled: true,
      type: 'streamable_http',
      name,
      uri: url,
      headers,
      timeout: 300,
    }),
    afterwards: 'Start a new session of Goose.',
  },
};

/** The file that a client reads in a scope; `undefined` if it knows no such scope. */
export function fileOf(client: Client, scope: Scope, place: Place): string | undefined {
  const candidates = client.files[scope]?.(place) ?? [];
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}

/** The second version of OpenCode keeps its servers one step deeper than the first. */
function openCodeTable(settings: unknown): Path {
  const servers = valueAt(settings, ['mcp', 'servers']);
  const isOneServer = isRecord(servers) && typeof servers.type === 'string';
  return isRecord(servers) && !isOneServer ? ['mcp', 'servers'] : ['mcp'];
}

function claudeDesktopFiles(place: Place): string[] {
  const usual = join(place, applicationSupport(place), 'Claude', 'claude_desktop_config.json');
  if (place.platform !== 'win32') return [usual];
  const packages = join(place, localApplicationData(place), 'Packages');
  const fromStore = existsSync(packages) ? readdirSync(packages).filter((name) => name.startsWith('Claude_')) : [];
  const tail = ['LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'];
  return [...fromStore.map((name) => join(place, packages, name, ...tail)), usual];
}

function jsonOrJsonc(place: Place, folder: string): string[] {
  return [join(place, folder, 'opencode.json'), join(place, folder, 'opencode.jsonc')];
}

function applicationSupport(place: Place): string {
  if (place.platform === 'win32') return place.env.APPDATA || join(place, place.home, 'AppData', 'Roaming');
  if (place.platform === 'darwin') return join(place, place.home, 'Library', 'Application Support');
  return configHome(place);
}

function localApplicationData(place: Place): string {
  return place.env.LOCALAPPDATA || join(place, place.home, 'AppData', 'Local');
}

function configHome(place: Place): string {
  return place.env.XDG_CONFIG_HOME || join(place, place.home, '.config');
}

function join({ platform }: Place, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** Leaves out what has nothing in it. */
function filled(parts: Record<string, Record<string, string>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0));
}
