import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, clients } from '../config/clients.ts';
import { checkName, legalName, nameOfCommand, nameOfFile, nameOfUrl } from './names.ts';
import { testEnvironment } from './fixtures/environment.ts';

const ids = Object.keys(clients);

describe("a server's name", () => {
  it.each(ids)('is valid in %s if it is that of a ready-made server', (id) => {
    for (const text of ['ccmcp+notes+moonphase', 'Größe', '@a/b_c.d', '9lives', '---', '', 'x'.repeat(99), '日本']) {
      expect(() => checkName(legalName(text), clients[id] as Client)).not.toThrow();
      expect(legalName(text)).toMatch(/^[a-z][a-z0-9-]{0,23}$/);
    }
  });

  it.each([
    ['ccmcp+notes+moonphase+miniagent+greeting', 'ccmcp-notes-moonphase'],
    ['My Server', 'my-server'],
    ['Café', 'cafe'],
    ['a.b', 'a-b'],
    ['日本', 'server'],
  ])('is made valid: %s', (text, name) => {
    expect(legalName(text)).toBe(name);
  });

  it.each([
    ['claude-code', 'my server', 'letters, digits, "-" and "_"; "--name my-server" will do'],
    ['codex', 'a+b', 'letters, digits, "-" and "_"; "--name a-b" will do'],
    ['cursor', 'x'.repeat(33), 'too little room is left for the names of its tools'],
    ['cursor', '-x', 'must begin with a letter or a digit'],
    ['gemini', 'my_server', 'takes what follows a "_" for the name of a tool; "--name my-server" will do'],
    ['goose', 'GitHub', 'small letters; "--name github" will do'],
    ['zed', '', 'must not be empty'],
    ['zed', '__proto__', 'must begin'],
  ])('is rejected in %s: %s', (id, name, problem) => {
    expect(() => checkName(name, clients[id] as Client)).toThrow(problem);
  });

  it.each([
    ['claude-code', 'My_Server-2'],
    ['goose', 'my_server'],
    ['gemini', 'My-Server'],
  ])('is accepted in %s: %s', (id, name) => {
    expect(() => checkName(name, clients[id] as Client)).not.toThrow();
  });
});

describe('the default name of a server', () => {
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

  it('is that of its package, if the file has none', () => {
    const environment = testEnvironment();
    const file = join(environment.cwd, 'dist', 'index.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(environment.cwd, 'package.json'), '{ "name": "@ann/tide-tables-mcp" }');
    expect(nameOfFile(file, environment)).toBe('tide-tables');
    writeFileSync(join(environment.cwd, 'package.json'), '{ broken');
    expect(nameOfFile(file, environment)).toBe('project');
  });

  it('is read from a Windows path, too', () => {
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
  ])('is read from its host: %s', (url, name) => {
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
  ])('is read from the command: %s', (line, name) => {
    const [command = '', ...args] = line.split(' ');
    expect(nameOfCommand(command, args, { platform: 'linux', cwd: '/home/ann' })).toBe(name);
  });
});
