import { spawn, spawnSync } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, prompt, template } from '@ccmcp/core';
import { connect, httpTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launcher, run, runProcess } from '../support/ccmcp.ts';
import { mustTestEverything } from '../support/everything.ts';
import { linkedProject } from '../support/project.ts';

const tools = `
  import { createServer, resource, tool } from '@ccmcp/core';
  function find(where) {
    return where.nothing.at.all;
  }
  const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  export const server = createServer({
    name: 'mine',
    version: '1.0.0',
    tools: [
      tool('throw', {}, () => find({})),
      tool('reject', {}, async () => { await null; throw new RangeError('too far'); }),
      tool('lie', { output }, () => ({ sum: 'three' })),
      tool('stray', {}, () => { setImmediate(() => { throw new Error('afterwards'); }); return 'fine'; }),
    ],
    resources: [resource('note:///one', {}, () => { throw new Error('no paper'); })],
  });`;
const program = `import { serveStdio } from '@ccmcp/core/stdio';\nimport { server } from './server.js';\nserveStdio(server);`;

/** Mistakes in a file, with the expected message and location. */
const mistakes = [
  [
    'throw',
    5,
    /TypeError: Cannot read properties of undefined.*\n {4}at find \(server\.js:4:\d+\)\n {4}at .*server\.js:11:\d+/,
  ],
  ['reject', 5, /RangeError: too far\n {4}at .*server\.js:12:\d+/],
  ['lie', 6, /breaks its output schema: Error: sum: expected number, got string\n {4}at server\.js:13:\d+/],
] as const;

describe("a mistake in a user's file", () => {
  it.each(mistakes)('is shown by call, and not sent to clients: %s', async (name, code, shown) => {
    const folder = linkedProject({ 'server.js': tools });
    const outcome = await run(['call', './server.js', name], { cwd: folder });

    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' });
    expect(outcome.stderr).toMatch(shown);
    expect(outcome.stderr).not.toMatch(/node:internal|packages\/core/);
    // In JSON, the response of the server and its stderr are separate members.
    const json = await run(['call', './server.js', name, '--json'], { cwd: folder });
    const { error } = JSON.parse(json.stderr);
    expect(error.stderr.join('\n')).toMatch(shown);
    expect(JSON.stringify({ ...error, stderr: undefined })).not.toMatch(/nothing|too far|expected number/);
  });

  it('can be debugged with console.log, shown once on stderr', async () => {
    const printing = tools.replace("tool('throw', {}, () =>", "tool('throw', {}, () => console.log('here', 1) ??");
    const folder = linkedProject({ 'server.js': printing });
    const outcome = await run(['call', './server.js', 'throw'], { cwd: folder });

    expect(outcome.stdout).toBe('');
    expect(outcome.stderr.match(/^here 1$/gm)).toHaveLength(1);
    const json = await run(['call', './server.js', 'throw', '--json'], { cwd: folder });
    expect(JSON.parse(json.stderr).error.stderr).toContain('here 1');
  });

  it('is shown for a command', async () => {
    const [name, code, shown] = mistakes[0];
    const folder = linkedProject({ 'server.js': tools, 'main.js': program });
    const outcome = await run(['call', name, '--', process.execPath, 'main.js'], { cwd: folder });

    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toMatch(shown);
  });

  it('is shown by the shell, and by read', async () => {
    const folder = linkedProject({ 'server.js': tools });
    const shell = await run(['shell', './server.js'], { cwd: folder, input: 'call throw\n' });
    const read = await run(['read', './server.js', 'note:///one'], { cwd: folder });

    expect(shell.stderr).toMatch(mistakes[0][2]);
    expect(read.stderr).toMatch(/Error: no paper\n {4}at .*server\.js:16:\d+/);
  });

  it('is shown also if the call succeeds', async () => {
    const folder = linkedProject({ 'server.js': tools });
    const input = 'call stray\ncall stray\nping\n';
    const { code, stdout, stderr } = await run(['shell', './server.js'], { cwd: folder, input });

    expect({ code, stdout: stdout.split('\n')[0] }).toEqual({ code: 0, stdout: 'fine' });
    expect(stderr).toMatch(/Uncaught exception: Error: afterwards\n {4}at .*server\.js:14:\d+/);
  });

  it.each([
    ['server.js', 'const x = undefined;\nx.y();\nexport default 7;', /TypeError: Cannot read.*\(server\.js:2:\d+\)/],
    ['server.js', "throw new Error('no database');", /no database \(server\.js:1:\d+\)/],
    [
      'server.js',
      'import { createServer, tool } from "@ccmcp/core";\nexport default createServer({ name: "x" });',
      /needs a name and a version.* \(server\.js:2:\d+\)/,
    ],
    ['server.js', '// broken\nexport default (', /unexpected.*\(.*server\.js:2\)/],
    [
      'server.ts',
      'interface A { b: number }\n\nconst a: A | undefined = undefined;\nconsole.log((a as unknown as A).b);',
      /TypeError: Cannot read.*\(server\.ts:4:\d+\)/,
    ],
  ])('is shown if the file can not be loaded: %s %j', async (name, text, shown) => {
    const folder = linkedProject({ [name]: text });
    // `ccmcp serve` prints the same.
    const listed = await run(['list', `./${name}`], { cwd: folder });

    expect(listed.code).toBe(3);
    expect(listed.stderr).toMatch(shown);
    expect(listed.stderr).toContain(`the server "./${name}" ended with code 1`);
    expect(listed.stderr).not.toContain(process.execPath);
  });

  it('is shown by serve if the file can not be loaded', async () => {
    const folder = linkedProject({ 'server.js': "throw new Error('no database');" });
    expect(await runProcess(['serve', './server.js'], { cwd: folder })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/no database \(server\.js:1:\d+\)/),
    });
  });

  it('of another library is shown from its stderr, only if it fails', async () => {
    const other = `
      process.stderr.write('Started\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) return;
        const results = {
          initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
          'tools/list': { tools: ['good', 'bad'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
          'tools/call': { content: [{ type: 'text', text: 'done' }], isError: params?.name === 'bad' },
        };
        if (method === 'tools/call') process.stderr.write('Traceback: line 7\\n');
        const answer = results[method] === undefined ? { error: { code: -32601, message: '?' } } : { result: results[method] };
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
      });`;
    const folder = linkedProject({ 'other.cjs': other });
    const good = await run(['call', 'good', '--', process.execPath, 'other.cjs'], { cwd: folder });
    const bad = await run(['call', 'bad', '--', process.execPath, 'other.cjs'], { cwd: folder });

    expect(good).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
    expect(bad.stderr).toBe('The server wrote to stderr:\n  Traceback: line 7\nccmcp: done\n');
  });
});

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasTerminals && !mustTestEverything)('ccmcp serve on a terminal', () => {
  it('prints errors for people', async () => {
    const folder = linkedProject({ 'server.js': tools });
    const command = `'${launcher}' serve ./server.js --http 0`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    let screen = '';
    const shows = (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const pageSettings = (): void => {
          const found = pattern.exec(screen);
          if (found !== null) resolve(found[0]);
        };
        child.stdout.on('data', pageSettings);
        pageSettings();
      });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
    });
    const client = await connect(httpTransport(await shows(/http:\S+/)));
    await client.callTool('throw');
    await client.close();

    expect(
      await shows(/error mine: Tool "throw" failed unexpectedly\r\n {4}TypeError: .*\r\n +at find .*server\.js:4:\d+/),
    ).toBeTruthy();
  });
});

describe("errors are explained with the name of the user's file:", () => {
  it('a port in use', async () => {
    const other = createHttp().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const folder = linkedProject({ 'server.js': tools });
    for (const args of [['serve', './server.js'], ['ccmcp']]) {
      const { code, stderr } = await runProcess([...args, '--http', String(port)], { cwd: folder });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `ccmcp: port ${port} of 127.0.0.1 is in use: stop what listens there, or choose another with --http ${port + 1}, or any free one with --http 0\n`,
      );
    }
  });

  it.each([
    [['list', './nothing.js'], 2, /^ccmcp: there is no file \.\/nothing\.js\n$/],
    [
      ['list', '--', process.execPath, 'nothing.js'],
      3,
      /^ccmcp: there is no file nothing\.js\nPaths are looked up from/,
    ],
    [['list', '--', 'no-such-program'], 3, /^ccmcp: there is no program "no-such-program"\n.*PATH/],
    [['list', '--', './package.json'], 3, /^ccmcp: "\.\/package\.json" is not a program that may be run\n.*chmod/],
    [
      ['list', '--', process.execPath, 'dies.cjs'],
      3,
      /^ccmcp: the server "dies\.cjs" ended with code 7\. Its stderr ends with: no token/,
    ],
  ])('%j', async (args, code, message) => {
    const folder = linkedProject({ 'dies.cjs': "console.error('no token'); process.exit(7)" });
    const outcome = await run(args, { cwd: folder });

    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toContain('node:internal');
  });

  it('a 401, with what WWW-Authenticate says', async () => {
    const challenge = 'Bearer realm="api", error="invalid_token", error_description="It expired"';
    const web = createHttp((_, response) => response.writeHead(401, { 'www-authenticate': challenge }).end());
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
    const bare = await run(['list', url]);
    const sent = await run(['list', url, '--header', 'Authorization: Bearer hidden']);

    expect(bare.code).toBe(4);
    expect(bare.stderr).toBe(
      `ccmcp: the server wants credentials (401): It expired. WWW-Authenticate: ${challenge}\n` +
        "Send them with --header 'Authorization: Bearer TOKEN'.\n",
    );
    expect(sent.stderr).toContain('rejects the Authorization that it was sent (401)');
    expect(sent.stderr).not.toContain('hidden');
  });

  it('completing an unknown prompt', async () => {
    const server = createServer({
      name: 'n',
      version: '1',
      prompts: [prompt('review', { arguments: { language: { complete: ['python'] } } }, () => 'x')],
      templates: [template('note:///{id}', { complete: { id: ['one'] } }, () => 'x')],
    });
    const { url, close } = await serveHttp(server, { port: 0 });
    onTestFinished(() => close({ graceMs: 0, lingerMs: 0 }));
    const outcome = await run(['complete', url, 'reveiw', 'language']);
    const missed = await run(['complete', url, 'nota:///{id}', 'id']);
    const argument = await run(['complete', url, 'review', 'lang']);

    expect(outcome.code).toBe(7);
    expect(outcome.stderr).toContain('no prompt "reveiw". Did you mean "review"?');
    expect({ code: missed.code, stderr: missed.stderr.split('\n')[0] }).toEqual({
      code: 7,
      stderr: 'ccmcp: the server has no resource template "nota:///{id}". Did you mean "note:///{id}"?',
    });
    expect(argument.code).toBe(2);
    expect(argument.stderr).toContain('"review" takes no "lang". Did you mean "language"?');
  });
});

describe('a TypeScript file that imports ./dep.js', () => {
  const main = `
    import { createServer, tool } from '@ccmcp/core';
    import { text } from './lib/dep.js';
    import { other } from './real.js';
    export default createServer({ name: 'n', version: '1', tools: [tool('say', {}, (): string => text + other)] });`;

  it('gets dep.js if it exists, or else dep.ts', async () => {
    const folder = linkedProject({
      'server.ts': main,
      'lib/dep.ts': "import { deeper } from './deeper.mjs';\nexport const text: string = 'from TypeScript' + deeper;",
      'lib/deeper.mts': "export const deeper: string = ' all the way';",
      'real.js': "export const other = ' and JavaScript';",
    });
    expect(await run(['call', './server.ts', 'say'], { cwd: folder })).toEqual({
      code: 0,
      stdout: 'from TypeScript all the way and JavaScript\n',
      stderr: '',
    });
  });

  it('gets nothing else on stderr', async () => {
    const folder = linkedProject({
      'server.ts': main,
      'lib/dep.ts': 'export const text = 1;',
      'real.js': 'export const other = 1;',
    });
    expect(await runProcess(['serve', './server.ts'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('fails with the imported name if neither exists', async () => {
    const folder = linkedProject({ 'server.ts': main, 'real.js': 'export const other = 1;' });
    const { code, stderr } = await run(['list', './server.ts'], { cwd: folder });

    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`Cannot find module '.*${join('lib', 'dep.js')}'`));
  });
});
