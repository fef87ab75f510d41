import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, fileOf, type Scope } from './client.ts';
import { clients } from './clients.ts';
import { findServer, namesHere, NoSuchServer } from './find-server.ts';
import { samples } from './fixtures/samples.ts';
import { type TestWorld, testWorld } from './fixtures/environment.ts';

const all = Object.entries(clients).map(([id, client]) => ({ id, client }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** A world in which a server `tides` is configured for a client. */
function worldWith(client: Client, scope: Scope, program: string): TestWorld {
  const world = testWorld();
  const entry = client.stdio({ kind: 'stdio', command: program, args: ['-x'], env: { A: 'b' } }, 'tides');
  const path = fileOf(client, scope, world) as string;
  write(path, client.syntax.set('', [...client.table(undefined), 'tides'], entry));
  return world;
}

function namesIn(word: string, world: TestWorld): readonly string[] {
  try {
    findServer(word, world);
  } catch (error) {
    if (error instanceof NoSuchServer) return error.names;
    throw error;
  }
  throw new Error('it was found');
}

describe('a server that is configured', () => {
  it.each(all)('is found by the name it has in $id', ({ id, client }) => {
    const world = worldWith(client, 'user', '/bin/tides');
    expect(findServer(`${id}:tides`, world)).toEqual({
      entry: { kind: 'stdio', command: '/bin/tides', args: ['-x'], env: { A: 'b' } },
      folder: world.home,
      path: fileOf(client, 'user', world),
      isOn: true,
    });
  });

  it.each(all.filter(({ client }) => client.files.project))('is found in the file that $id has in a folder', (each) => {
    const world = worldWith(each.client, 'project', '/bin/tides');
    expect(findServer(`${each.id}:tides`, world)).toMatchObject({
      entry: { command: '/bin/tides' },
      folder: world.cwd,
      path: fileOf(each.client, 'project', world),
    });
  });

  it("is the user's own, where the folder has one of the same name", () => {
    const world = worldWith(clients.cursor as Client, 'user', '/bin/mine');
    write(join(world.cwd, '.cursor', 'mcp.json'), { mcpServers: { tides: { command: '/bin/theirs' } } });
    expect(findServer('cursor:tides', world)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('.cursor/mcp.json:tides', world)).toMatchObject({ entry: { command: '/bin/theirs' } });
  });

  it('has no name of another kind in mcp.json of the folder, nor is it hidden by what that says', () => {
    const world = worldWith(clients.cursor as Client, 'user', '/bin/mine');
    const theirs = { command: '/bin/theirs' };
    const path = join(world.cwd, 'mcp.json');
    write(path, { mcpServers: { 'cursor:tides': theirs, 'a/b': theirs, 'localhost:80': theirs, cursor: theirs } });
    expect(findServer('cursor:tides', world)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('a/b', world)).toBeUndefined();
    expect(findServer('localhost:80', world)).toBeUndefined();
    expect(findServer('cursor', world)).toMatchObject({ entry: theirs });
    expect(findServer('mcp.json:a/b', world)).toMatchObject({ entry: theirs });
    write(path, '{]');
    expect(findServer('cursor:tides', world)).toMatchObject({ entry: { command: '/bin/mine' } });
    expect(findServer('./a.js', world)).toBeUndefined();
    expect(() => findServer('tides', world)).toThrow('mcp.json is malformed, line 1');
    expect(namesHere(world)).toEqual(['cursor:tides']);
  });

  it('is the one that Claude Code keeps for the folder, before the common one', () => {
    const world = testWorld();
    write(join(world.home, '.claude.json'), {
      mcpServers: { tides: { command: 'common' } },
      projects: { [world.cwd]: { mcpServers: { tides: { command: 'here' } } } },
    });
    expect(findServer('claude-code:tides', world)).toMatchObject({ entry: { command: 'here' }, folder: world.cwd });
  });

  it.each(['mcp.json', '.mcp.json'])('is found by its name alone in a %s of the folder', (name) => {
    const world = testWorld();
    write(join(world.cwd, name), { mcpServers: { tides: { url: 'https://x/', headers: { A: 'b' } } } });
    expect(findServer('tides', world)).toMatchObject({
      entry: { kind: 'http', url: 'https://x/', headers: { A: 'b' } },
      path: join(world.cwd, name),
    });
    expect(findServer(`${name}:tides`, world)).toMatchObject({ entry: { url: 'https://x/' } });
    expect(findServer('moons', world)).toBeUndefined();
  });

  it.each([
    ['some.json', { servers: { tides: { command: 'x' } } }],
    ['some.jsonc', '{ "mcp": { "servers": { "tides": { "command": ["x"] } } } } // mine'],
    ['some.toml', '[mcp_servers.tides]\ncommand = "x"\n'],
    ['dir/some.yaml', 'extensions:\n  tides: { cmd: x }\n'],
  ])('is found in any file of the kind: %s', (name, content) => {
    const world = testWorld();
    write(join(world.cwd, name), content);
    expect(findServer(`${name}:tides`, world)).toMatchObject({ entry: { command: 'x' }, folder: world.cwd });
  });

  it('gets its variables as its client fills them in', () => {
    const world = testWorld({ env: { KEY: 'k1' } });
    write(join(world.home, '.cursor', 'mcp.json'), {
      mcpServers: { tides: { command: '${workspaceFolder}/x', env: { A: '${env:KEY}', B: '${KEY}' } } },
    });
    expect(findServer('cursor:tides', world)?.entry).toMatchObject({
      command: `${world.cwd}/x`,
      env: { A: 'k1', B: '${KEY}' },
    });
  });

  it('may be switched off there', () => {
    const world = testWorld();
    write(join(world.home, '.cursor', 'mcp.json'), { mcpServers: { tides: { command: 'x', disabled: true } } });
    expect(findServer('cursor:tides', world)).toMatchObject({ isOn: false });
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
  ])('is not %s', (word, problem) => {
    const world = testWorld();
    for (const id of ['cursor', 'vscode']) {
      write(fileOf(clients[id] as Client, 'user', world) as string, samples[id]);
    }
    write(join(world.cwd, 'mine.json'), { mcpServers: { odd: {} } });
    write(join(world.cwd, 'broken.json'), '{]');
    expect(() => findServer(word, world)).toThrow(problem);
    expect(() => findServer(word, world)).toThrow(NoSuchServer);
  });

  it('is told among those that there are', () => {
    const world = testWorld();
    write(fileOf(clients.codex as Client, 'user', world) as string, samples.codex);
    write(join(world.home, '.cursor', 'mcp.json'), '{]');
    write(join(world.cwd, 'mcp.json'), { mcpServers: { tides: {} } });
    expect(namesIn('codex:x', world)).toEqual(['context7', 'figma']);
    expect(namesHere(world)).toEqual(['tides', 'codex:context7', 'codex:figma']);
  });

  it.each(['tides', 'x:y', 'C:\\x.js', './a.js', 'a:b.js'])('is not meant by %s', (word) => {
    expect(findServer(word, testWorld())).toBeUndefined();
  });
});
