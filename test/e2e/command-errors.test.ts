import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { httpHandler, serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../packages/core/src/auth/client/fixtures/listen.ts';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

/** A user's file, at a path that resolves the library. */
function file(text: string): string {
  const path = join(emptyFolder(), 'server.mjs');
  writeFileSync(path, text.replaceAll('@core', join(root, 'packages/core/dist')));
  return path;
}

const slow = `
  import { createServer, tool } from '@core/index.js';
  export default createServer({ name: 'slow', version: '1.0.0', tools: [
    tool('slow', {}, () => new Promise((resolve) => { console.error('begun'); setTimeout(resolve, 60_000).unref?.(); })),
  ] });`;

const note = {
  type: 'object',
  properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
} as const;

/** Serves two tools until the test ends; returns the URL. */
async function serveSmall(): Promise<string> {
  const server = createServer({
    name: 'small',
    version: '1.0.0',
    tools: [
      tool('put', { input: note }, (given) => JSON.stringify(given)),
      tool('sum', {}, async (_, { sample }) => {
        await sample({ messages: [], maxTokens: 1 });
        return '';
      }),
    ],
  });
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

describe('an error with --json is one JSON object on stderr:', () => {
  it('about a command that does not exist, before its options', async () => {
    const { code, stderr } = await run(['foo', '--json']);
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr) as { error: { kind: string; message: string } };
    expect(error.kind).toBe('usage');
    expect(error.message).toMatch(/^there is no command or server foo/);
    expect(error.message).not.toContain('--json');
  });

  it.each([
    [2, ['top', '4999', '--nonsense', '--json']],
    [2, ['top', '--json']],
    [3, ['top', '127.0.0.1:9', '--json']],
    [2, ['audit', 'verify', '/no/such/file', '--json']],
    [2, ['audit', 'show', '/no/such/file', '--json']],
    [2, ['audit', 'verify', '--json']],
    [2, ['audit', '--json']],
    [2, ['doctor', 'nobody', '--json']],
    [2, ['install', 'nobody', 'notes', '--json']],
    [2, ['uninstall', '--json']],
    [2, ['new', '--json']],
    [2, ['completion', 'tcsh', '--json']],
    [2, ['nosuch', '--json']],
    [2, ['serve', '--json']],
    [2, ['serve', './no-such-file.js', '--json']],
    [2, ['gateway', 'status', '/no/such/file', '--json']],
    [2, ['list', '--json']],
    [2, ['call', 'notes', '--nonsense', '--json']],
  ])('%d %j', async (exitCode, args) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exitCode, message: expect.any(String) } });
  });

  it('and a finding of "doctor" and "audit verify" is one line on stdout', async () => {
    const empty = join(emptyFolder(), 'none.json');
    writeFileSync(empty, '{}');
    const { stdout } = await run(['doctor', 'cursor', '--file', empty, '--json']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const log = await run(['audit', 'verify', empty, '--json']);
    expect(log.stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

it.each([
  [['list', 'notes', '--nonsense']],
  [['notes', '--nonsense']],
  [['new', 'x', '--nonsense']],
  [['install', 'cursor', '--nonsense']],
  [['doctor', '--nonsense']],
  [['top', '1', '--nonsense']],
  [['audit', 'verify', 'x', '--nonsense']],
])('an unknown option is reported with the same text in %j', async (args) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^ccmcp: there is no option --nonsense\.\n/)]);
});

it.each(['export', 'import', 'recover'])('prints the help of "notes %s" to stdout', async (verb) => {
  expect(await run(['notes', verb, '--help'])).toEqual({
    code: 0,
    stdout: expect.stringContaining(`Usage: ccmcp notes ${verb} `),
    stderr: '',
  });
});

describe('a call', () => {
  it('rejects a second value for a scalar, and accepts several for a list', async () => {
    const server = await serveSmall();
    const twice = await run(['call', server, 'put', 'title=a', 'title=b']);
    expect([twice.code, twice.stderr]).toEqual([2, 'ccmcp: "title" takes one value, and two are given\n']);
    expect((await run(['call', server, 'put', 'title:="a"', 'title=b'])).code).toBe(2);
    expect((await run(['call', server, 'put', 'tags=a', 'tags=b'])).stdout).toBe('{"tags":["a","b"]}\n');
  });

  it('of a tool that samples names the option for a model', async () => {
    const { code, stderr } = await run(['call', await serveSmall(), 'sum']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('--sample-with COMMAND')]);
  });

  it('that is interrupted prints one line, without the stderr of the server', async () => {
    const child = spawn(launcher, ['call', file(slow), 'slow'], { stdio: 'pipe' });
    const ended = once(child, 'close');
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (!child.killed && stderr.includes('begun')) child.kill('SIGINT');
    });
    expect(await ended).toEqual([130, null]);
    expect(stderr).toBe('begun\nccmcp: interrupted\n');
  });
});

it('reports once why a file can not be loaded', async () => {
  const { code, stderr } = await run(['list', file('throw new Error("nope at load");')]);
  expect(code).toBe(3);
  expect(stderr.split('nope at load')).toHaveLength(2);
});

it('reports the error of the server for a wrong path, in "probe" and "list"', async () => {
  const handler = httpHandler(createServer({ name: 'x', version: '1', tools: [tool('a', {}, () => 'b')] }));
  const origin = await listen(async ({ path, method, headers, body }) => {
    if (path !== '/api/mcp') return { status: 404 };
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { 'Content-Type': headers['content-type'] ?? '', Accept: headers.accept ?? '' },
      ...(method === 'POST' && { body }),
    });
    const response = await handler.fetch(request);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  });
  const hint = 'give httpHandler the option { path: "/api/mcp" }';
  expect((await run(['list', `${origin}/api/mcp`])).stderr).toContain(hint);
  expect((await run(['probe', `${origin}/api/mcp`])).stdout).toContain(hint);
});

describe('a mistake', () => {
  it.each([
    [2, ['help', 'nosuch'], 'ccmcp: there is no command or server nosuch; the servers are ccmcp, '],
    [2, ['foo'], 'ccmcp: there is no command or server foo; '],
    [2, ['call', 'moonphase'], 'the name of a tool is missing\nIt has '],
    [2, ['show', 'moonphase'], 'the name of a tool is missing\nIt has '],
    [2, ['prompt', 'greeting'], 'the name of a prompt is missing\nIt has '],
    [2, ['call', 'moonphase', 'x', '--title', 'a'], 'there is no option --title. An argument is written title=VALUE'],
    [2, ['audit', 'show', '/no/such/file'], 'ccmcp: there is no file or folder /no/such'],
    [2, ['audit', 'verify', '/no/such/file'], 'ccmcp: there is no file or folder /no/such'],
    [2, ['notes', 'import', '/no/such/file'], 'ccmcp: there is no file or folder /no/such'],
    [2, ['list', '/no/such/file.js'], 'ccmcp: there is no file /no/such/file.js'],
    [2, ['install', 'cursor', '/no/such/file.js'], 'ccmcp: there is no file /no/such/file.js'],
    [3, ['login', 'http://127.0.0.1:9/mcp'], 'ccmcp: no connection: connect ECONNREFUSED'],
    [3, ['top', '9'], "ccmcp: http://127.0.0.1:9/metrics can't be reached"],
  ])('is reported with a hint: %d %j', async (code, args, words) => {
    expect(await run(args)).toEqual({ code, stdout: '', stderr: expect.stringContaining(words) });
  });

  it('in the name of a template variable is reported', async () => {
    const db = join(emptyFolder(), 'notes.db');
    const { code, stderr } = await run(['complete', 'notes', '--db', db, 'notes://{id}', 'idd']);
    expect([code, stderr]).toEqual([
      2,
      'ccmcp: "notes://{id}" has no variable "idd". Did you mean "id"?\nIt has id.\n',
    ]);
  });

  it('in logging out without a login does not sign in', async () => {
    const { code, stderr } = await run(['logout', 'http://127.0.0.1:9/mcp'], { env: { CCMCP_LOGINS: emptyFolder() } });
    expect([code, stderr]).toEqual([4, 'ccmcp: there is no login for http://127.0.0.1:9/mcp\n']);
  });
});
