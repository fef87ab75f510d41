import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selfCommandLine, resolveTarget } from './target.ts';

const file = fileURLToPath(import.meta.url);
const [program = '', script = ''] = selfCommandLine();

describe('a target', () => {
  it('is a URL', async () => {
    expect(await resolveTarget('HTTPS://example.com/mcp', undefined)).toMatchObject({
      kind: 'url',
      url: new URL('https://example.com/mcp'),
    });
  });

  it.each([
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['example.com/mcp', 'https://example.com/mcp'],
  ])('is an address without a scheme: %s', async (word, url) => {
    expect(await resolveTarget(word, undefined)).toEqual({ kind: 'url', url: new URL(url), label: url });
  });

  it('is a ready-made server, started anew', async () => {
    expect(await resolveTarget('greeting', undefined)).toEqual({
      kind: 'command',
      command: program,
      args: [script, 'greeting'],
      label: 'greeting',
    });
  });

  it('is a ready-made server with flags of its own', async () => {
    const serverArgs = ['--db=x.db', '--shared-notes'];
    expect(await resolveTarget('notes', undefined, { serverArgs })).toMatchObject({
      args: [script, 'notes', ...serverArgs],
    });
  });

  it.each([[['./x.js', undefined]], [['https://x/', undefined]], [[undefined, ['node', 'x.js']]]] as const)(
    'takes no flags of ready-made servers where it is none: %j',
    async ([word, command]) => {
      const message = expect.stringContaining('--db is for ready-made servers: ccmcp, ');
      const refused = resolveTarget(word, command, { serverArgs: ['--db=x.db'] });
      await expect(refused).rejects.toThrow(expect.objectContaining({ kind: 'usage', message }));
    },
  );

  it('is a file, served by a process of its own', async () => {
    expect(await resolveTarget(file, undefined)).toMatchObject({ command: program, args: [script, 'serve', file] });
  });

  it('may be one of those that are told where none is given', async () => {
    const hint = expect.stringContaining('Ready-made servers: ccmcp, ');
    await expect(resolveTarget(undefined, undefined)).rejects.toThrow(expect.objectContaining({ hint }));
  });

  it('is a command, whatever else is said', async () => {
    expect(await resolveTarget('greeting', ['node', 'x.js'])).toMatchObject({ command: 'node', args: ['x.js'] });
  });

  it.each([
    [undefined, 'A target is missing'],
    ['nothing-like-it', '"nothing-like-it" is no server.'],
    ['greetng', '"greetng" is no server. Did you mean "greeting"?'],
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
  ])('is not %s', async (word, message) => {
    await expect(resolveTarget(word, undefined)).rejects.toThrow(expect.objectContaining({ kind: 'usage', message }));
  });
});
