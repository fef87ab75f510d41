import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { self, targetOf } from './target.ts';

const file = fileURLToPath(import.meta.url);
const [program = '', script = ''] = self;

describe('a target', () => {
  it('is a URL', () => {
    expect(targetOf('HTTPS://example.com/mcp', undefined)).toMatchObject({
      kind: 'url',
      url: new URL('https://example.com/mcp'),
    });
  });

  it('is a ready-made server, started anew', () => {
    expect(targetOf('greeting', undefined)).toEqual({
      kind: 'command',
      command: program,
      args: [script, 'greeting'],
      label: 'greeting',
    });
  });

  it('is a file, served by a process of its own', () => {
    expect(targetOf(file, undefined)).toMatchObject({ command: program, args: [script, 'serve', file] });
  });

  it('is a command, whatever else is said', () => {
    expect(targetOf('greeting', ['node', 'x.js'])).toMatchObject({ command: 'node', args: ['x.js'] });
  });

  it.each([
    [undefined, 'A target is missing'],
    ['nothing-like-it', '"nothing-like-it" is no server.'],
    ['greetng', '"greetng" is no server. Did you mean "greeting"?'],
    ['./nothing.js', 'There is no file ./nothing.js'],
    ['server.ts', 'There is no file server.ts'],
    ['http://', '"http://" is no URL'],
    [
      'http://user:secret@127.0.0.1/',
      'A URL with a password in it shows up in lists of processes: use --header instead',
    ],
  ])('is not %s', (word, message) => {
    expect(() => targetOf(word, undefined)).toThrow(expect.objectContaining({ kind: 'usage', message }));
  });
});
