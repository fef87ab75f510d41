import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, fileOf, type Scope, clients } from './clients.ts';
import { testEnvironment } from '../install/fixtures/environment.ts';
import type { Location } from '../system/environment.ts';

const linux: Location = { platform: 'linux', env: {}, home: '/home/ann', cwd: '/shop' };
const mac: Location = { platform: 'darwin', env: {}, home: '/Users/ann', cwd: '/shop' };
const windows: Location = { platform: 'win32', env: {}, home: 'C:\\Users\\ann', cwd: 'D:\\shop' };

function file(id: string, scope: Scope, place: Location): string | undefined {
  return fileOf(clients[id] as Client, scope, place);
}

describe("a client's file for the user scope", () => {
  it.each([
    [
      'claude-desktop',
      '/home/ann/.config/Claude/claude_desktop_config.json',
      '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    ['claude-code', '/home/ann/.claude.json', '/Users/ann/.claude.json', 'C:\\Users\\ann\\.claude.json'],
    ['cursor', '/home/ann/.cursor/mcp.json', '/Users/ann/.cursor/mcp.json', 'C:\\Users\\ann\\.cursor\\mcp.json'],
    [
      'vscode',
      '/home/ann/.config/Code/User/mcp.json',
      '/Users/ann/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\mcp.json',
    ],
    [
      'windsurf',
      '/home/ann/.codeium/windsurf/mcp_config.json',
      '/Users/ann/.codeium/windsurf/mcp_config.json',
      'C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json',
    ],
    [
      'zed',
      '/home/ann/.config/zed/settings.json',
      '/Users/ann/.config/zed/settings.json',
      'C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json',
    ],
    [
      'crush',
      '/home/ann/.config/crush/crush.json',
      '/Users/ann/.config/crush/crush.json',
      'C:\\Users\\ann\\AppData\\Local\\crush\\crush.json',
    ],
    ['codex', '/home/ann/.codex/config.toml', '/Users/ann/.codex/config.toml', 'C:\\Users\\ann\\.codex\\config.toml'],
    [
      'gemini',
      '/home/ann/.gemini/settings.json',
      '/Users/ann/.gemini/settings.json',
      'C:\\Users\\ann\\.gemini\\settings.json',
    ],
    [
      'opencode',
      '/home/ann/.config/opencode/opencode.json',
      '/Users/ann/.config/opencode/opencode.json',
      'C:\\Users\\ann\\.config\\opencode\\opencode.json',
    ],
    [
      'goose',
      '/home/ann/.config/goose/config.yaml',
      '/Users/ann/.config/goose/config.yaml',
      'C:\\Users\\ann\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ],
  ])('of %s is at the path of each system', (id, onLinux, onMac, onWindows) => {
    expect([linux, mac, windows].map((place) => file(id, 'user', place))).toEqual([onLinux, onMac, onWindows]);
  });

  it.each<[string, Location, string]>([
    ['vscode', { ...linux, env: { XDG_CONFIG_HOME: '/cfg' } }, '/cfg/Code/User/mcp.json'],
    ['goose', { ...linux, env: { XDG_CONFIG_HOME: '/cfg' } }, '/cfg/goose/config.yaml'],
    ['zed', { ...windows, env: { APPDATA: 'E:\\Data' } }, 'E:\\Data\\Zed\\settings.json'],
    ['crush', { ...windows, env: { LOCALAPPDATA: 'E:\\Local' } }, 'E:\\Local\\crush\\crush.json'],
    ['codex', { ...linux, env: { CODEX_HOME: '/codex' } }, '/codex/config.toml'],
    ['claude-code', { ...linux, env: { CLAUDE_CONFIG_DIR: '/claude' } }, '/claude/.claude.json'],
  ])('of %s follows environment variables', (id, place, path) => {
    expect(file(id, 'user', place)).toBe(path);
  });
});

describe("a client's file for one folder", () => {
  it.each([
    ['claude-code', '/shop/.mcp.json'],
    ['cursor', '/shop/.cursor/mcp.json'],
    ['vscode', '/shop/.vscode/mcp.json'],
    ['zed', '/shop/.zed/settings.json'],
    ['crush', '/shop/crush.json'],
    ['codex', '/shop/.codex/config.toml'],
    ['gemini', '/shop/.gemini/settings.json'],
    ['opencode', '/shop/opencode.json'],
    ['claude-desktop', undefined],
    ['windsurf', undefined],
    ['goose', undefined],
  ])('of %s is %s', (id, path) => {
    expect(file(id, 'project', linux)).toBe(path);
  });

  it.each([
    ['crush', '.crush.json'],
    ['opencode', 'opencode.jsonc'],
    ['opencode', join('.opencode', 'opencode.json')],
  ])('of %s is %s if that exists', (id, name) => {
    const environment = testEnvironment();
    const path = join(environment.cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{}');
    expect(file(id, 'project', environment)).toBe(path);
  });
});
