import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, clients, fileOf } from './clients.ts';
import { doctorIn } from './doctor.ts';
import { samples } from './fixtures/samples.ts';
import { type TestWorld, testWorld } from './fixtures/world.ts';

const server = fileURLToPath(new URL('fixtures/server.mjs', import.meta.url));
const node = process.execPath;
const patience = { timeoutMs: 10_000 };

function worldWith(files: Record<string, unknown>): TestWorld {
  const world = testWorld();
  mkdirSync(world.cwd, { recursive: true });
  for (const [id, content] of Object.entries(files)) {
    const path = fileOf(clients[id] as Client, 'user', world) as string;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return world;
}

/** What is found about the one server `x` of Cursor. */
async function findingOf(entry: unknown, timeoutMs = patience.timeoutMs) {
  const world = worldWith({ cursor: { mcpServers: { x: entry } } });
  const code = await doctorIn(['cursor', '--json'], world, { timeoutMs });
  const { ok, files } = JSON.parse(world.printed());
  expect(ok).toBe(code === 0);
  return { code, ...files[0].servers[0] };
}

async function listening(answer: RequestListener): Promise<string> {
  const http = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await new Promise((resolve) => http.once('listening', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

describe('the doctor', () => {
  it('finds a server well: how fast it answers, who it is, what it offers', async () => {
    const finding = await findingOf({ command: node, args: [server] });
    expect(finding).toMatchObject({
      code: 0,
      name: 'x',
      health: 'ok',
      answer: { name: 'by-hand', version: '1.2.3', tools: 3, resources: 0, prompts: 1 },
    });
    expect(finding.answer.ms).toBeGreaterThan(0);
  });

  it('finds the servers of every client, in the form of each', async () => {
    const stdio = { command: node, args: [server] };
    const world = worldWith({
      'claude-desktop': { mcpServers: { a: stdio } },
      vscode: { servers: { b: { type: 'stdio', ...stdio } } },
      zed: { context_servers: { c: stdio, extension: { settings: {} } } },
      crush: { mcp: { d: { type: 'stdio', ...stdio } } },
      codex: `[mcp_servers.e]\ncommand = ${JSON.stringify(node)}\nargs = [${JSON.stringify(server)}]\n`,
      opencode: { mcp: { f: { type: 'local', command: [node, server] } } },
      goose: `extensions:\n  g: { type: stdio, cmd: ${node}, args: [${server}] }\n  memory: { type: builtin }\n`,
    });
    expect(await doctorIn([], world, patience)).toBe(0);
    for (const name of 'abcdefg')
      expect(world.printed()).toMatch(new RegExp(`^ {2}ok +${name}: \\d+ ms, 3 tools`, 'm'));
    expect(world.printed()).toContain('untried  extension: it is a part of its client');
    expect(world.printed()).toContain('9 servers in 7 files: 7 well, 0 failed, 0 off, 2 untried\n');
  });

  it('finds servers that Claude Code keeps for the folder alone', async () => {
    const world = worldWith({});
    const path = join(world.home, '.claude.json');
    mkdirSync(world.home, { recursive: true });
    writeFileSync(
      path,
      JSON.stringify({ projects: { [world.cwd]: { mcpServers: { here: { command: 'nowhere' } } } } }),
    );
    expect(await doctorIn(['claude-code'], world, patience)).toBe(1);
    expect(world.printed()).toContain('failed   here: the command "nowhere" is not on the PATH');
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
  ])('says in words what is wrong with %j', async (entry, reason) => {
    expect(await findingOf(entry)).toMatchObject({ code: 1, health: 'failed', reason: expect.stringMatching(reason) });
  });

  it('quotes what a server said before it died, but none of its secrets', async () => {
    const { reason } = await findingOf({ command: node, args: [server, 'crash'], env: { KEY: 'hush-hush' } });
    expect(reason).toMatch(/ended with code 3.*no such table, key \*\*\*/s);
  });

  it('gives up on a server that does not answer', async () => {
    const finding = await findingOf({ command: node, args: [server, 'silent'] }, 1000);
    expect(finding).toMatchObject({ code: 1, health: 'failed', reason: 'no answer within 1 s' });
  });

  it.each([{ disabled: true }, { enabled: false }])('leaves alone what is switched off by %j', async (off) => {
    expect(await findingOf({ command: 'no-such-command', ...off })).toEqual({ code: 0, name: 'x', health: 'off' });
  });

  it.each([
    [{ command: node, args: [server], env: { KEY: '${NOT_SET}' } }, 'the variable NOT_SET is not set here'],
    [{ url: 'https://x/', headers: { A: '${input:key}' } }, 'its client asks for "key"'],
  ])('does not try what it lacks a value for', async (entry, reason) => {
    expect(await findingOf(entry)).toEqual({ code: 0, name: 'x', health: 'untried', reason });
  });

  it('fills in the variables of the environment', async () => {
    const world = worldWith({
      cursor: { mcpServers: { x: { command: '${env:MY_NODE}', args: ['${SERVER:-none}'] } } },
    });
    const env = { ...world.env, MY_NODE: node, SERVER: server };
    expect(await doctorIn([], { ...world, env }, patience)).toBe(0);
  });

  it('reaches a server by its address, with its headers', async () => {
    const url = await listening((request, response) => {
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
    const refused = await findingOf({ url, headers: { 'X-Key': 'wrong-wrong' } });
    expect(refused).toMatchObject({ code: 1, reason: 'it refuses the headers that are configured (HTTP 401)' });
  });

  it('says so where nobody is at an address', async () => {
    const finding = await findingOf({ url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'hush-hush' } });
    expect(finding).toMatchObject({ code: 1, health: 'failed' });
    expect(finding.reason).toContain('127.0.0.1:9');
    expect(finding.reason).not.toContain('hush-hush');
  });

  it('says where a file is malformed', async () => {
    const world = worldWith({ cursor: '{\n  "mcpServers": }\n', codex: samples.codex });
    expect(await doctorIn(['cursor'], world, patience)).toBe(1);
    expect(world.printed()).toMatch(/Cursor: .*mcp\.json\n {2}failed .*line 2, column 17/);
    expect(world.printed()).toContain('1 file unreadable');
    expect(world.printed()).not.toContain('Codex');
  });

  it('knows who takes no comments', async () => {
    const world = worldWith({ 'claude-desktop': samples['claude-desktop'], zed: '{ /* none */ }' });
    expect(await doctorIn([], world, patience)).toBe(1);
    expect(world.printed()).toContain('trailing commas, for which Claude Desktop ignores all of it');
    expect(world.printed()).toContain('1 file unreadable');
  });

  it('says where servers should be and are not', async () => {
    const world = worldWith({ cursor: { mcpServers: [] } });
    expect(await doctorIn([], world, patience)).toBe(1);
    expect(world.printed()).toContain('"mcpServers" must hold servers by their names');
  });

  it('is content where nothing is configured', async () => {
    const world = worldWith({ cursor: '' });
    expect(await doctorIn([], world, patience)).toBe(0);
    expect(world.printed()).toContain('no servers');
    expect(world.printed()).toContain('0 servers in 1 file');
  });

  it('looks once at a file that is that of somebody and of the folder', async () => {
    const world = worldWith({ cursor: { mcpServers: {} } });
    expect(await doctorIn([], { ...world, cwd: world.home }, patience)).toBe(0);
    expect(world.printed()).toContain('0 servers in 1 file');
  });

  it('looks at the file that is named', async () => {
    const world = worldWith({});
    writeFileSync(join(world.cwd, 'some.toml'), '[mcp_servers.x]\ncommand = "no-such-command"\n');
    expect(await doctorIn(['codex', '--file', 'some.toml'], world, patience)).toBe(1);
    expect(world.printed()).toContain('no-such-command');
  });

  it.each([[['emacs']], [['--file', 'x']], [['--nonsense']]])('refuses %j', async (given) => {
    const world = testWorld();
    expect(await doctorIn(given, world, patience)).toBe(2);
    expect(world.told()).toContain('ccmcp doctor --help');
  });

  it('explains itself', async () => {
    const world = testWorld();
    expect(await doctorIn(['-h'], world, patience)).toBe(0);
    expect(world.printed()).toContain('Usage: ccmcp doctor');
  });
});
