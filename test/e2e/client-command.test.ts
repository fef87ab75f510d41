import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, image, prompt, resource, template, tool } from '@ccmcp/core';
import { apiKey, type HttpHandler, httpHandler, serveHttp } from '@ccmcp/core/http';
import type { Answer, RecordedRequest, TestAuthorizationServer } from '@ccmcp/core/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAuthorizationServer } from '../../packages/core/src/auth/client/fixtures/authorization-server.ts';
import { startProtectedServer } from '../../packages/core/src/auth/client/fixtures/protected-server.ts';
import { browser } from '../support/browser.ts';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';
import { onTerminal } from '../support/terminal.ts';

const point = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x'],
} as const;
const search = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['text'],
} as const;

let payments = 0;

function testServer() {
  return createServer({
    name: 'commanded',
    version: '1.2.3',
    tools: [
      tool('search', { input: search, description: 'Finds things' }, (args) => JSON.stringify(args)),
      tool('point', { input: point, output: point }, (args) => args),
      tool('fail', {}, () => ({ content: [{ type: 'text', text: 'out of paper' }], isError: true })),
      tool('crash', {}, () => Promise.reject(new Error('a secret'))),
      tool('picture', {}, () => image(Buffer.from('PNG'), 'image/png')),
      tool('steer', {}, () => 'a\u001B[2Jb'),
      tool('slow', {}, async (_, { progress, signal }) => {
        progress(1, 4, 'a quarter');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return 'too late';
      }),
      tool('pay', { input: search }, ({ text }) => `${text}: payment ${++payments}`),
      tool('work', {}, (_, { progress }) => {
        progress(1, 2, 'half way');
        return 'worked';
      }),
      tool('ask', {}, async (_, { elicit }) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
        const answer = await elicit({ message: 'Who are you?', schema });
        return answer.action === 'accept' ? `It is ${answer.content.name}` : answer.action;
      }),
    ],
    resources: [
      resource('note:///one', { description: 'The first note' }, () => 'first'),
      resource('note:///marks', {}, () => '\u200Fone\r\n\u001B[1mtwo'),
      resource('note:///bytes', { mimeType: 'application/octet-stream' }, () => Uint8Array.of(0, 255, 10)),
    ],
    templates: [
      template('note:///{id}', { complete: { id: ['one', 'other', 'two'] } }, ({ id }) =>
        id === 'two' ? '2' : undefined,
      ),
    ],
    prompts: [
      prompt(
        'review',
        { arguments: { code: { required: true }, language: { complete: ['python', 'perl'] } } },
        ({ code, language = 'any' }) => `Review ${code} in ${language}`,
      ),
    ],
  });
}

let url = '';
const server = testServer();

beforeAll(async () => {
  const service = await serveHttp(server, { port: 0, sse: true });
  url = service.url;
  return () => service.close({ graceMs: 0, lingerMs: 0 });
});

afterAll(() => {
  url = '';
});

/** The stdout of a command that succeeds. */
async function outcome(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The JSON error of a command that fails. */
async function failure(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args.slice(0, 1), '--json', ...args.slice(1)]);
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  expect(error.exitCode).toBe(code);
  return error;
}

describe('ccmcp list', () => {
  it('shows signatures and addresses', async () => {
    const text = await outcome('list', url);

    expect(text).toMatch(/^commanded 1\.2\.3, protocol 2026-07-28 \(stateless\)\n/);
    expect(text).toContain('  search(text: string, limit?: integer, tags?: string[])\n      Finds things\n');
    expect(text).toContain('  point(x: number, y?: number) -> { x: number, y?: number }\n');
    expect(text).toContain('  note:///one\n      The first note\n');
    expect(text).toContain('  note:///{id}\n');
    expect(text).toContain('  review(code, language?)\n');
  });

  it('shows a single list as JSON', async () => {
    const { tools, resources } = JSON.parse(await outcome('list', url, 'tools', '--json'));

    expect(tools.map(({ name }: { name: string }) => name)).toContain('search');
    expect(resources).toBeUndefined();
  });

  it.each([
    ['--era', 'handshake'],
    ['--era', 'stateless'],
  ])('uses the era of --era: %s %s', async (...era) => {
    expect(JSON.parse(await outcome('list', url, '--json', ...era))).toMatchObject({ era: era[1] });
  });

  it('connects to a server of HTTP+SSE', async () => {
    const { era, tools } = JSON.parse(await outcome('list', url.replace('/mcp', '/sse'), '--json'));

    expect(era).toBe('handshake');
    expect(tools.length).toBeGreaterThan(5);
  });
});

describe('ccmcp call', () => {
  it('serves a call once per idempotency key, and rejects a key with other arguments', async () => {
    const pay = (text: string, ...more: string[]): Promise<string> =>
      outcome('call', url, 'pay', `text=${text}`, ...more);
    expect(await pay('rent', '--idempotency-key', 'may')).toBe('rent: payment 1\n');
    expect(await pay('rent', '--idempotency-key', 'may')).toBe('rent: payment 1\n');
    expect(await pay('rent', '--idempotency-key', 'june')).toBe('rent: payment 2\n');
    expect(await pay('rent')).toBe('rent: payment 3\n');
    const other = await run(['call', url, 'pay', 'text=fees', '--idempotency-key', 'may']);
    expect([other.code, other.stdout, payments]).toEqual([expect.any(Number), '', 3]);
    expect([other.code === 0, other.stderr]).toEqual([false, expect.stringContaining('idempotency')]);
  });

  it('converts values to the types of the schema', async () => {
    expect(JSON.parse(await outcome('call', url, 'search', 'text=7', 'limit=7', 'tags=a', 'tags=b'))).toEqual({
      text: '7',
      limit: 7,
      tags: ['a', 'b'],
    });
  });

  it('accepts JSON, and prints the whole result as JSON', async () => {
    const result = JSON.parse(await outcome('call', url, 'point', 'x:=1.5', '--json'));

    expect(result).toMatchObject({ structuredContent: { x: 1.5 }, isError: false });
  });

  it('calls a tool whose name begins with a dash', async () => {
    const odd = tool(
      '-x',
      { input: { type: 'object', properties: { a: { type: 'integer' } } } },
      ({ a }) => `got ${a}`,
    );
    const service = await serveHttp(createServer({ name: 'odd', version: '1', tools: [odd] }), { port: 0 });
    onTestFinished(() => service.close({ graceMs: 0 }));
    expect(await run(['call', service.url, '--', '-x', 'a=1'])).toEqual({ code: 0, stdout: 'got 1\n', stderr: '' });
    expect((await run(['show', service.url, '--', '-x'])).stdout).toContain(`call ${service.url} -- -x`);
    expect((await run(['call', service.url, '-x'])).stderr).toContain('a name with a dash in front comes after "--"');
  });

  it('describes binary content, and escapes control characters', async () => {
    expect(await outcome('call', url, 'picture')).toBe('[image, image/png, 3 bytes]\n');
    expect(await outcome('call', url, 'steer')).toBe('a\\u001b[2Jb\n');
  });

  it('calls a ready-made server, a command and a file', async () => {
    const example = fileURLToPath(new URL('fixtures/exported-server.js', import.meta.url));

    expect(await outcome('call', 'ccmcp', 'add', 'a=1', 'b=2')).toBe('3\n');
    expect(await outcome('call', 'add', 'a=1', 'b=2', '--', launcher, 'ccmcp')).toBe('3\n');
    expect(await outcome('call', example, 'greet', 'name=Ada')).toBe('Hello, Ada!\n');
  });

  it('adds variables to the environment of a command', async () => {
    const root = process.cwd();
    const list = ['call', 'ccmcp', 'list_directory', 'path=.', '--env'];

    expect(await failure(...list, 'CCMCP_ROOT=/no/such')).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('no such file or directory'),
    });
    expect(await outcome(...list, `CCMCP_ROOT=${root}`)).toContain('F package.json');
  });

  it('exits with 5 if the tool reports an error', async () => {
    const { code, stdout, stderr } = await run(['call', url, 'fail']);

    expect({ code, stdout, stderr }).toEqual({ code: 5, stdout: '', stderr: 'ccmcp: out of paper\n' });
    expect(await failure('call', url, 'fail')).toMatchObject({ kind: 'tool-error', data: { isError: true } });
  });

  it('exits with 7 for an unknown tool, and suggests another', async () => {
    const { code, stderr } = await run(['call', url, 'serach', 'text=x']);

    expect(code).toBe(7);
    expect(stderr).toContain('no tool "serach". Did you mean "search"?');
  });

  it('does not prompt without a terminal', async () => {
    const { code, stderr } = await run(['call', url, 'ask']);

    expect(code).not.toBe(0);
    expect(stderr).not.toContain('Who are you?');
  });

  it('shows the messages', async () => {
    const { stderr } = await run(['call', url, 'work', '--verbose']);

    expect(stderr).toMatch(/^--> .*"method":"tools\/call"/m);
    expect(stderr).toMatch(/^<-- .*"worked"/m);
  });

  it('cancels the request on Ctrl+C', async () => {
    const child = spawn(launcher, ['call', url, 'slow', '--verbose'], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = new Promise((resolve) => child.on('exit', resolve));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('a quarter')) child.kill('SIGINT');
    });

    expect(await exited).toBe(130);
  });

  it('exits with 8 on a timeout', async () => {
    // Accepts notifications, such as the client's cancellation, and answers no request.
    const silent = createHttp((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        if (!body.includes('"id":')) response.writeHead(202).end();
      });
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => silent.closeAllConnections());
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;

    expect(await failure('ping', `http://127.0.0.1:${port}/mcp`, '--timeout', '0.3')).toMatchObject({
      kind: 'timeout',
    });
  });
});

describe('ccmcp read', () => {
  it('prints text', async () => {
    expect(await outcome('read', url, 'note:///one')).toBe('first\n');
    expect(await outcome('read', url, 'note:///two')).toBe('2\n');
  });

  it('prints bytes unchanged', async () => {
    const child = spawn(launcher, ['read', url, 'note:///bytes'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);

    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0, 255, 10]));
  });

  it('exits with 7 for an unknown resource', async () => {
    const { kind, message } = await failure('read', url, 'note:///onne');

    expect({ kind, message }).toEqual({
      kind: 'unknown-name',
      message: 'The server has no resource "note:///onne". Did you mean "note:///one"?',
    });
  });
});

describe('ccmcp prompt', () => {
  it('prints the messages', async () => {
    expect(await outcome('prompt', url, 'review', 'code=x = 1')).toBe('user: Review x = 1 in any\n');
  });

  it('reports missing and unknown arguments', async () => {
    expect(await failure('prompt', url, 'review')).toMatchObject({ kind: 'usage', message: '"review" needs code' });
    expect(await failure('prompt', url, 'reveiw')).toMatchObject({ kind: 'unknown-name' });
  });
});

describe('ccmcp complete', () => {
  it('completes an argument of a prompt, and a variable of a template', async () => {
    expect(await outcome('complete', url, 'review', 'language', 'p')).toBe('python\nperl\n');
    expect(await outcome('complete', url, 'note:///{id}', 'id', 'o')).toBe('one\nother\n');
    expect(JSON.parse(await outcome('complete', url, 'review', 'language', 'py', 'code=x', '--json'))).toMatchObject({
      values: ['python'],
    });
  });
});

describe('ccmcp ping', () => {
  it('reports that the server responds', async () => {
    expect(await outcome('ping', url)).toMatch(/^commanded answered in [\d.]+ ms, protocol 2026-07-28/);
  });
});

describe('ccmcp listen', () => {
  it.each(['handshake', 'stateless'])('shows changes, in the %s era', async (era) => {
    const child = spawn(launcher, ['listen', url, 'note:///one', '--count', '2', '--era', era], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = new Promise((resolve) => child.on('close', resolve));
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout === '') server.tools.remove('later');
      stdout += text;
    });
    await new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('Listening')) resolve();
      });
    });
    server.resources.updated('note:///one');
    server.tools.add(tool('later', {}, () => ''));

    expect(await exited).toBe(0);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(['changed: note:///one', 'changed: the list of tools']);
  });
});

describe('the output of a server that runs as a child process', () => {
  const hostile = fileURLToPath(new URL('../../packages/cli/src/fixtures/hostile.mjs', import.meta.url));

  it.each(['works', 'rejects', 'dies'])('does not steer the terminal in the shell: one that %s', async (way) => {
    const input = 'list\ncall fail\nread a:\n';
    const { stdout, stderr } = await run(['shell', '--verbose', '--', process.execPath, hostile, way], { input });

    expect(stderr).toContain('\\u001b[2J');
    expect(stdout + stderr).not.toMatch(/(?![\t\n])\p{Cc}|[\u202E\u2066\u{E0041}]/u);
  });

  it('is written unchanged to a file', async () => {
    const file = join(emptyFolder(), 'text');
    const out = openSync(file, 'w');
    const child = spawn(launcher, ['read', url, 'note:///marks'], { stdio: ['ignore', out, 'inherit'] });
    await new Promise((resolve) => child.once('close', resolve));
    closeSync(out);

    expect(readFileSync(file, 'utf8')).toBe('\u200Fone\r\n\u001B[1mtwo');
    expect(await outcome('read', url, 'note:///marks')).toBe('\\u200fone\n\\u001b[1mtwo\n');
  });
});

describe('ccmcp shell', () => {
  it('reads commands from a file, and exits at the first failure', async () => {
    const input = 'call work\n\nprompt review "code=a b"\nexit\ncall fail\n';
    const { code, stdout } = await run(['shell', url], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'worked\nuser: Review a b in any\n' });

    const failed = await run(['shell', url], { input: 'cal work\nping\n' });
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toContain('there is no command "cal". Did you mean "call"?');
  });

  it('shows the usage of a tool when only its name is typed', async () => {
    const failed = await run(['shell', url], { input: 'work\n' });
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toContain('To call a tool of that name, write call work; help shows the commands.');
  });

  it('shows its commands, each above what it does', async () => {
    const { code, stdout } = await run(['shell', url], { input: 'help\n' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}ping\n {6}check that a server responds$/m);
    expect(stdout).toMatch(/^ {2}exit\n {6}leave the shell$/m);
  });

  it('starts each output on a new line', async () => {
    const { code, stdout } = await run(['shell', url], { input: 'read note:///bytes\ncall work\n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^[ -~]+\nworked\n$/) });
  });
});

describe('a server that requires a key', () => {
  it('gets it by --header; without it the command exits with 4', async () => {
    const service = await serveHttp(testServer(), {
      port: 0,
      auth: apiKey({ header: 'X-Api-Key', keys: ['0123456789abcdef0123456789abcdef'] }),
    });
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));

    expect(await failure('ping', service.url)).toMatchObject({ kind: 'unauthorized' });
    expect(await outcome('ping', service.url, '--header', 'X-Api-Key: 0123456789abcdef0123456789abcdef')).toMatch(
      /answered/,
    );
  });
});

describe('an invalid command line exits with 2:', () => {
  it.each([
    [['list'], 'a target is missing'],
    [['list', 'ccmcp', '--vrebose'], 'there is no option --vrebose. Did you mean "--verbose"?'],
    [['list', 'URL', 'toosl'], 'Did you mean "tools"?'],
    [['call', 'URL'], 'the name of a tool is missing'],
    [['call', 'URL', 'search', 'limit=1'], '"search" needs text'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(args.map((word) => (word === 'URL' ? url : word)));

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('an unreachable server exits with 3:', () => {
  it('a program that exits at once, with its output', async () => {
    const { kind, message } = await failure(
      'list',
      '--',
      process.execPath,
      '-e',
      "console.error('no token'); process.exit(1)",
    );

    expect(kind).toBe('unreachable');
    expect(message).toContain('no token');
  });

  it('a program that does not exist', async () => {
    expect(await failure('list', '--', 'no-such-program-at-all')).toMatchObject({ kind: 'unreachable' });
  });
});

/** Serves only callers with a token. */
async function serveOnce(
  handler: HttpHandler,
  by: TestAuthorizationServer,
  { method, path, headers, body }: RecordedRequest,
): Promise<Answer | undefined> {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  if (path !== '/mcp' || !by.tokens.has(token)) return undefined;
  const copied = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
  const request = new Request('http://127.0.0.1/mcp', {
    method,
    headers: copied as [string, string][],
    ...(method === 'POST' && { body }),
  });
  const response = await handler.fetch(request);
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

describe('on a terminal', () => {
  it.each(['handshake', 'stateless'])('a person is asked what the server wants to know, in the %s era', async (era) => {
    const { code, screen } = await onTerminal(
      ['call', url, 'ask', '--era', era],
      [
        [/Answer\? .*: /, 'y\r'],
        [/name \(string\): /, 'Ada\r'],
      ],
    );

    expect(code).toBe(0);
    expect(screen).toContain('The server asks: Who are you?');
    expect(screen).toContain('It is Ada');
  });

  it('progress is shown while a call runs', async () => {
    const { code, screen } = await onTerminal(['call', url, 'work'], []);

    expect(code).toBe(0);
    expect(screen).toContain('50% half way');
    expect(screen).toContain('worked');
  });

  it('a person signs in with a browser', async () => {
    const by = await startAuthorizationServer();
    const handler = httpHandler(testServer());
    const { url: guarded } = await startProtectedServer({ by, instead: (seen) => serveOnce(handler, by, seen) });
    const { code, screen } = await onTerminal(['ping', guarded], [], { PATH: `${browser()}:${process.env.PATH}` });

    expect(screen).toMatch(/The server wants you to sign in/);
    expect(screen).toMatch(/commanded answered/);
    expect(code).toBe(0);
  });

  it('the shell prompts for questions of the server', async () => {
    const { code, screen } = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call ask\r'],
        [/Answer\? .*: /, 'y\r'],
        [/name \(string\): /, 'Ada\r'],
        [/It is Ada\r\n.*> /s, 'exit\r'],
      ],
    );

    expect(code).toBe(0);
    expect(screen).toContain('It is Ada');
  });

  it('Ctrl+C in the shell ends the call, not the shell', async () => {
    const { code, screen } = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call slow\r'],
        [/a quarter/, '\u0003'],
        [/interrupted[^>]*> /, 'call work\r'],
        [/worked\r\n.*> /s, 'exit\r'],
      ],
    );

    expect(code).toBe(0);
    expect(screen).toContain('worked');
  });

  it('the shell completes names, and continues after a failure', async () => {
    const { code, screen } = await onTerminal(
      ['shell', url],
      [
        [/> /, 'call wor\t'],
        [/call work /, '\r'],
        [/worked\r\n.*> /s, 'call fail\r'],
        [/out of paper\r\n.*> /s, 'exit\r'],
      ],
    );

    expect(code).toBe(0);
    expect(screen).toContain('call work ');
  });
});
