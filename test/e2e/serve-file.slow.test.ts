import { spawn as spawnChild } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connect, type ConnectOptions, httpTransport, spawn } from '@ccmcp/core/client';
import { expectText } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, run, runProcess } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

/** A user's project with the packages installed. */
function project(files: Record<string, string>): string {
  const folder = emptyFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function moduleSaying(text: string, more = ''): string {
  return `
    import { createServer, tool } from '@ccmcp/core';
    const say = tool('say', {}, () => ${JSON.stringify(text)});
    ${more}
    export default createServer({ name: 'mine', version: '1.0.0', tools: [say] });`;
}

interface Serving {
  client: Client;
  /** Resolves when stderr matches, also if it already does. */
  said(pattern: RegExp): Promise<string>;
}

async function serve(args: string[], options: Pick<ConnectOptions, 'version' | 'onLog'> = {}): Promise<Serving> {
  let stderr = '';
  const waiting = new Set<() => void>();
  const transport = spawn(launcher, ['serve', ...args], {
    env: { PATH: process.env.PATH ?? '' },
    stderr(text) {
      stderr += text;
      for (const pageSettings of Array.from(waiting)) pageSettings();
    },
  });
  const client = await connect(transport, { onWarning: () => {}, ...options });
  onTestFinished(() => client.close());
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const pageSettings = (): void => {
        if (!pattern.test(stderr)) return;
        waiting.delete(pageSettings);
        resolve(stderr);
      };
      waiting.add(pageSettings);
      pageSettings();
    });
  return { client, said };
}

async function say(client: Client): Promise<string> {
  return expectText(await client.callTool('say'));
}

describe('ccmcp serve', () => {
  it.each([
    ['as its default', 'server.js', moduleSaying('hello')],
    ['by a name', 'server.mjs', moduleSaying('hello').replace('export default', 'export const server =')],
    ['from a function', 'server.js', moduleSaying('hello').replace('export default', 'export default async () =>')],
    [
      'from CommonJS',
      'server.cjs',
      `const say = { name: 'say', call: () => 'hello' };
       module.exports = import('@ccmcp/core').then(({ createServer }) =>
         createServer({ name: 'mine', version: '1.0.0', tools: [say] }));
       module.exports = (made => () => made)(module.exports);`,
    ],
    ['in TypeScript', 'server.ts', moduleSaying('hello', 'const typed: string = "x"; void typed;')],
  ])('serves what a module exports %s', async (_, name, text) => {
    const folder = project({ [name]: text });
    const { client } = await serve([join(folder, name)]);

    expect(await say(client)).toBe('hello');
  });

  it('keeps output of a module at load time off stdout', async () => {
    const folder = project({ 'server.js': moduleSaying('hello', "console.log('a banner');") });
    const { client, said } = await serve([join(folder, 'server.js')]);

    expect(await say(client)).toBe('hello');
    expect(await said(/a banner/)).toContain('a banner');
  });

  it('sends handshake clients the messages that the server sends outside of requests', async () => {
    const chatty = `
      import { createServer, tool } from '@ccmcp/core';
      const say = tool('say', {}, () => { setImmediate(() => server.log('error', 'said later')); return 'hello'; });
      const server = createServer({ name: 'mine', version: '1.0.0', tools: [say] });
      export default server;`;
    const folder = project({ 'server.js': chatty });
    let hear: (data: unknown) => void = () => {};
    const received = new Promise((resolve) => {
      hear = resolve;
    });
    const { client } = await serve([join(folder, 'server.js')], {
      version: '2025-11-25',
      onLog: ({ data }) => hear(data),
    });
    await say(client);
    expect(await received).toBe('said later');
  });

  it('serves a ready-made server too', async () => {
    const { client } = await serve(['greeting']);

    expect(expectText(await client.callTool('HelloTool', { value: 'Ada' }))).toBe('Hello-bonjour Ada!');
  });

  it('serves over HTTP, and stops on a signal', async () => {
    const folder = project({ 'server.js': moduleSaying('hello') });
    const child = spawnChild(launcher, ['serve', join(folder, 'server.js'), '--http', '0'], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = new Promise((resolve) => child.on('exit', resolve));
    const url = await new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const found = /http:\S+/.exec(text);
        if (found !== null) resolve(found[0]);
      });
    });
    const client = await connect(httpTransport(url));

    expect(await say(client)).toBe('hello');
    await client.close();
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it.each([
    ['exports no server', 'export default 7;', /exports no server.*export default createServer/],
    ['is broken', 'export default (', /unexpected end of input/],
    ['throws', "throw new Error('no database');", /no database/],
  ])('reports that the module %s', async (_, text, message) => {
    const folder = project({ 'server.js': text });
    const { code, stdout, stderr } = await runProcess(['serve', join(folder, 'server.js')]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('reports a missing module', async () => {
    const { code, stdout, stderr } = await runProcess(['serve', join(emptyFolder(), 'server.js')]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/there is no file .*server\.js/);
  });

  it('reports a folder', async () => {
    const { code, stderr } = await runProcess(['serve', emptyFolder()]);

    expect(code).toBe(2);
    expect(stderr).toContain('is a folder: name the file of the server in it');
  });

  it.skipIf('typescript' in process.features)('says what to do where Node does not read TypeScript', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'server.ts'), 'export default 7 as number;');
    const { code, stderr } = await runProcess(['serve', join(folder, 'server.ts')]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/does not read TypeScript.*22\.18.*esbuild.*compile/);
  });

  it.each([
    [[], /the file must come first/],
    [['--watch'], /the file must come first/],
    [['./server.js', '--root', '/'], /--root is for ready-made servers/],
    [['./server.js', '--nonsense'], /there is no option --nonsense/],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await runProcess(['serve', ...args]);

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

/** A module that serves by itself, and prints to stdout. */
function moduleServing(text: string, serving = 'serveStdio(server);'): string {
  return `
    import { createServer, tool } from '@ccmcp/core';
    import { serveStdio } from '@ccmcp/core/stdio';
    console.log('a banner');
    const say = tool('say', {}, () => { console.log('called'); return ${JSON.stringify(text)}; });
    const server = createServer({ name: 'mine', version: '1.0.0', tools: [say] });
    ${serving}`;
}

/** The same with another library. */
const moduleOfAnother = `
  import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
  import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
  async function main() {
    console.log('a banner');
    await new Promise((done) => setTimeout(done, 50));
    const server = new McpServer({ name: 'theirs', version: '1.0.0' });
    server.registerTool('say', { description: 'Says' }, () => ({ content: [{ type: 'text', text: 'theirs' }] }));
    await server.connect(new StdioServerTransport());
  }
  main();`;

const started =
  "if (process.argv[1] === (await import('node:url')).fileURLToPath(import.meta.url)) serveStdio(server);";

const servingByThemselves: [string, string, string][] = [
  ['at once', 'hello', moduleServing('hello')],
  ['after it has been loaded', 'hello', moduleServing('hello', 'setTimeout(() => serveStdio(server), 50);')],
  ['where it is what was started', 'hello', moduleServing('hello', started)],
  ['and never finishes loading', 'hello', moduleServing('hello', 'await serveStdio(server).closed;')],
  ['and exports its server too', 'hello', moduleServing('hello', 'serveStdio(server); export default server;')],
  ['with another library', 'theirs', moduleOfAnother],
];

describe('a file that calls serveStdio itself', () => {
  it.each(servingByThemselves)('%s is served, listed and called', async (_, said, text) => {
    const file = join(project({ 'server.js': text }), 'server.js');
    const { code, stdout } = await run(['shell', file], { input: 'list tools\ncall say\n' });

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`say\\([^]*\n${said}\n$`)) });
  });

  it('exits with its client', async () => {
    const file = join(
      project({ 'server.js': moduleServing('hello', 'setInterval(() => {}, 1e6); serveStdio(server);') }),
    );

    expect(await runProcess(['serve', join(file, 'server.js')])).toMatchObject({ code: 0, stdout: '' });
  });

  it('gets the closed promise, and can close the connection', async () => {
    const text = moduleServing(
      'hello',
      "const { closed, close } = serveStdio(server); closed.then(() => console.error('it is over')); close();",
    );
    const { code, stderr } = await runProcess(['serve', join(project({ 'server.js': text }), 'server.js')]);

    expect(code).toBe(0);
    expect(stderr).toContain('it is over');
  });

  it('keeps its own options', async () => {
    const text = moduleServing('hello', 'serveStdio(server, { maxMessage: 2000 });');
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(3000) } })}\n`;
    const file = join(project({ 'server.js': text }), 'server.js');

    expect((await runProcess(['serve', file], { input })).stdout).toContain('2000');
    expect((await runProcess(['serve', file, '--max-message', '2500'], { input })).stdout).toContain('2500');
  });

  it('can be served over HTTP', async () => {
    const file = join(project({ 'server.js': moduleServing('hello') }), 'server.js');
    const child = spawnChild(launcher, ['serve', file, '--http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const found = /http:\S+/.exec(text);
        if (found !== null) resolve(found[0]);
      });
    });
    const client = await connect(httpTransport(url));

    expect(await say(client)).toBe('hello');
    await client.close();
  });

  it('is reloaded with --watch', async () => {
    const file = join(project({ 'server.js': moduleServing('one') }), 'server.js');
    const { client, said } = await serve([file, '--watch']);
    expect(await say(client)).toBe('one');

    writeFileSync(file, moduleServing('two'));
    await said(/was reloaded/);
    expect(await say(client)).toBe('two');
  });

  it.each([
    ['over HTTP', ['--http', '0'], /can't be served over HTTP.*export default createServer/],
    ['anew when it changes', ['--watch'], /can't be reloaded: leave --watch out/],
  ])('with another library is not served %s, and is reported', async (_, options, message) => {
    const file = join(project({ 'server.js': moduleOfAnother }), 'server.js');
    const { code, stderr } = await runProcess(['serve', file, ...options]);

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('reports why it failed after the start', async () => {
    const text = moduleServing('hello', "serveStdio(server); throw new Error('no database');");
    const { code, stderr } = await runProcess(['serve', join(project({ 'server.js': text }), 'server.js')]);

    expect(code).toBe(1);
    expect(stderr).toContain('no database');
  });
});

describe('a file that serves nothing', () => {
  it.each([
    ['is done', 'export const x = 1;', /exports no server and serves none: write "export default createServer/],
    ['never finishes loading', 'await new Promise(() => {});', /exports no server and serves none/],
    [
      'fails, though it has begun something else',
      "setInterval(() => {}, 1e6); throw new Error('no');",
      /ccmcp: no \(.*server\.js:1:/,
    ],
  ])('and %s fails with an explanation, and the command exits', async (_, text, message) => {
    const { code, stdout, stderr } = await runProcess(['serve', join(project({ 'server.js': text }), 'server.js')]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

it('a file that Node can not run is rejected with a remedy', async () => {
  const folder = project({ 'server.py': '' });
  const { code, stderr } = await runProcess(['serve', join(folder, 'server.py')]);

  expect(code).toBe(2);
  expect(stderr).toMatch(/server\.py is no JavaScript or TypeScript: say what runs it/);
});

describe.each(['2025-11-25', '2026-07-28'])('ccmcp serve --watch, with a client of %s that stays', (version) => {
  it('reloads the file, and notifies clients of changed lists', async () => {
    const folder = project({ 'server.js': moduleSaying('one') });
    const file = join(folder, 'server.js');
    const { client } = await serve([file, '--watch'], { version });
    const subscription = await client.listen({ tools: true });
    const changes = subscription[Symbol.asyncIterator]();
    expect(await say(client)).toBe('one');

    writeFileSync(file, moduleSaying('two'));
    expect((await changes.next()).value).toEqual({ kind: 'tools' });
    expect(await say(client)).toBe('two');
  });
});

describe('ccmcp serve --watch', () => {
  it('keeps the previous version if the new one is broken (TT-19)', async () => {
    const folder = project({ 'server.js': moduleSaying('one') });
    const file = join(folder, 'server.js');
    const { client, said } = await serve([file, '--watch']);

    writeFileSync(file, '// broken\nexport default (');
    await said(/not reloaded, the previous version keeps running: Unexpected .*\(.*server\.js:2\)/);
    expect(await say(client)).toBe('one');

    writeFileSync(file, moduleSaying('three'));
    await said(/was reloaded/);
    expect(await say(client)).toBe('three');
  });

  it.each([
    ['JavaScript', 'server.js', 'text.js', (text: string) => `export const text = '${text}';`],
    ['TypeScript', 'server.ts', 'text.ts', (text: string) => `export const text: string = '${text}';`],
    [
      'TypeScript by its later name',
      'server.ts',
      'text.js',
      (text: string) => `export const text: string = '${text}';`,
    ],
    ['CommonJS', 'server.js', 'text.cjs', (text: string) => `exports.text = '${text}';`],
  ])('sees a change of a file that is imported, in %s', async (_, name, imported, containing) => {
    const main = moduleSaying('')
      .replace('=> ""', '=> text')
      .replace('import', `import { text } from './${imported}';\nimport`);
    const file = name.endsWith('.ts') ? imported.replace('.js', '.ts') : imported;
    const folder = project({ [name]: main, [file]: containing('one') });
    const { client, said } = await serve([join(folder, name), '--watch']);
    expect(await say(client)).toBe('one');

    writeFileSync(join(folder, file), containing('two'));
    await said(/was reloaded/);
    expect(await say(client)).toBe('two');
  });

  it('finishes running calls with the previous version', async () => {
    const waiting = `
      const { existsSync } = await import('node:fs');
      const wait = tool('wait', {}, async (_, { progress }) => {
        progress(1);
        while (!existsSync(new URL('./go', import.meta.url))) await new Promise((done) => setTimeout(done, 10));
        return 'the old one';
      });`;
    const first = moduleSaying('one', waiting).replace('[say]', '[say, wait]');
    const folder = project({ 'server.js': first });
    const { client, said } = await serve([join(folder, 'server.js'), '--watch']);
    let began: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const running = client.callTool('wait', {}, { onProgress: () => began() });
    await begun;

    writeFileSync(join(folder, 'server.js'), moduleSaying('two'));
    await said(/was reloaded/);
    expect(await say(client)).toBe('two');
    writeFileSync(join(folder, 'go'), '');

    expect(expectText(await running)).toBe('the old one');
  });
});
