import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '@ccmcp/core/client';
import { selfCommandLine, resolveTarget, serverName, type Target } from './target.ts';
import { startFailure } from './open-client.ts';

const file = fileURLToPath(import.meta.url);
const [program = '', script = ''] = selfCommandLine();

describe('resolving a target', () => {
  it('recognizes a URL', async () => {
    expect(await resolveTarget('HTTPS://example.com/mcp', undefined)).toMatchObject({
      kind: 'url',
      url: new URL('https://example.com/mcp'),
    });
  });

  it.each([
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['example.com/mcp', 'https://example.com/mcp'],
  ])('recognizes a URL without a scheme: %s', async (word, url) => {
    expect(await resolveTarget(word, undefined)).toEqual({ kind: 'url', url: new URL(url), label: url });
  });

  it('starts a ready-made server in a new process', async () => {
    expect(await resolveTarget('greeting', undefined)).toEqual({
      kind: 'command',
      command: program,
      args: [script, 'greeting'],
      label: 'greeting',
    });
  });

  it('passes flags to a ready-made server', async () => {
    const serverArgs = ['--db=x.db', '--shared-notes'];
    expect(await resolveTarget('notes', undefined, { serverArgs })).toMatchObject({
      args: [script, 'notes', ...serverArgs],
    });
  });

  it.each([[['./x.js', undefined]], [['https://x/', undefined]], [[undefined, ['node', 'x.js']]]] as const)(
    'takes no flags of ready-made servers where it is none: %j',
    async ([word, command]) => {
      const message = expect.stringContaining('--db is for ready-made servers: ccmcp, ');
      const rejected = resolveTarget(word, command, { serverArgs: ['--db=x.db'] });
      await expect(rejected).rejects.toThrow(expect.objectContaining({ kind: 'usage', message }));
    },
  );

  it('serves a file in a child process', async () => {
    expect(await resolveTarget(file, undefined)).toMatchObject({ command: program, args: [script, 'serve', file] });
  });

  it('lists the possible targets if none is given', async () => {
    const hint = expect.stringContaining('Ready-made servers: ccmcp, ');
    await expect(resolveTarget(undefined, undefined)).rejects.toThrow(expect.objectContaining({ hint }));
  });

  it('prefers a command after -- to other words', async () => {
    expect(await resolveTarget('greeting', ['node', 'x.js'])).toMatchObject({ command: 'node', args: ['x.js'] });
  });

  it.each([
    [undefined, 'A target is missing'],
    ['nothing-like-it', 'Unknown server "nothing-like-it".'],
    ['greetng', 'Unknown server "greetng". Did you mean "greeting"?'],
    ['./nothing.js', 'There is no file ./nothing.js'],
    ['server.ts', 'There is no file server.ts'],
    ['README.md', 'README.md is no JavaScript or TypeScript: say what runs it, as in "-- python server.py"'],
    ['./README.md', './README.md is no JavaScript or TypeScript: say what runs it, as in "-- python server.py"'],
    ['./docs', './docs is a folder: name the file of the server in it'],
    ['.', '. is a folder: name the file of the server in it'],
    ['http://', '"http://" is no URL'],
    [
      'http://user:secret@127.0.0.1/',
      'A URL with a password in it shows up in lists of processes: use --header instead',
    ],
  ])('rejects the target %s', async (word, message) => {
    await expect(resolveTarget(word, undefined)).rejects.toThrow(expect.objectContaining({ kind: 'usage', message }));
  });
});

function command(...words: string[]): Extract<Target, { kind: 'command' }> {
  const [program = '', ...args] = words;
  return { kind: 'command', command: program, args, label: words.join(' ') };
}

describe('the name of a started server', () => {
  it.each([
    [['node', 'server.js', '--flag'], 'server.js'],
    [['/usr/bin/node', '--import', 'tsx', 'src/server.ts'], 'src/server.ts'],
    [['python3.12', 'server.py'], 'server.py'],
    [['bun', 'run', 'server.ts'], 'server.ts'],
    [['deno', 'run', '-A', './server.ts'], './server.ts'],
    [['node', '-e', 'x.js'], 'node -e x.js'],
    [['node', '-e', '1 + 1'], 'node -e 1 + 1'],
    [['npx', '-y', 'some-server'], 'npx -y some-server'],
    [['python', '-m', 'server'], 'python -m server'],
    [['./server', 'a.js'], './server a.js'],
  ])('of %j is: %s', (words, name) => {
    expect(serverName(command(...words))).toBe(name);
  });

  it('is the typed command line if this program serves it', () => {
    const [program = '', main = ''] = selfCommandLine();
    const own: Target = { kind: 'command', command: program, args: [main, 'serve', './mine.js'], label: './mine.js' };
    expect(serverName(own)).toBe('./mine.js');
  });

  it('is that of the module, not of files in other options', () => {
    expect(serverName(command('node', '--env-file', 'x.js', '-r', 'y.cjs', 'z.mjs'))).toBe('z.mjs');
  });
});

describe('a server that could not be started', () => {
  const ended = new ConnectionError('ended');

  it('reports the missing file', () => {
    expect(startFailure(ended, command('node', 'no/such.js'))).toMatchObject({
      kind: 'unreachable',
      message: 'There is no file no/such.js',
    });
    expect(startFailure(ended, command('node', import.meta.filename))).toBe(ended);
  });

  it.each([
    ['ENOENT', 'There is no program "serve"'],
    ['EACCES', '"serve" is not a program that may be run'],
  ])('reports the problem with the program: %s', (code, message) => {
    const error = new ConnectionError('x', { cause: Object.assign(new Error('x'), { code }) });
    expect(startFailure(error, command('serve'))).toMatchObject({ kind: 'unreachable', message });
  });

  it('reports other errors unchanged', () => {
    const url: Target = { kind: 'url', url: new URL('http://x/'), label: 'x' };
    expect(startFailure(ended, url)).toBe(ended);
    const other = new Error('other');
    expect(startFailure(other, command('node', 'no/such.js'))).toBe(other);
  });
});
