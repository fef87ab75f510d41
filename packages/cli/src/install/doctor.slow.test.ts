import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import { type Client, fileOf, clients } from '../config/clients.ts';
import { samples } from './fixtures/samples.ts';
import { doctorIn, type TestEnvironment, testEnvironment } from './fixtures/environment.ts';
import { probeEntry } from './probe-entry.ts';

const server = fileURLToPath(new URL('fixtures/server.mjs', import.meta.url));
const node = process.execPath;

function worldWith(files: Record<string, unknown>): TestEnvironment {
  const environment = testEnvironment();
  mkdirSync(environment.cwd, { recursive: true });
  for (const [id, content] of Object.entries(files)) {
    const path = fileOf(clients[id] as Client, 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return environment;
}

/** The finding for the server `x` of Cursor. */
async function findingOf(entry: unknown, ...options: string[]) {
  const environment = worldWith({ cursor: { mcpServers: { x: entry } } });
  const code = await doctorIn(['cursor', '--json', ...options], environment);
  const { ok, files } = JSON.parse(environment.printed());
  expect(ok).toBe(code === 0);
  return { code, ...files[0].servers[0] };
}

async function answering(answer: RequestListener): Promise<string> {
  return `${await listening(createServer(answer))}/mcp`;
}

describe('the doctor', () => {
  it('reports response time, identity and features of a server', async () => {
    const finding = await findingOf({ command: node, args: [server] });
    expect(finding).toMatchObject({
      code: 0,
      name: 'x',
      health: 'ok',
      answer: { name: 'by-hand', version: '1.2.3', tools: 3, resources: 0, prompts: 1 },
    });
    expect(finding.answer.ms).toBeGreaterThan(0);
  });

  it('finds the servers of every client, in the format of each', async () => {
    const stdio = { command: node, args: [server] };
    const environment = worldWith({
      'claude-desktop': { mcpServers: { a: stdio } },
      vscode: { servers: { b: { type: 'stdio', ...stdio } } },
      zed: { context_servers: { c: stdio, extension: { settings: {} } } },
      crush: { mcp: { d: { type: 'stdio', ...stdio } } },
      codex: `[mcp_servers.e]\ncommand = ${JSON.stringify(node)}\nargs = [${JSON.stringify(server)}]\n`,
      opencode: { mcp: { f: { type: 'local', command: [node, server] } } },
      goose: `extensions:\n  g: { type: stdio, cmd: ${node}, args: [${server}] }\n  memory: { type: builtin }\n`,
    });
    expect(await doctorIn([], environment)).toBe(0);
    for (const name of 'abcdefg')
      expect(environment.printed()).toMatch(new RegExp(`^ {2}ok +${name}: \\d+ ms, 3 tools`, 'm'));
    expect(environment.printed()).toContain('untried  extension: it is a part of its client');
    expect(environment.printed()).toContain('9 servers in 7 files: 7 well, 0 failed, 0 off, 2 untried\n');
  });

  it('says which quirks of its client matter for a server', async () => {
    const dots = { command: node, args: [server, 'dots'] };
    const environment = worldWith({
      cursor: { mcpServers: { a: dots } },
      zed: { context_servers: { b: dots } },
      vscode: { servers: { c: { type: 'stdio', ...dots } } },
    });
    expect(await doctorIn([], environment)).toBe(0);
    const printed = environment.printed();
    expect(printed).toContain(
      '\n           Cursor leaves out tools with a dot in their name: t.3 (cursor-name-characters, https://github.com/',
    );
    expect(printed).toContain('\n           Zed has tools and prompts, but no resources: resources (zed-resources, ');
    expect(printed).not.toContain('VS Code gives');
    const { quirks } = await findingOf(dots);
    expect(quirks).toMatchObject([{ id: 'cursor-name-characters', tools: ['t.3'] }]);
    expect(await findingOf({ command: node, args: [server] })).not.toHaveProperty('quirks');
  });

  it('finds servers that Claude Code has for the folder only', async () => {
    const environment = worldWith({});
    const path = join(environment.home, '.claude.json');
    mkdirSync(environment.home, { recursive: true });
    writeFileSync(
      path,
      JSON.stringify({ projects: { [environment.cwd]: { mcpServers: { here: { command: 'nowhere' } } } } }),
    );
    expect(await doctorIn(['claude-code'], environment)).toBe(1);
    expect(environment.printed()).toContain('failed   here: the command "nowhere" is not on the PATH');
  });

  it.each([
    [{ command: 'no-such-command' }, /"no-such-command" is not on the PATH; write its full path/],
    [{ command: '/no/such/command' }, /^\/no\/such\/command does not exist$/],
    [{ command: server }, /is there but may not be run$/],
    [{ command: node, cwd: '/no/such/folder' }, /^its folder \/no\/such\/folder does not exist$/],
    [{ command: node, args: ['/no/such/server.js'] }, /ended with code 1.*Cannot find module/s],
    [{ comand: 'typo' }, /neither a command nor an address/],
    ['text', /neither a command nor an address/],
    [{ url: 'not a url' }, /not a URL/],
  ])('explains what is wrong with %j', async (entry, reason) => {
    expect(await findingOf(entry)).toMatchObject({ code: 1, health: 'failed', reason: expect.stringMatching(reason) });
  });

  it('quotes the last output of a server that exited, without its secrets', async () => {
    const { reason } = await findingOf({ command: node, args: [server, 'crash'], env: { KEY: 'hush-hush' } });
    expect(reason).toMatch(/^The server "[^"/]+" ended with code 3.*no such table, key \*\*\*/s);
  });

  it('names the list that a server could not return', async () => {
    const program = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const result = { protocolVersion: '2025-06-18', capabilities: { resources: {} }, serverInfo: { name: 'x', version: '1' } };
      const error = { code: -32603, message: 'Internal error' };
      const answer = method === 'initialize' ? { result } : { error };
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    });`;
    const { reason } = await findingOf({ command: node, args: ['-e', program] });
    expect(reason).toBe("it answers, but can't give its list of resources: Internal error (-32603)");
  });

  it('supports commands in the older format of Zed', async () => {
    const command = { path: node, args: [server], env: {} };
    const environment = worldWith({ zed: { context_servers: { old: { source: 'custom', command, settings: {} } } } });
    expect(await doctorIn([], environment)).toBe(0);
    expect(environment.printed()).toMatch(/^ {2}ok +old: \d+ ms, 3 tools/m);
  });

  it('forwards the variables that Codex and Goose store separately', async () => {
    const [command, path] = [node, server].map((text) => JSON.stringify(text));
    const environment = worldWith({
      codex: `[mcp_servers.a]\ncommand = ${command}\nargs = [${path}, "crash"]\nenv_vars = ["KEY"]\n`,
      goose: `extensions:\n  b: { type: stdio, cmd: ${command}, args: [${path}], env_keys: [NOT_SET] }\n`,
    });
    const env = { ...environment.env, KEY: 'hush-hush' };
    expect(await doctorIn([], { ...environment, env })).toBe(1);
    expect(environment.printed()).toContain('no such table, key ***');
    expect(environment.printed()).toContain('untried  b: the variable NOT_SET is not set here');
  });

  it('checks servers concurrently', async () => {
    const environment = worldWith({});
    // Each server waits until the other is started.
    const one = { command: node, args: [server, 'meet', join(environment.cwd, 'a'), join(environment.cwd, 'b')] };
    const other = { command: node, args: [server, 'meet', join(environment.cwd, 'b'), join(environment.cwd, 'a')] };
    const path = fileOf(clients.cursor as Client, 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: { one, other } }));
    expect(await doctorIn(['cursor', '--timeout', '50'], environment)).toBe(0);
    expect(environment.printed()).toMatch(/ok +one.*\n.*ok +other/);
  });

  it('reports a possible download that may not be finished', async () => {
    const environment = worldWith({});
    const bin = join(environment.home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\nexec ${node} ${server} silent\n`, { mode: 0o755 });
    const path = fileOf(clients.cursor as Client, 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: { x: { command: 'npx', args: ['-y', 'some-server'] } } }));
    const env = { PATH: `${bin}:${environment.env.PATH}` };
    expect(await doctorIn(['--timeout', '0.2'], { ...environment, env })).toBe(1);
    expect(environment.printed()).toContain('no answer within 0.2 s; it may still have been downloading');
  });

  it('waits longer for a possible download', async () => {
    const environment = worldWith({});
    const npx = join(environment.cwd, 'npx');
    writeFileSync(npx, `#!/bin/sh\nexec ${node} ${server}\n`, { mode: 0o755 });
    const polling = { timeoutMs: 1, downloadMs: 60_000 };
    const entry = { kind: 'stdio' as const, args: [], env: {} };
    expect(
      await probeEntry({ name: 'slow', entry: { ...entry, command: npx }, ...polling }, environment),
    ).toMatchObject({
      answer: { tools: 3 },
    });
    await expect(
      probeEntry({ name: 'slow', entry: { ...entry, command: node, args: [server] }, ...polling }, environment),
    ).rejects.toThrow('no answer');
  });

  it('reports a timeout of a server that does not answer', async () => {
    const finding = await findingOf({ command: node, args: [server, 'silent'] }, '--timeout', '0.2');
    expect(finding).toMatchObject({ code: 1, health: 'failed', reason: 'no answer within 0.2 s' });
  });

  it('reports a timeout of a server that accepts no notification', async () => {
    const url = await answering((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body || '{}');
        if (id === undefined) return;
        const result = { protocolVersion: params?.protocolVersion, capabilities: {} };
        const error = { code: -32601, message: 'no' };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
      });
    });
    expect(await findingOf({ url }, '--timeout', '0.2')).toMatchObject({
      health: 'failed',
      reason: 'no answer within 0.2 s',
    });
  });

  it.each([{ disabled: true }, { enabled: false }])('skips servers disabled by %j', async (off) => {
    expect(await findingOf({ command: 'no-such-command', ...off })).toEqual({ code: 0, name: 'x', health: 'off' });
  });

  it.each([
    [{ command: node, args: [server], env: { KEY: '${env:NOT_SET}' } }, 'the variable NOT_SET is not set here'],
    [{ url: 'https://x/', headers: { A: '${input:key}' } }, 'its client asks for "key"'],
  ])('skips servers with a missing value', async (entry, reason) => {
    expect(await findingOf(entry)).toEqual({ code: 0, name: 'x', health: 'untried', reason });
  });

  it('expands environment variables', async () => {
    const environment = worldWith({
      cursor: { mcpServers: { x: { command: '${env:MY_NODE}', args: ['${env:SERVER}'] } } },
    });
    const env = { ...environment.env, MY_NODE: node, SERVER: server };
    expect(await doctorIn([], { ...environment, env })).toBe(0);
  });

  it('reads the environment from an env file', async () => {
    const environment = worldWith({});
    const path = fileOf(clients.cursor as Client, 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(join(environment.home, '.env'), 'KEY=from-a-file');
    const x = { command: node, args: [server, 'crash'], envFile: '${userHome}/.env' };
    writeFileSync(path, JSON.stringify({ mcpServers: { x, y: { ...x, envFile: 'none.env' } } }));
    expect(await doctorIn(['cursor'], environment)).toBe(1);
    expect(environment.printed()).toContain('no such table, key ***');
    expect(environment.printed()).toContain('none.env with its environment does not exist');
  });

  it('names the tools that Cursor drops, since their names with that of the server are too long', async () => {
    const entry = { command: node, args: [server, 'long'] };
    const environment = worldWith({
      cursor: { mcpServers: { 'a-long-name': entry } },
      vscode: { servers: { x: entry } },
    });
    expect(await doctorIn(['cursor', 'vscode'], environment)).toBe(0);
    const dropped = `Cursor drops tools of more than 60 characters together with the server's name: t${'o'.repeat(49)}`;
    expect(environment.printed()).toMatch(new RegExp(`ok +a-long-name: .*3 tools.*; ${dropped}\n`));
    expect(environment.printed()).toMatch(/ok +x: .*\)\n/);
  });

  it('names the metadata field to fix if a login is impossible', async () => {
    const url = await answering((request, response) => {
      if (request.method === 'POST') {
        const place = `http://${request.headers.host}/.well-known/oauth-protected-resource/mcp`;
        return response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${place}"` }).end();
      }
      return response.end(JSON.stringify({ resource: 'https://internal.example/mcp', authorization_servers: [] }));
    });
    expect(await findingOf({ url })).toMatchObject({
      code: 1,
      health: 'failed',
      reason: expect.stringMatching(
        /it requires a login, which is impossible: metadata: .*internal\.example.* -> resource: "/,
      ),
    });
  });

  it('checks a server by URL, with its headers', async () => {
    const url = await answering((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (request.headers['x-key'] !== 'hush-hush') return response.writeHead(401).end();
        const { id, method, params } = JSON.parse(body || '{}');
        if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
        const serverInfo = { name: 'far', version: '1' };
        const known: Record<string, object> = {
          initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
          'tools/list': { tools: [] },
        };
        const answer = known[method] ? { result: known[method] } : { error: { code: -32601, message: 'no' } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    expect(await findingOf({ url, headers: { 'X-Key': 'hush-hush' } })).toMatchObject({
      code: 0,
      health: 'ok',
      answer: { name: 'far', tools: 0 },
    });
    expect(await findingOf({ url })).toMatchObject({ code: 0, health: 'ok', reason: 'it answers, and wants a login' });
    const rejected = await findingOf({ url, headers: { 'X-Key': 'wrong-wrong' } });
    expect(rejected).toMatchObject({ code: 1, reason: 'it rejects the headers that are configured (HTTP 401)' });
  });

  it('reports a URL that refuses connections', async () => {
    const finding = await findingOf({ url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'hush-hush' } });
    expect(finding).toMatchObject({ code: 1, health: 'failed' });
    expect(finding.reason).toContain('127.0.0.1:9');
    expect(finding.reason).not.toContain('hush-hush');
  });

  it('reports the position in a malformed file', async () => {
    const environment = worldWith({ cursor: '{\n  "mcpServers": }\n', codex: samples.codex });
    expect(await doctorIn(['cursor'], environment)).toBe(1);
    expect(environment.printed()).toMatch(/Cursor: .*mcp\.json\n {2}failed .*line 2, column 17/);
    expect(environment.printed()).toContain('1 file unreadable');
    expect(environment.printed()).not.toContain('Codex');
  });

  it('knows which clients accept no comments', async () => {
    const environment = worldWith({ 'claude-desktop': samples['claude-desktop'], zed: '{ /* none */ }' });
    expect(await doctorIn([], environment)).toBe(1);
    expect(environment.printed()).toContain('trailing commas, for which Claude Desktop ignores all of it');
    expect(environment.printed()).toContain('1 file unreadable');
  });

  it('reports a malformed table of servers', async () => {
    const environment = worldWith({ cursor: { mcpServers: [] } });
    expect(await doctorIn([], environment)).toBe(1);
    expect(environment.printed()).toContain('"mcpServers" must hold servers by their names');
  });

  it('succeeds if nothing is configured', async () => {
    const environment = worldWith({ cursor: '' });
    expect(await doctorIn([], environment)).toBe(0);
    expect(environment.printed()).toContain('no servers');
    expect(environment.printed()).toContain('0 servers in 1 file');
  });

  it('checks a file once that belongs to both the user and the folder', async () => {
    const environment = worldWith({ cursor: { mcpServers: {} } });
    expect(await doctorIn([], { ...environment, cwd: environment.home })).toBe(0);
    expect(environment.printed()).toContain('0 servers in 1 file');
  });

  it('checks the file that is named', async () => {
    const environment = worldWith({});
    writeFileSync(join(environment.cwd, 'some.toml'), '[mcp_servers.x]\ncommand = "no-such-command"\n');
    expect(await doctorIn(['codex', '--file', 'some.toml'], environment)).toBe(1);
    expect(environment.printed()).toContain('no-such-command');
  });

  it.each([[['emacs']], [['--file', 'x']], [['--nonsense']], [['--timeout', '0']], [['--timeout', 'long']]])(
    'rejects %j',
    async (given) => {
      const environment = testEnvironment();
      expect(await doctorIn(given, environment)).toBe(2);
      expect(environment.stderr()).toContain('ccmcp doctor --help');
    },
  );

  it('prints its help', async () => {
    const environment = testEnvironment();
    expect(await doctorIn(['-h'], environment)).toBe(0);
    expect(environment.printed()).toContain('Usage: ccmcp doctor');
  });
});

describe('the doctor in an untrusted folder', () => {
  const withProject = Object.entries(clients).filter(([, { files }]) => files.project !== undefined);
  /** The syntax of variables of each client; clients without variables get the value itself. */
  const marks = {
    none: 'hush-hush',
    braces: '${TOKEN}',
    editor: '${env:TOKEN}',
    shell: '$TOKEN',
    curly: '{env:TOKEN}',
    any: '${TOKEN}',
  };
  const touch = (file: string) => ['-e', `require('fs').writeFileSync(${JSON.stringify(file)}, '')`];

  /** A folder whose client file has one server to start and one to call. */
  function foreignFolder(id: string, url: string) {
    const environment = worldWith({});
    const env = { ...environment.env, TOKEN: 'hush-hush' };
    const client = clients[id] as Client;
    const mark = join(environment.cwd, 'started');
    const path = fileOf(client, 'project', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    const [command, ...args] = [node, ...touch(mark)];
    const local = client.stdio({ kind: 'stdio', command, args, env: {} }, 'local');
    const far = client.http?.({ kind: 'http', url: `${url}?token=${marks[client.marks]}`, headers: {} }, 'far');
    const table = client.table({});
    const settings = table.reduceRight<object>((inner, key) => ({ [key]: inner }), { local, far });
    const text =
      id === 'codex'
        ? `[mcp_servers.local]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n` +
          `[mcp_servers.far]\nurl = "${url}?token=\${TOKEN}"\n`
        : JSON.stringify(settings);
    writeFileSync(path, text);
    return { environment: { ...environment, env }, mark, path };
  }

  it.each(withProject)('starts and calls nothing that a file of %s in it names', async (id) => {
    const calls: string[] = [];
    const url = await answering((request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(404).end();
    });
    const { environment, mark, path } = foreignFolder(id, url);
    for (const given of [[], [id]]) expect(await doctorIn(given, environment)).toBe(0);
    expect(existsSync(mark)).toBe(false);
    expect(calls).toEqual([]);
    expect(environment.printed()).toContain(path);
    expect(environment.printed()).toMatch(/untried +local: not started: a file of this folder names it/);
    expect(environment.printed()).toMatch(/untried +far: not called: a file of this folder names it/);
    expect(environment.printed()).toContain(
      '2 servers of this folder were left alone: "ccmcp doctor --project" tries them',
    );
    expect(environment.printed()).not.toContain('hush-hush');
  });

  it.each(withProject)('checks the servers of a file of %s on request', async (id) => {
    const calls: string[] = [];
    const url = await answering((request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(404).end();
    });
    const { environment, mark } = foreignFolder(id, url);
    expect(await doctorIn([id, '--project'], environment)).toBe(1);
    expect(existsSync(mark)).toBe(true);
    expect(calls).toContain('/mcp?token=hush-hush');
  });

  it('checks the servers of a file given by name', async () => {
    const { environment, mark } = foreignFolder('claude-code', 'http://127.0.0.1:9');
    await doctorIn(['claude-code', '--file', '.mcp.json'], environment);
    expect(existsSync(mark)).toBe(true);
  });

  it("starts the user's own servers outside it, if nothing in it can replace them", async () => {
    const environment = worldWith({
      cursor: { mcpServers: { mine: { command: node, args: ['./server.mjs'] }, run: { command: './run' } } },
    });
    const mark = join(environment.cwd, 'started');
    writeFileSync(
      join(environment.cwd, 'server.mjs'),
      `import fs from 'fs'; fs.writeFileSync(${JSON.stringify(mark)}, '')`,
    );
    writeFileSync(join(environment.cwd, 'run'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    expect(await doctorIn([], environment)).toBe(1);
    expect(existsSync(mark)).toBe(false);
    expect(environment.printed()).toContain('failed   run: ./run does not exist');
  });

  it('runs no program from it, even if the PATH contains it', async () => {
    const environment = worldWith({ cursor: { mcpServers: { x: { command: 'helpful' } } } });
    const mark = join(environment.cwd, 'started');
    writeFileSync(join(environment.cwd, 'helpful'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const env = { ...environment.env, PATH: `.:${environment.env.PATH}` };
    const before = process.cwd();
    process.chdir(environment.cwd);
    try {
      expect(await doctorIn([], { ...environment, env })).toBe(1);
    } finally {
      process.chdir(before);
    }
    expect(existsSync(mark)).toBe(false);
  });

  it('skips servers that use its files, unless requested', async () => {
    const x = { type: 'stdio', command: node, args: ['${workspaceFolder}/server.mjs'] };
    const environment = worldWith({ vscode: { servers: { x } } });
    expect(await doctorIn([], environment)).toBe(0);
    expect(environment.printed()).toContain('untried  x: not started: it uses files of this folder');
    expect(await doctorIn(['--project'], environment)).toBe(1);
    expect(environment.printed()).toContain('Cannot find module');
  });

  it("starts the user's servers for this folder, in it", async () => {
    const environment = worldWith({});
    mkdirSync(environment.home, { recursive: true });
    const mark = join(environment.cwd, 'started');
    const here = { command: node, args: touch('started') };
    writeFileSync(
      join(environment.home, '.claude.json'),
      JSON.stringify({ projects: { [environment.cwd]: { mcpServers: { here } } } }),
    );
    await doctorIn(['claude-code'], environment);
    expect(existsSync(mark)).toBe(true);
  });
});
