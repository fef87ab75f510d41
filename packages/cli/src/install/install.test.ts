import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Client, fileOf } from './client.ts';
import { clients } from './clients.ts';
import { valueAt } from './edit.ts';
import { samples } from './fixtures/samples.ts';
import { type TestWorld, testWorld } from './fixtures/world.ts';
import { installIn } from './install.ts';
import { json } from './json.ts';
import { type HttpEntry, readEntry } from './server-entry.ts';
import { uninstallIn } from './uninstall.ts';
import { withVariables } from './variables.ts';

const all = Object.entries(clients).map(([id, client]) => ({ id, client, sample: samples[id] as string }));
const stdio = ['ccmcp', '--', '--root', '/srv/notes'];
const http = ['remote', '--url', 'https://example.com/mcp', '--header', 'X-Api-Key: s3cret'];
const node = '/usr/bin/node';
const args = ['/opt/ccmcp/main.cjs', 'ccmcp', '--root', '/srv/notes'];
const url = 'https://example.com/mcp';
const headers = { 'X-Api-Key': 's3cret' };

/** What each client must find in its file. */
const shapes: Record<string, { stdio: object; http?: object }> = {
  'claude-desktop': { stdio: { command: node, args } },
  'claude-code': { stdio: { type: 'stdio', command: node, args }, http: { type: 'http', url, headers } },
  cursor: { stdio: { command: node, args }, http: { url, headers } },
  vscode: { stdio: { type: 'stdio', command: node, args }, http: { type: 'http', url, headers } },
  windsurf: { stdio: { command: node, args }, http: { serverUrl: url, headers } },
  zed: { stdio: { source: 'custom', command: node, args }, http: { url, headers } },
  crush: { stdio: { type: 'stdio', command: node, args }, http: { type: 'http', url, headers } },
  codex: { stdio: { command: node, args }, http: { url, http_headers: headers } },
  gemini: { stdio: { command: node, args }, http: { httpUrl: url, headers } },
  opencode: { stdio: { type: 'local', command: [node, ...args] }, http: { type: 'remote', url, headers } },
  goose: {
    stdio: { enabled: true, type: 'stdio', name: 'ccmcp', cmd: node, args, envs: {}, timeout: 300 },
    http: { enabled: true, type: 'streamable_http', name: 'remote', uri: url, headers, timeout: 300 },
  },
};

function place(client: Client, world: TestWorld, text: string | Buffer): string {
  const path = fileOf(client, 'user', world) as string;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function serverIn(client: Client, path: string, name: string): unknown {
  const settings = client.syntax.read(readFileSync(path, 'utf8').replace('\uFEFF', ''));
  return structuredClone(valueAt(settings, [...client.table(settings), name]));
}

/** A line may have got a comma, since it is not the last any more. */
function withoutComma(line: string): string {
  return line.replace(/,(?=\s*(?:\/\/[^\n]*)?$)/, '');
}

function backupsBeside(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.bak-`));
}

describe.each(all)('installing into $client.title', ({ id, client, sample }) => {
  it.each<[string, string]>([
    ['as it is', sample],
    ['with CRLF', sample.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\uFEFF${sample}`],
    ['without a line end at its end', sample.trimEnd()],
    ...(client.syntax === json
      ? [['with tabs', sample.replaceAll(/^ +/gm, (blanks) => '\t'.repeat(blanks.length / 2))] as [string, string]]
      : []),
  ])('keeps every byte of a sample %s, and uninstalling gives it back', async (_, text) => {
    const world = testWorld();
    const path = place(client, world, text);
    chmodSync(path, 0o640);
    expect(await installIn([id, ...stdio], world)).toBe(0);
    const after = readFileSync(path, 'utf8');
    const lines = after.split('\n');
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
      expect(lines.map(withoutComma)).toContain(withoutComma(line));
    }
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const [backup, another] = backupsBeside(path);
    expect(readFileSync(join(dirname(path), String(backup)), 'utf8')).toBe(text);
    expect(another).toBeUndefined();

    expect(await uninstallIn([id, 'ccmcp'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(backupsBeside(path)).toEqual([]);
  });

  it('gives the file back after other changes, without the entry', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    await installIn([id, ...stdio], world);
    const edit = (text: string) => text.replace(/neighbour|VPN|opt\/fs/, 'changed');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    expect(await uninstallIn([id, 'ccmcp'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(edit(sample));
    expect(edit(sample)).not.toBe(sample);
  });

  it.each([
    ['in the same order', ['first', 'second']],
    ['in the other order', ['second', 'first']],
  ])('takes two servers one by one, and gives the file back %s', async (_, order) => {
    const world = testWorld();
    const path = place(client, world, sample);
    await installIn([id, 'ccmcp', '--name', 'first'], world);
    await installIn([id, 'ccmcp', '--name', 'second'], world);
    for (const name of order) expect(await uninstallIn([id, name], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it('takes several servers at once', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    expect(await installIn([id, 'ccmcp', 'moonphase'], world)).toBe(0);
    expect(serverIn(client, path, 'moonphase')).toBeDefined();
    expect(await uninstallIn([id, 'moonphase', 'ccmcp'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it.each([
    ['empty', ''],
    ['blank', '\n'],
  ])('fills a file that is %s, and empties it again', async (_, text) => {
    const world = testWorld();
    const path = place(client, world, text);
    expect(await installIn([id, ...stdio], world)).toBe(0);
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
    expect(await uninstallIn([id, 'ccmcp'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('makes a file that is missing, for its owner only, and removes it again', async () => {
    const world = testWorld();
    expect(await installIn([id, ...stdio], world)).toBe(0);
    const path = fileOf(client, 'user', world) as string;
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
    expect(await uninstallIn([id, 'ccmcp'], world)).toBe(0);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('writes a server with an address in the form of this client', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    const expected = shapes[id]?.http;
    expect(await installIn([id, ...http], world)).toBe(expected === undefined ? 2 : 0);
    expect(serverIn(client, path, 'remote')).toEqual(expected);
    if (expected === undefined) expect(world.told()).toContain('Connectors');
    else expect(await uninstallIn([id, 'remote'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it('shows a difference without writing it, and nothing that is secret', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    const given = shapes[id]?.http === undefined ? [...stdio.slice(0, 1), '--env', 'KEY=s3cret'] : http;
    expect(await installIn([id, ...given, '--dry-run'], world)).toBe(0);
    expect(world.printed()).toMatch(/^\+.*(?:remote|ccmcp)/m);
    expect(world.printed()).toContain('***');
    expect(world.printed()).not.toMatch(/s3cret|neighbour/);
    expect(readFileSync(path, 'utf8')).toBe(sample);
    expect(backupsBeside(path)).toEqual([]);
  });

  it('prints an entry without looking at any file', async () => {
    const world = testWorld();
    const path = place(client, world, '{]');
    expect(await installIn([id, 'ccmcp', '--print', '--', '--root', '/srv/notes'], world)).toBe(0);
    const settings = client.syntax.read(world.printed());
    expect(structuredClone(valueAt(settings, [...client.table(settings), 'ccmcp']))).toEqual(shapes[id]?.stdio);
    expect(readFileSync(path, 'utf8')).toBe('{]');
  });

  it('refuses an entry that says something else, unless forced', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    await installIn([id, 'ccmcp'], world);
    const before = readFileSync(path, 'utf8');
    expect(await installIn([id, ...stdio], world)).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(world.told()).toMatch(/^\+.*\/srv\/notes/m);
    expect(world.told()).toContain('--force');
    expect(await installIn([id, '--force', ...stdio], world)).toBe(0);
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
  });

  it('has nothing to do where the entry is there already', async () => {
    const world = testWorld();
    const path = place(client, world, sample);
    await installIn([id, ...stdio], world);
    const before = readFileSync(path, 'utf8');
    expect(await installIn([id, ...stdio], world)).toBe(0);
    expect(world.told()).toContain('already in');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(backupsBeside(path)).toHaveLength(1);
  });

  it('refuses a file that is malformed, with the place, and writes nothing', async () => {
    const world = testWorld();
    const broken = `${sample}\n"]:[`;
    const path = place(client, world, broken);
    expect(await installIn([id, ...stdio], world)).toBe(1);
    expect(world.told()).toContain(path);
    expect(world.told()).toMatch(/line \d+, column \d+/);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });
});

describe('installing', () => {
  it('follows a link to the real file, and leaves the link', async () => {
    const world = testWorld();
    const path = fileOf(clients.cursor as Client, 'user', world) as string;
    mkdirSync(dirname(path), { recursive: true });
    const real = join(world.home, 'dotfiles-cursor.json');
    writeFileSync(real, '{}\n');
    symlinkSync(real, path);
    expect(await installIn(['cursor', 'ccmcp'], world)).toBe(0);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('ccmcp');
  });

  it('prints its outcome as one line of JSON, and nothing else, with --json', async () => {
    const world = testWorld();
    const path = fileOf(clients.cursor as Client, 'user', world) as string;
    const steps: [typeof installIn, string[], object][] = [
      [installIn, ['cursor', 'ccmcp', '--dry-run'], { changed: false, diff: expect.stringContaining('+') }],
      [installIn, ['cursor', 'ccmcp', '--print'], { changed: false, entry: expect.stringContaining('"ccmcp"') }],
      [installIn, ['cursor', 'ccmcp'], { changed: true }],
      [installIn, ['cursor', 'ccmcp'], { changed: false }],
      [installIn, ['cursor', 'ccmcp', '--force', '--env', 'A=b'], { changed: true, backup: expect.any(String) }],
      [uninstallIn, ['cursor', 'ccmcp', '--dry-run'], { changed: false, diff: expect.stringContaining('-') }],
      [uninstallIn, ['cursor', 'ccmcp'], { changed: true }],
    ];
    let before = 0;
    for (const [act, words, outcome] of steps) {
      expect(await act([...words, '--json'], world)).toBe(0);
      const line = world.printed().slice(before);
      before = world.printed().length;
      expect(line).toMatch(/^.*\n$/);
      expect(JSON.parse(line)).toEqual({ client: 'cursor', servers: ['ccmcp'], file: path, ...outcome });
    }
    expect(world.told()).toBe('');
  });

  it('tells with --json why it was not done as one JSON object on stderr', async () => {
    const world = testWorld();
    await installIn(['cursor', 'ccmcp', '--json'], world);
    expect(await installIn(['cursor', 'ccmcp', '--env', 'A=b', '--json'], world)).toBe(1);
    expect(JSON.parse(world.told())).toMatchObject({
      error: { exitCode: 1, message: expect.stringContaining('--force'), data: { diff: expect.stringContaining('+') } },
    });
  });

  it('edits the file that is named, and makes its folders', async () => {
    const world = testWorld();
    expect(await installIn(['vscode', 'ccmcp', '--file', 'a/b/mcp.json'], world)).toBe(0);
    expect(existsSync(join(world.cwd, 'a', 'b', 'mcp.json'))).toBe(true);
  });

  it('edits the file of the project if that is the scope', async () => {
    const world = testWorld();
    expect(await installIn(['claude-code', 'ccmcp', '--scope', 'project'], world)).toBe(0);
    expect(readdirSync(world.cwd)).toEqual(['.mcp.json']);
  });

  it('keeps to the layout of the second OpenCode where the file has it', async () => {
    const world = testWorld();
    const client = clients.opencode as Client;
    const path = place(client, world, '{\n  "mcp": {\n    "servers": {}\n  }\n}\n');
    await installIn(['opencode', 'ccmcp'], world);
    expect(JSON.parse(readFileSync(path, 'utf8')).mcp).toEqual({ servers: { ccmcp: expect.anything() } });
  });

  it('does not take a server that is called "servers" for that layout', async () => {
    const world = testWorld();
    const client = clients.opencode as Client;
    const path = place(client, world, '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }');
    await installIn(['opencode', 'ccmcp'], world);
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).mcp)).toEqual(['servers', 'ccmcp']);
  });

  it.each([
    [
      ['--root', 'notes'],
      ['--root', 'PROJECT/notes'],
    ],
    [['--root=notes'], ['--root=PROJECT/notes']],
    [
      ['--root', '~/notes'],
      ['--root', 'HOME/notes'],
    ],
    [['--root=~'], ['--root=HOME']],
    [
      ['--root', '/srv'],
      ['--root', '/srv'],
    ],
    [
      ['--log-level', 'debug'],
      ['--log-level', 'debug'],
    ],
  ])('makes paths absolute: %j', async (given, expected) => {
    const world = testWorld();
    await installIn(['cursor', 'ccmcp', '--print', '--', ...given], world);
    const { ccmcp } = JSON.parse(world.printed()).mcpServers;
    const filled = expected.map((text) => text.replace('PROJECT', world.cwd).replace('HOME', world.home));
    expect(ccmcp.args.slice(2)).toEqual(filled);
  });

  it.each(all.map(({ id, client }) => [id, client] as const))(
    "puts a file, a command and an address into the user's %s, and takes them out again",
    async (id, client) => {
      const world = testWorld();
      mkdirSync(world.cwd);
      const file = join(world.cwd, 'tides.js');
      writeFileSync(file, '');
      const path = place(client, world, samples[id] as string);
      expect(await installIn([id, './tides.js', '--', '--max-message', '2048'], world)).toBe(0);
      expect(readEntry(serverIn(client, path, 'tides'))).toMatchObject({
        command: node,
        args: ['/opt/ccmcp/main.cjs', 'serve', file, '--max-message', '2048'],
      });
      expect(
        await installIn([id, '--name', 'tides-2', '--env', 'A=b', '--', process.execPath, 'tides.js', '-x'], world),
      ).toBe(0);
      expect(readEntry(serverIn(client, path, 'tides-2'))).toMatchObject({
        command: process.execPath,
        args: [file, '-x'],
        env: { A: 'b' },
      });
      const isHttp = shapes[id]?.http !== undefined;
      expect(await installIn([id, 'https://mcp.moon.org/mcp'], world)).toBe(isHttp ? 0 : 2);
      if (isHttp) expect(await uninstallIn([id, 'https://mcp.moon.org/mcp'], world)).toBe(0);
      expect(await uninstallIn([id, 'tides', './tides.js'], world)).toBe(0);
      expect(world.told()).toContain('Took tides, tides-2 out of');
      expect(readFileSync(path, 'utf8')).toBe(samples[id]);
    },
  );

  it.each([
    [['localhost:3000/mcp', '--name', 'tides'], 'http://localhost:3000/mcp'],
    [['mcp.moon.org/mcp', '--name', 'tides'], 'https://mcp.moon.org/mcp'],
    [['tides', '--url', '127.0.0.1:3000/mcp'], 'http://127.0.0.1:3000/mcp'],
  ])('%j is understood without a scheme, and so it is taken out again', async (words, url) => {
    const world = testWorld();
    mkdirSync(world.cwd);
    const client = clients.cursor as Client;
    expect(await installIn(['cursor', ...words], world)).toBe(0);
    expect(readEntry(serverIn(client, fileOf(client, 'user', world) as string, 'tides'))).toMatchObject({ url });
    expect(await uninstallIn(['cursor', url.replace(/^https?:\/\//, '')], world)).toBe(0);
  });

  it.each<[string, object, object]>([
    ['claude-code', { env: { A: '${A}' } }, { headers: { Authorization: 'Bearer ${T}', 'X-K': '${K}' } }],
    ['cursor', { env: { A: '${env:A}' } }, { headers: { Authorization: 'Bearer ${env:T}', 'X-K': '${env:K}' } }],
    ['vscode', { env: { A: '${env:A}' } }, { headers: { Authorization: 'Bearer ${env:T}', 'X-K': '${env:K}' } }],
    ['windsurf', { env: { A: '${env:A}' } }, { headers: { Authorization: 'Bearer ${env:T}', 'X-K': '${env:K}' } }],
    ['crush', { env: { A: '$A' } }, { headers: { Authorization: 'Bearer $T', 'X-K': '$K' } }],
    ['codex', { env_vars: ['A'] }, { bearer_token_env_var: 'T', env_http_headers: { 'X-K': 'K' } }],
    ['gemini', { env: { A: '${A}' } }, { headers: { Authorization: 'Bearer ${T}', 'X-K': '${K}' } }],
    ['opencode', { environment: { A: '{env:A}' } }, { headers: { Authorization: 'Bearer {env:T}', 'X-K': '{env:K}' } }],
    [
      'goose',
      { env_keys: ['A'], envs: {} },
      { headers: { Authorization: 'Bearer ${T}', 'X-K': '${K}' }, env_keys: ['T', 'K'] },
    ],
  ])('refers to variables in the way of %s', async (id, local, far) => {
    const world = testWorld();
    const client = clients[id] as Client;
    const path = fileOf(client, 'user', world) as string;
    await installIn([id, 'ccmcp', '--env', 'A=${env:A}'], world);
    expect(serverIn(client, path, 'ccmcp')).toMatchObject(local);
    const headers = ['--header', 'Authorization: Bearer ${env:T}', '--header', 'X-K: ${K}'];
    await installIn([id, url, ...headers], world);
    const entry = serverIn(client, path, 'example');
    expect(entry).toMatchObject(far);
    const values = { env: { T: 't1', K: 'k1' }, home: '/', platform: 'linux', folder: undefined } as const;
    const read = readEntry(entry) as HttpEntry;
    expect(withVariables(read, { ...values, marks: client.marks }).headers).toMatchObject({
      Authorization: 'Bearer t1',
      'X-K': 'k1',
    });
  });

  it('leaves what an editor fills in itself as it is', async () => {
    const world = testWorld();
    await installIn(['vscode', 'ccmcp', '--print', '--env', 'A=${workspaceFolder}/${input:x}'], world);
    expect(world.printed()).toContain('"A": "***"');
    await installIn(['vscode', 'ccmcp', '--env', 'A=${workspaceFolder}/${input:x}'], world);
    const path = fileOf(clients.vscode as Client, 'user', world) as string;
    expect(serverIn(clients.vscode as Client, path, 'ccmcp')).toMatchObject({
      env: { A: '${workspaceFolder}/${input:x}' },
    });
  });

  it('refuses a file that is no module, and options that are not for files', async () => {
    const world = testWorld();
    mkdirSync(world.cwd);
    for (const name of ['server.py', 'server.js']) writeFileSync(join(world.cwd, name), '');
    expect(await installIn(['cursor', './server.py'], world)).toBe(2);
    expect(world.told()).toContain('"-- python server.py"');
    expect(await installIn(['cursor', 'server.py'], world)).toBe(2);
    expect(world.told()).toContain('ccmcp: server.py is no JavaScript or TypeScript');
    expect(await installIn(['cursor', '.'], world)).toBe(2);
    expect(world.told()).toContain('. is a folder: name the file of the server in it');
    expect(await installIn(['cursor', './server.js', '--', '--root', '.'], world)).toBe(2);
    expect(world.told()).toContain('--root is for ready-made servers, not for files');
    expect(await installIn(['cursor', './server.js', '--', '--http'], world)).toBe(2);
    expect(world.told()).toContain('on stdio');
  });

  it('runs batch files of Windows through its shell', async () => {
    const world = testWorld({ platform: 'win32' });
    const bin = join(world.cwd, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'npx.CMD'), '');
    const env = { PATH: bin, ComSpec: 'C:\\cmd.exe', APPDATA: world.home };
    await installIn(['cursor', '--print', '--', `${bin}/npx`, 'tides'], { ...world, env });
    expect(JSON.parse(world.printed()).mcpServers.tides).toEqual({
      command: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', `${bin}/npx.CMD`, 'tides'],
    });
  });

  it('writes variables of the environment', async () => {
    const world = testWorld();
    await installIn(['codex', 'ccmcp', '--env', 'A=b=c', '--env', 'EMPTY='], world);
    expect(
      serverIn(clients.codex as Client, fileOf(clients.codex as Client, 'user', world) as string, 'ccmcp'),
    ).toEqual(expect.objectContaining({ env: { A: 'b=c', EMPTY: '' } }));
  });

  it('shows references to secrets, which are none', async () => {
    const world = testWorld();
    await installIn(['cursor', 'x', '--url', url, '--header', 'Authorization: Bearer ${env:TOKEN}', '--print'], world);
    expect(world.printed()).toContain('Bearer ${env:TOKEN}');
  });

  it('warns of a copy that belongs to npx', async () => {
    const world = testWorld({ command: '/home/ann/.npm/_npx/1a2b/node_modules/ccmcp/dist/main.cjs' });
    await installIn(['cursor', 'ccmcp', '--print'], world);
    expect(world.told()).toContain('npm install -g ccmcp');
  });

  it.each([
    [[], 'name a client'],
    [['emacs', 'ccmcp'], 'unknown client: emacs'],
    [['vscod', 'ccmcp'], 'Did you mean "vscode"?'],
    [['claude', 'ccmcp'], 'Did you mean "claude-desktop"?'],
    [['cursor'], 'name a server'],
    [['cursor', 'nonsense'], 'unknown server: nonsense'],
    [['cursor', 'ccmcp', '--nonsense'], '--nonsense'],
    [['cursor', 'ccmcp', '--', '--nonsense'], 'There is no option --nonsense.'],
    [['cursor', 'ccmcp', '--', '--http'], 'give its URL'],
    [['cursor', './none.js'], 'there is no file ./none.js\n'],
    [['cursor', '--', 'node', 'none.js'], 'there is no file none.js'],
    [['cursor', '--', 'no-such-command'], '"no-such-command" is not on the PATH'],
    [['cursor', '--header', 'A: s3cret', '--', 'node'], '--header needs a URL'],
    [['cursor', '--'], 'name a server'],
    [['cursor', 'ccmcp', '--name', 'a+b'], '"--name a-b" will do'],
    [['codex', 'a b', '--url', url], '"--name a-b" will do'],
    [['cursor', 'https://a.example.com/', 'https://b.example.com/'], 'two servers would be called example'],
    [['zed', 'x', '--url', url, '--header', 'A: ${env:B}'], 'Zed fills in no variables: give A its value itself'],
    [['claude-desktop', 'ccmcp', '--env', 'A=${B}'], 'Claude Desktop fills in no variables'],
    [['codex', 'ccmcp', '--env', 'A=${env:B}'], "A can't be B"],
    [['codex', 'x', '--url', url, '--header', 'A: x${env:B}'], 'as a whole value only: A has more'],
    [['cursor', 'ccmcp', '--', '--help'], 'options to serve with'],
    [['cursor', 'ccmcp', 'moonphase', '--name', 'x'], '--name is for one server'],
    [['cursor', 'ccmcp', '--name', ''], 'must not be empty'],
    [['cursor', 'ccmcp', '--header', 'A: s3cret'], '--header needs a URL'],
    [['cursor', 'x', '--url', 'ftp://x'], 'must begin with http://'],
    [['cursor', 'ftp://x'], 'must begin with http://'],
    [['cursor', 'https://u:s3cret@x/'], 'use --header'],
    [['cursor', 'x', 'y', '--url', url], '--url is for one server'],
    [['cursor', 'x', '--url', url, '--header', 's3cret'], '--header must be'],
    [['cursor', 'x', '--url', url, '--env', 'A=s3cret'], '--env is for'],
    [['cursor', 'x', '--url', url, '--', '--root', '.'], 'no options after --'],
    [['cursor', 'ccmcp', '--env', '=s3cret'], '--env must be'],
    [['windsurf', 'ccmcp', '--scope', 'project'], 'Windsurf has no project scope'],
    [['cursor', 'ccmcp', '--scope', 'planet'], '--scope must be'],
  ])('refuses %j', async (given, message) => {
    const world = testWorld();
    expect(await installIn(given, world)).toBe(2);
    expect(world.told()).toContain(message);
    expect(world.told()).toContain('ccmcp install --help');
    expect(world.told()).not.toContain('s3cret');
  });

  it('explains itself', async () => {
    const world = testWorld();
    expect(await installIn(['--help'], world)).toBe(0);
    for (const id of Object.keys(clients)) expect(world.printed()).toContain(id);
  });
});

describe('uninstalling', () => {
  it('shows what would go, and changes nothing', async () => {
    const world = testWorld();
    const path = place(clients.cursor as Client, world, samples.cursor as string);
    expect(await uninstallIn(['cursor', 'postgres', '--dry-run'], world)).toBe(0);
    expect(world.printed()).toMatch(/^-.*postgres-mcp/m);
    expect(world.printed()).not.toContain('neighbour');
    expect(readFileSync(path, 'utf8')).toBe(samples.cursor);
  });

  it('takes out a server that somebody else put in, and keeps a copy', async () => {
    const world = testWorld();
    const path = place(clients.codex as Client, world, samples.codex as string);
    expect(await uninstallIn(['codex', 'context7'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('context7');
    expect(readFileSync(path, 'utf8')).toContain('# reached over the company');
    expect(backupsBeside(path)).toHaveLength(1);
  });

  it('keeps a file that has more in it than we put there', async () => {
    const world = testWorld();
    await installIn(['codex', 'ccmcp'], world);
    const path = fileOf(clients.codex as Client, 'user', world) as string;
    writeFileSync(path, `# mine\n${readFileSync(path, 'utf8')}`);
    expect(await uninstallIn(['codex', 'ccmcp'], world)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('# mine\n');
  });

  it('says so where there is no such server', async () => {
    const world = testWorld();
    place(clients.cursor as Client, world, samples.cursor as string);
    expect(await uninstallIn(['cursor', 'nobody'], world)).toBe(1);
    expect(world.told()).toContain('nobody: not in');
  });

  it('says so where there is no file', async () => {
    const world = testWorld();
    expect(await uninstallIn(['goose', 'ccmcp'], world)).toBe(1);
    expect(world.told()).toContain('ccmcp: not in');
  });

  it.each([[[]], [['cursor']], [['cursor', 'x', '--force']], [['cursor', 'x', '--', 'y']]])(
    'refuses %j',
    async (given) => {
      const world = testWorld();
      expect(await uninstallIn(given, world)).toBe(2);
      expect(world.told()).toContain('ccmcp uninstall --help');
    },
  );
});
