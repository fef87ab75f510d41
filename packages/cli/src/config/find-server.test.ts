import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, fileOf, type Scope, clients } from './clients.ts';
import { findServer, configuredNames, NoSuchServerError } from './find-server.ts';
import { samples } from '../install/fixtures/samples.ts';
import { type TestEnvironment, testEnvironment } from '../install/fixtures/environment.ts';

const all = Object.entries(clients).map(([id, client]) => ({ id, client }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** An environment in which a client has a server `tides`. */
function worldWith(client: Client, scope: Scope, program: string): TestEnvironment {
  const environment = testEnvironment();
  const entry = client.stdio({ kind: 'stdio', command: program, args: ['-x'], env: { A: 'b' } }, 'tides');
  const path = fileOf(client, scope, environment) as string;
  write(path, client.syntax.set('', [...client.table(undefined), 'tides'], entry));
  return environment;
}

function namesIn(word: string, environment: TestEnvironment): readonly string[] {
  try {
    findServer(word, environment);
  } catch (error) {
    if (error instanceof NoSuchServerError) return error.names;
    throw error;
  }
  throw new Error('it was found');
}

describe('a configured server', () => {
  it.each(all)('is found by its name in $id', ({ id, client }) => {
    const environment = worldWith(client, 'user', '/bin/tides');
    expect(findServer(`${id}:tides`, environment)).toEqual({
      entry: { kind: 'stdio', command: '/bin/tides', args: ['-x'], env: { A: 'b' } },
      folder: environment.home,
      path: fileOf(client, 'user', environment),
      isOn: true,
    });
  });

  it.each(all.filter(({ client }) => client.files.project))("is found in the folder's file of $id", (each) => {
    const environment = worldWith(each.client, 'project', '/bin/tides');
    expect(findServer(`${each.id}:tides`, environment)).toMatchObject({
      entry: { command: '/bin/tides' },
      folder: environment.cwd,
      path: fileOf(each.client, 'project', environment),
    });
  });

  it("is the user's, if the folder has one of the same name", () => {
    const environment = worldWith(clients.cursor as Client, 'user', '/bin/mine');
    write(join(environment.cwd, '.cursor', 'mcp.json'), { mcpServers: { tides: { command: '/bin/theirs' } } });
    expect(findServer('cursor:tides', environment)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('.cursor/mcp.json:tides', environment)).toMatchObject({ entry: { command: '/bin/theirs' } });
  });

  it('is found in mcp.json of the folder by server names only', () => {
    const environment = worldWith(clients.cursor as Client, 'user', '/bin/mine');
    const theirs = { command: '/bin/theirs' };
    const path = join(environment.cwd, 'mcp.json');
    write(path, { mcpServers: { 'cursor:tides': theirs, 'a/b': theirs, 'localhost:80': theirs, cursor: theirs } });
    expect(findServer('cursor:tides', environment)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('a/b', environment)).toBeUndefined();
    expect(findServer('localhost:80', environment)).toBeUndefined();
    expect(findServer('cursor', environment)).toMatchObject({ entry: theirs });
    expect(findServer('mcp.json:a/b', environment)).toMatchObject({ entry: theirs });
    write(path, '{]');
    expect(findServer('cursor:tides', environment)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('./a.js', environment)).toBeUndefined();
    expect(() => findServer('tides', environment)).toThrow('mcp.json is malformed, line 1');
    expect(configuredNames(environment)).toEqual(['cursor:tides']);
  });

  it('is the one that Claude Code has for the folder, before the global one', () => {
    const environment = testEnvironment();
    write(join(environment.home, '.claude.json'), {
      mcpServers: { tides: { command: 'common' } },
      projects: { [environment.cwd]: { mcpServers: { tides: { command: 'here' } } } },
    });
    expect(findServer('claude-code:tides', environment)).toMatchObject({
      entry: { command: 'here' },
      folder: environment.cwd,
    });
  });

  it.each(['mcp.json', '.mcp.json'])('is found by its name alone in a %s of the folder', (name) => {
    const environment = testEnvironment();
    write(join(environment.cwd, name), { mcpServers: { tides: { url: 'https://x/', headers: { A: 'b' } } } });
    expect(findServer('tides', environment)).toMatchObject({
      entry: { kind: 'http', url: 'https://x/', headers: { A: 'b' } },
      path: join(environment.cwd, name),
    });
    expect(findServer(`${name}:tides`, environment)).toMatchObject({ entry: { url: 'https://x/' } });
    expect(findServer('moons', environment)).toBeUndefined();
  });

  it.each([
    ['some.json', { servers: { tides: { command: 'x' } } }],
    ['some.jsonc', '{ "mcp": { "servers": { "tides": { "command": ["x"] } } } } // mine'],
    ['some.toml', '[mcp_servers.tides]\ncommand = "x"\n'],
    ['dir/some.yaml', 'extensions:\n  tides: { cmd: x }\n'],
  ])('is found in any file of the format: %s', (name, content) => {
    const environment = testEnvironment();
    write(join(environment.cwd, name), content);
    expect(findServer(`${name}:tides`, environment)).toMatchObject({
      entry: { command: 'x' },
      folder: environment.cwd,
    });
  });

  it('gets its variables as its client expands them', () => {
    const environment = testEnvironment({ env: { KEY: 'k1' } });
    write(join(environment.home, '.cursor', 'mcp.json'), {
      mcpServers: { tides: { command: '${workspaceFolder}/x', env: { A: '${env:KEY}', B: '${KEY}' } } },
    });
    expect(findServer('cursor:tides', environment)?.entry).toMatchObject({
      command: `${environment.cwd}/x`,
      env: { A: 'k1', B: '${KEY}' },
    });
  });

  it('may be disabled there', () => {
    const environment = testEnvironment();
    write(join(environment.home, '.cursor', 'mcp.json'), { mcpServers: { tides: { command: 'x', disabled: true } } });
    expect(findServer('cursor:tides', environment)).toMatchObject({ isOn: false });
  });

  it.each([
    ['cursor:postgre', 'There is no server "postgre" in Cursor'],
    ['cursor:', 'Which server of Cursor? Write cursor:NAME'],
    ['cursor', 'Which server of Cursor? Write cursor:NAME'],
    ['mine.json', 'Which server of mine.json? Write mine.json:NAME'],
    ['mine.json:', 'Which server of mine.json? Write mine.json:NAME'],
    ['none.json:x', 'There is no file none.json'],
    ['broken.json:x', 'is malformed, line 1'],
    ['mine.json:odd', 'only its client can use it'],
    ['vscode:search', 'its client asks for "key"'],
  ])('is an error for %s', (word, problem) => {
    const environment = testEnvironment();
    for (const id of ['cursor', 'vscode']) {
      write(fileOf(clients[id] as Client, 'user', environment) as string, samples[id]);
    }
    write(join(environment.cwd, 'mine.json'), { mcpServers: { odd: {} } });
    write(join(environment.cwd, 'broken.json'), '{]');
    expect(() => findServer(word, environment)).toThrow(problem);
    expect(() => findServer(word, environment)).toThrow(NoSuchServerError);
  });

  it('is listed with the other configured names', () => {
    const environment = testEnvironment();
    write(fileOf(clients.codex as Client, 'user', environment) as string, samples.codex);
    write(join(environment.home, '.cursor', 'mcp.json'), '{]');
    write(join(environment.cwd, 'mcp.json'), { mcpServers: { tides: {} } });
    expect(namesIn('codex:x', environment)).toEqual(['context7', 'figma']);
    expect(configuredNames(environment)).toEqual(['tides', 'codex:context7', 'codex:figma']);
  });

  it.each(['tides', 'x:y', 'C:\\x.js', './a.js', 'a:b.js'])('is not looked up for the word %s', (word) => {
    expect(findServer(word, testEnvironment())).toBeUndefined();
  });
});
