import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOfCommand, nameOfFile, nameOfUrl } from './default-name.ts';
import { testWorld } from './fixtures/world.ts';

describe('the name of a server that nobody named', () => {
  it.each([
    ['/home/ann/weather.js', 'weather'],
    ['/home/ann/Weather_Report.mjs', 'weather-report'],
    ['/home/ann/shop/server.js', 'shop'],
    ['/home/ann/shop/dist/index.js', 'shop'],
    ['/home/ann/mcp-server-shop/src/main.ts', 'shop'],
    ['/server.js', 'server'],
  ])('comes from its file or folder: %s', (path, name) => {
    expect(nameOfFile(path, { platform: 'linux' })).toBe(name);
  });

  it('comes from its package, where the file says nothing', () => {
    const world = testWorld();
    const file = join(world.cwd, 'dist', 'index.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(world.cwd, 'package.json'), '{ "name": "@ann/tide-tables-mcp" }');
    expect(nameOfFile(file, world)).toBe('tide-tables');
    writeFileSync(join(world.cwd, 'package.json'), '{ broken');
    expect(nameOfFile(file, world)).toBe('project');
  });

  it('comes from a path of Windows, too', () => {
    expect(nameOfFile('C:\\Users\\ann\\tides\\server.js', { platform: 'win32' })).toBe('tides');
  });

  it.each([
    ['https://mcp.linear.app/mcp', 'linear'],
    ['https://example.com/mcp', 'example'],
    ['https://api.tides.co.uk/', 'tides'],
    ['https://www.mcp.dev/', 'dev'],
    ['http://127.0.0.1:8080/mcp', 'local-8080'],
    ['http://localhost/mcp', 'local'],
    ['http://[::1]:3000/mcp', 'local-3000'],
    ['https://xn--bcher-kva.example/', 'xn-bcher-kva'],
  ])('comes from its host: %s', (url, name) => {
    expect(nameOfUrl(new URL(url))).toBe(name);
  });

  it.each([
    ['npx -y @modelcontextprotocol/server-everything@1.2', 'everything'],
    ['npx some-server --option', 'some-server'],
    ['npx @ann/tides-mcp-server', 'tides'],
    ['/usr/bin/uvx mcp-server-git', 'git'],
    ['uvx --from tides-mcp[all] run', 'tides'],
    ['uvx postgres-mcp', 'postgres'],
    ['pnpm dlx tides', 'tides'],
    ['docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:latest', 'github'],
    ['docker run -i --rm mcp/fetch', 'fetch'],
    ['python -m tide_tables', 'tide-tables'],
    ['node shop/server.js --port 1', 'shop'],
    ['/opt/tides/tides-mcp.exe serve', 'tides'],
    ['deno run npm:tides', 'tides'],
  ])('comes from what a command runs: %s', (line, name) => {
    const [command = '', ...args] = line.split(' ');
    expect(nameOfCommand(command, args, { platform: 'linux', cwd: '/home/ann' })).toBe(name);
  });
});
