import { ConnectionError } from '@ccmcp/core/client';
import { describe, expect, it } from 'vitest';
import { serverName } from './target.ts';
import { startFailure } from './with-client.ts';
import { selfCommandLine, type Target } from './target.ts';

function command(...words: string[]): Extract<Target, { kind: 'command' }> {
  const [program = '', ...args] = words;
  return { kind: 'command', command: program, args, label: words.join(' ') };
}

describe('a started server is called', () => {
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
  ])('%j: %s', (words, name) => {
    expect(serverName(command(...words))).toBe(name);
  });

  it('by what the user typed, where this program serves it', () => {
    const [program = '', main = ''] = selfCommandLine();
    const own: Target = { kind: 'command', command: program, args: [main, 'serve', './mine.js'], label: './mine.js' };
    expect(serverName(own)).toBe('./mine.js');
  });

  it('not by files that something else is said of', () => {
    expect(serverName(command('node', '--env-file', 'x.js', '-r', 'y.cjs', 'z.mjs'))).toBe('z.mjs');
  });
});

describe('a server that could not be started', () => {
  const ended = new ConnectionError('ended');

  it('says which file is not there', () => {
    expect(startFailure(ended, command('node', 'no/such.js'))).toMatchObject({
      kind: 'unreachable',
      message: 'There is no file no/such.js',
    });
    expect(startFailure(ended, command('node', import.meta.filename))).toBe(ended);
  });

  it.each([
    ['ENOENT', 'There is no program "serve"'],
    ['EACCES', '"serve" is not a program that may be run'],
  ])('says what is wrong with the program: %s', (code, message) => {
    const error = new ConnectionError('x', { cause: Object.assign(new Error('x'), { code }) });
    expect(startFailure(error, command('serve'))).toMatchObject({ kind: 'unreachable', message });
  });

  it('says the rest as it is', () => {
    const url: Target = { kind: 'url', url: new URL('http://x/'), label: 'x' };
    expect(startFailure(ended, url)).toBe(ended);
    const other = new Error('other');
    expect(startFailure(other, command('node', 'no/such.js'))).toBe(other);
  });
});
