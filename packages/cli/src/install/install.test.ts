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
import { type Client, fileOf, clients } from '../config/clients.ts';
import { valueAt } from '../config/file/edit.ts';
import { samples } from './fixtures/samples.ts';
import { installIn, uninstallIn, type TestEnvironment, testEnvironment } from './fixtures/environment.ts';
import { json } from '../config/file/json.ts';
import { type HttpEntry, readEntry } from '../config/server-entry.ts';
import { substituteVariables } from '../config/variables.ts';

const all = Object.entries(clients).map(([id, client]) => ({ id, client, sample: samples[id] as string }));
const stdio = ['ccmcp', '--', '--root', '/srv/notes'];
const http = ['remote', '--url', 'https://example.com/mcp', '--header', 'X-Api-Key: s3cret'];
const node = '/usr/bin/node';
const args = ['/opt/ccmcp/main.cjs', 'ccmcp', '--root', '/srv/notes'];
const url = 'https://example.com/mcp';
const headers = { 'X-Api-Key': 's3cret' };

/** The expected entries of each client. */
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

function place(client: Client, environment: TestEnvironment, text: string | Buffer): string {
  const path = fileOf(client, 'user', environment) as string;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function serverIn(client: Client, path: string, name: string): unknown {
  const settings = client.syntax.read(readFileSync(path, 'utf8').replace('\uFEFF', ''));
  return structuredClone(valueAt(settings, [...client.table(settings), name]));
}

/** Removes a comma that the edit added, since the line is no longer the last. */
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
  ])('keeps every byte of a sample %s, and uninstalling restores it', async (_, text) => {
    const environment = testEnvironment();
    const path = place(client, environment, text);
    chmodSync(path, 0o640);
    expect(await installIn([id, ...stdio], environment)).toBe(0);
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

    expect(await uninstallIn([id, 'ccmcp'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(backupsBeside(path)).toEqual([]);
  });

  it('restores the file after other changes, without the entry', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    await installIn([id, ...stdio], environment);
    const edit = (text: string) => text.replace(/neighbour|VPN|opt\/fs/, 'changed');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    expect(await uninstallIn([id, 'ccmcp'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(edit(sample));
    expect(edit(sample)).not.toBe(sample);
  });

  it.each([
    ['in the same order', ['first', 'second']],
    ['in the other order', ['second', 'first']],
  ])('adds two servers one by one, and restores the file %s', async (_, order) => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    await installIn([id, 'ccmcp', '--name', 'first'], environment);
    await installIn([id, 'ccmcp', '--name', 'second'], environment);
    for (const name of order) expect(await uninstallIn([id, name], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it('adds several servers at once', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    expect(await installIn([id, 'ccmcp', 'moonphase'], environment)).toBe(0);
    expect(serverIn(client, path, 'moonphase')).toBeDefined();
    expect(await uninstallIn([id, 'moonphase', 'ccmcp'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it.each([
    ['empty', ''],
    ['blank', '\n'],
  ])('writes to a file that is %s, and empties it again', async (_, text) => {
    const environment = testEnvironment();
    const path = place(client, environment, text);
    expect(await installIn([id, ...stdio], environment)).toBe(0);
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
    expect(await uninstallIn([id, 'ccmcp'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('creates a missing file, private to its owner, and removes it again', async () => {
    const environment = testEnvironment();
    expect(await installIn([id, ...stdio], environment)).toBe(0);
    const path = fileOf(client, 'user', environment) as string;
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
    expect(await uninstallIn([id, 'ccmcp'], environment)).toBe(0);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('writes a server with a URL in the format of this client', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    const expected = shapes[id]?.http;
    expect(await installIn([id, ...http], environment)).toBe(expected === undefined ? 2 : 0);
    expect(serverIn(client, path, 'remote')).toEqual(expected);
    if (expected === undefined) expect(environment.stderr()).toContain('Connectors');
    else expect(await uninstallIn([id, 'remote'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(sample);
  });

  it('shows a diff without writing it, and without secrets', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    const given = shapes[id]?.http === undefined ? [...stdio.slice(0, 1), '--env', 'KEY=s3cret'] : http;
    expect(await installIn([id, ...given, '--dry-run'], environment)).toBe(0);
    expect(environment.printed()).toMatch(/^\+.*(?:remote|ccmcp)/m);
    expect(environment.printed()).toContain('***');
    expect(environment.printed()).not.toMatch(/s3cret|neighbour/);
    expect(readFileSync(path, 'utf8')).toBe(sample);
    expect(backupsBeside(path)).toEqual([]);
  });

  it('prints an entry without reading any file', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, '{]');
    expect(await installIn([id, 'ccmcp', '--print', '--', '--root', '/srv/notes'], environment)).toBe(0);
    const settings = client.syntax.read(environment.printed());
    expect(structuredClone(valueAt(settings, [...client.table(settings), 'ccmcp']))).toEqual(shapes[id]?.stdio);
    expect(readFileSync(path, 'utf8')).toBe('{]');
  });

  it('rejects a different existing entry, unless forced', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    await installIn([id, 'ccmcp'], environment);
    const before = readFileSync(path, 'utf8');
    expect(await installIn([id, ...stdio], environment)).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(environment.stderr()).toMatch(/^\+.*\/srv\/notes/m);
    expect(environment.stderr()).toContain('--force');
    expect(await installIn([id, '--force', ...stdio], environment)).toBe(0);
    expect(serverIn(client, path, 'ccmcp')).toEqual(shapes[id]?.stdio);
  });

  it('does nothing if the entry exists already', async () => {
    const environment = testEnvironment();
    const path = place(client, environment, sample);
    await installIn([id, ...stdio], environment);
    const before = readFileSync(path, 'utf8');
    expect(await installIn([id, ...stdio], environment)).toBe(0);
    expect(environment.stderr()).toContain('already in');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(backupsBeside(path)).toHaveLength(1);
  });

  it('rejects a malformed file, with the position, and writes nothing', async () => {
    const environment = testEnvironment();
    const broken = `${sample}\n"]:[`;
    const path = place(client, environment, broken);
    expect(await installIn([id, ...stdio], environment)).toBe(1);
    expect(environment.stderr()).toContain(path);
    expect(environment.stderr()).toMatch(/line \d+, column \d+/);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });
});

describe('installing', () => {
  it('follows a link to the real file, and leaves the link', async () => {
    const environment = testEnvironment();
    const path = fileOf(clients.cursor as Client, 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    const real = join(environment.home, 'dotfiles-cursor.json');
    writeFileSync(real, '{}\n');
    symlinkSync(real, path);
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(0);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('ccmcp');
  });

  it('prints only its outcome, as one line of JSON, with --json', async () => {
    const environment = testEnvironment();
    const path = fileOf(clients.cursor as Client, 'user', environment) as string;
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
      expect(await act([...words, '--json'], environment)).toBe(0);
      const line = environment.printed().slice(before);
      before = environment.printed().length;
      expect(line).toMatch(/^.*\n$/);
      expect(JSON.parse(line)).toEqual({ client: 'cursor', servers: ['ccmcp'], file: path, ...outcome });
    }
    expect(environment.stderr()).toBe('');
  });

  it('reports a failure as one JSON object on stderr with --json', async () => {
    const environment = testEnvironment();
    await installIn(['cursor', 'ccmcp', '--json'], environment);
    expect(await installIn(['cursor', 'ccmcp', '--env', 'A=b', '--json'], environment)).toBe(1);
    expect(JSON.parse(environment.stderr())).toMatchObject({
      error: { exitCode: 1, message: expect.stringContaining('--force'), data: { diff: expect.stringContaining('+') } },
    });
  });

  it('edits the file that is named, and creates its folders', async () => {
    const environment = testEnvironment();
    expect(await installIn(['vscode', 'ccmcp', '--file', 'a/b/mcp.json'], environment)).toBe(0);
    expect(existsSync(join(environment.cwd, 'a', 'b', 'mcp.json'))).toBe(true);
  });

  it('edits the file of the project if that is the scope', async () => {
    const environment = testEnvironment();
    expect(await installIn(['claude-code', 'ccmcp', '--scope', 'project'], environment)).toBe(0);
    expect(readdirSync(environment.cwd)).toEqual(['.mcp.json']);
  });

  it('keeps the layout of OpenCode 2 if the file has it', async () => {
    const environment = testEnvironment();
    const client = clients.opencode as Client;
    const path = place(client, environment, '{\n  "mcp": {\n    "servers": {}\n  }\n}\n');
    await installIn(['opencode', 'ccmcp'], environment);
    expect(JSON.parse(readFileSync(path, 'utf8')).mcp).toEqual({ servers: { ccmcp: expect.anything() } });
  });

  it('does not take a server called "servers" for that layout', async () => {
    const environment = testEnvironment();
    const client = clients.opencode as Client;
    const path = place(client, environment, '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }');
    await installIn(['opencode', 'ccmcp'], environment);
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
    const environment = testEnvironment();
    await installIn(['cursor', 'ccmcp', '--print', '--', ...given], environment);
    const { ccmcp } = JSON.parse(environment.printed()).mcpServers;
    const filled = expected.map((text) => text.replace('PROJECT', environment.cwd).replace('HOME', environment.home));
    expect(ccmcp.args.slice(2)).toEqual(filled);
  });

  it.each(all.map(({ id, client }) => [id, client] as const))(
    "puts a file, a command and an address into the user's %s, and takes them out again",
    async (id, client) => {
      const environment = testEnvironment();
      mkdirSync(environment.cwd);
      const file = join(environment.cwd, 'tides.js');
      writeFileSync(file, '');
      const path = place(client, environment, samples[id] as string);
      expect(await installIn([id, './tides.js', '--', '--max-message', '2048'], environment)).toBe(0);
      expect(readEntry(serverIn(client, path, 'tides'))).toMatchObject({
        command: node,
        args: ['/opt/ccmcp/main.cjs', 'serve', file, '--max-message', '2048'],
      });
      expect(
        await installIn(
          [id, '--name', 'tides-2', '--env', 'A=b', '--', process.execPath, 'tides.js', '-x'],
          environment,
        ),
      ).toBe(0);
      expect(readEntry(serverIn(client, path, 'tides-2'))).toMatchObject({
        command: process.execPath,
        args: [file, '-x'],
        env: { A: 'b' },
      });
      const isHttp = shapes[id]?.http !== undefined;
      expect(await installIn([id, 'https://mcp.moon.org/mcp'], environment)).toBe(isHttp ? 0 : 2);
      if (isHttp) expect(await uninstallIn([id, 'https://mcp.moon.org/mcp'], environment)).toBe(0);
      expect(await uninstallIn([id, 'tides', './tides.js'], environment)).toBe(0);
      expect(environment.stderr()).toContain('Removed tides, tides-2 from');
      expect(readFileSync(path, 'utf8')).toBe(samples[id]);
    },
  );

  it.each([
    [['localhost:3000/mcp', '--name', 'tides'], 'http://localhost:3000/mcp'],
    [['mcp.moon.org/mcp', '--name', 'tides'], 'https://mcp.moon.org/mcp'],
    [['tides', '--url', '127.0.0.1:3000/mcp'], 'http://127.0.0.1:3000/mcp'],
  ])('%j is accepted without a scheme, also to uninstall', async (words, url) => {
    const environment = testEnvironment();
    mkdirSync(environment.cwd);
    const client = clients.cursor as Client;
    expect(await installIn(['cursor', ...words], environment)).toBe(0);
    expect(readEntry(serverIn(client, fileOf(client, 'user', environment) as string, 'tides'))).toMatchObject({ url });
    expect(await uninstallIn(['cursor', url.replace(/^https?:\/\//, '')], environment)).toBe(0);
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
  ])('writes references to variables in the syntax of %s', async (id, local, far) => {
    const environment = testEnvironment();
    const client = clients[id] as Client;
    const path = fileOf(client, 'user', environment) as string;
    await installIn([id, 'ccmcp', '--env', 'A=${env:A}'], environment);
    expect(serverIn(client, path, 'ccmcp')).toMatchObject(local);
    const headers = ['--header', 'Authorization: Bearer ${env:T}', '--header', 'X-K: ${K}'];
    await installIn([id, url, ...headers], environment);
    const entry = serverIn(client, path, 'example');
    expect(entry).toMatchObject(far);
    const values = { env: { T: 't1', K: 'k1' }, home: '/', platform: 'linux', folder: undefined } as const;
    const read = readEntry(entry) as HttpEntry;
    expect(substituteVariables(read, { ...values, marks: client.marks }).headers).toMatchObject({
      Authorization: 'Bearer t1',
      'X-K': 'k1',
    });
  });

  it('keeps placeholders of an editor unchanged', async () => {
    const environment = testEnvironment();
    await installIn(['vscode', 'ccmcp', '--print', '--env', 'A=${workspaceFolder}/${input:x}'], environment);
    expect(environment.printed()).toContain('"A": "***"');
    await installIn(['vscode', 'ccmcp', '--env', 'A=${workspaceFolder}/${input:x}'], environment);
    const path = fileOf(clients.vscode as Client, 'user', environment) as string;
    expect(serverIn(clients.vscode as Client, path, 'ccmcp')).toMatchObject({
      env: { A: '${workspaceFolder}/${input:x}' },
    });
  });

  it('rejects a file that is no module, and options that do not apply to files', async () => {
    const environment = testEnvironment();
    mkdirSync(environment.cwd);
    for (const name of ['server.py', 'server.js']) writeFileSync(join(environment.cwd, name), '');
    expect(await installIn(['cursor', './server.py'], environment)).toBe(2);
    expect(environment.stderr()).toContain('"-- python server.py"');
    expect(await installIn(['cursor', 'server.py'], environment)).toBe(2);
    expect(environment.stderr()).toContain('ccmcp: server.py is no JavaScript or TypeScript');
    expect(await installIn(['cursor', '.'], environment)).toBe(2);
    expect(environment.stderr()).toContain('. is a folder: name the file of the server in it');
    expect(await installIn(['cursor', './server.js', '--', '--root', '.'], environment)).toBe(2);
    expect(environment.stderr()).toContain('--root is for ready-made servers, not for files');
    expect(await installIn(['cursor', './server.js', '--', '--http'], environment)).toBe(2);
    expect(environment.stderr()).toContain('on stdio');
  });

  it('runs batch files of Windows through its shell', async () => {
    const environment = testEnvironment({ platform: 'win32' });
    const bin = join(environment.cwd, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'npx.CMD'), '');
    const env = { PATH: bin, ComSpec: 'C:\\cmd.exe', APPDATA: environment.home };
    await installIn(['cursor', '--print', '--', `${bin}/npx`, 'tides'], { ...environment, env });
    expect(JSON.parse(environment.printed()).mcpServers.tides).toEqual({
      command: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', `${bin}/npx.CMD`, 'tides'],
    });
  });

  it('writes environment variables', async () => {
    const environment = testEnvironment();
    await installIn(['codex', 'ccmcp', '--env', 'A=b=c', '--env', 'EMPTY='], environment);
    expect(
      serverIn(clients.codex as Client, fileOf(clients.codex as Client, 'user', environment) as string, 'ccmcp'),
    ).toEqual(expect.objectContaining({ env: { A: 'b=c', EMPTY: '' } }));
  });

  it('shows references to secrets, which are no secrets', async () => {
    const environment = testEnvironment();
    await installIn(
      ['cursor', 'x', '--url', url, '--header', 'Authorization: Bearer ${env:TOKEN}', '--print'],
      environment,
    );
    expect(environment.printed()).toContain('Bearer ${env:TOKEN}');
  });

  it('warns of a copy in the cache of npx', async () => {
    const environment = testEnvironment({ command: '/home/ann/.npm/_npx/1a2b/node_modules/ccmcp/dist/main.cjs' });
    await installIn(['cursor', 'ccmcp', '--print'], environment);
    expect(environment.stderr()).toContain('npm install -g ccmcp');
  });

  it.each([
    [[], 'name a client'],
    [['emacs', 'ccmcp'], 'unknown client: emacs'],
    [['vscod', 'ccmcp'], 'Did you mean "vscode"?'],
    [['claude', 'ccmcp'], 'Did you mean "claude-desktop"?'],
    [['cursor'], 'name a server'],
    [['cursor', 'nonsense'], 'unknown server: nonsense'],
    [['cursor', 'ccmcp', '--nonsense'], '--nonsense'],
    [['cursor', 'ccmcp', '--', '--nonsense'], 'there is no option --nonsense.'],
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
  ])('rejects %j', async (given, message) => {
    const environment = testEnvironment();
    expect(await installIn(given, environment)).toBe(2);
    expect(environment.stderr()).toContain(message);
    expect(environment.stderr()).toContain('ccmcp install --help');
    expect(environment.stderr()).not.toContain('s3cret');
  });

  it('prints its help', async () => {
    const environment = testEnvironment();
    expect(await installIn(['--help'], environment)).toBe(0);
    for (const id of Object.keys(clients)) expect(environment.printed()).toContain(id);
  });
});

describe('uninstalling', () => {
  it('shows the removal, and changes nothing', async () => {
    const environment = testEnvironment();
    const path = place(clients.cursor as Client, environment, samples.cursor as string);
    expect(await uninstallIn(['cursor', 'postgres', '--dry-run'], environment)).toBe(0);
    expect(environment.printed()).toMatch(/^-.*postgres-mcp/m);
    expect(environment.printed()).not.toContain('neighbour');
    expect(readFileSync(path, 'utf8')).toBe(samples.cursor);
  });

  it('removes a server that it did not install, and keeps a backup', async () => {
    const environment = testEnvironment();
    const path = place(clients.codex as Client, environment, samples.codex as string);
    expect(await uninstallIn(['codex', 'context7'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('context7');
    expect(readFileSync(path, 'utf8')).toContain('# reached over the company');
    expect(backupsBeside(path)).toHaveLength(1);
  });

  it('keeps a file that has other content', async () => {
    const environment = testEnvironment();
    await installIn(['codex', 'ccmcp'], environment);
    const path = fileOf(clients.codex as Client, 'user', environment) as string;
    writeFileSync(path, `# mine\n${readFileSync(path, 'utf8')}`);
    expect(await uninstallIn(['codex', 'ccmcp'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('# mine\n');
  });

  it('reports an unknown server', async () => {
    const environment = testEnvironment();
    place(clients.cursor as Client, environment, samples.cursor as string);
    expect(await uninstallIn(['cursor', 'nobody'], environment)).toBe(1);
    expect(environment.stderr()).toContain('nobody: not in');
  });

  it('reports a missing file', async () => {
    const environment = testEnvironment();
    expect(await uninstallIn(['goose', 'ccmcp'], environment)).toBe(1);
    expect(environment.stderr()).toContain('ccmcp: not in');
  });

  it.each([[[]], [['cursor']], [['cursor', 'x', '--force']], [['cursor', 'x', '--', 'y']]])(
    'rejects %j',
    async (given) => {
      const environment = testEnvironment();
      expect(await uninstallIn(given, environment)).toBe(2);
      expect(environment.stderr()).toContain('ccmcp uninstall --help');
    },
  );
});

describe('a gateway', () => {
  it.each(Object.keys(samples))(
    'is put into the file of %s, and uninstalling gives it back byte for byte',
    async (id) => {
      const environment = testEnvironment();
      const file = join(environment.cwd, 'client-file');
      const servers = join(environment.cwd, 'servers.json');
      mkdirSync(environment.cwd, { recursive: true });
      writeFileSync(file, samples[id] as string);
      writeFileSync(servers, '{ "mcpServers": {} }');
      expect(await installIn([id, 'gateway', './servers.json', '--file', file], environment)).toBe(0);
      expect(readFileSync(file, 'utf8')).toContain(servers);
      expect(await uninstallIn([id, 'gateway', '--file', file], environment)).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(samples[id]);
    },
  );

  it('requires one existing file', async () => {
    const environment = testEnvironment();
    expect(await installIn(['cursor', 'gateway', './none.json'], environment)).toBe(2);
    expect(environment.stderr()).toContain('there is no file ./none.json');
    expect(await installIn(['cursor', 'gateway'], environment)).toBe(2);
  });
});
