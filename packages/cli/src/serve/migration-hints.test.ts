import { describe, expect, it } from 'vitest';
import { type CommandLineMistake, parseServeOptions } from '../servers/serve-options.ts';
import { commands } from '../commands.ts';
import { explainMistake } from './migration-hints.ts';

function hint(...args: string[]): string {
  const command = parseServeOptions(args, {});
  expect(command.kind).toBe('mistake');
  return explainMistake(command as CommandLineMistake, commands);
}

describe('an unknown command', () => {
  it.each([
    ['lst', 'Did you mean "list"?'],
    ['instal', 'Did you mean "install"?'],
    ['serv', 'Did you mean "serve"?'],
    ['moonphse', 'Did you mean "moonphase"?'],
    ['hlep', 'Did you mean "help"?'],
    ['inspector', / inspect TARGET"\.$/],
    ['init', /new NAME/],
    ['run', /serve FILE/],
    ['tools', /list TARGET tools/],
    ['./server.js', /serve \.\/server\.js".*list \.\/server\.js/],
    ['server.ts', /serve server\.ts"/],
    ['http://127.0.0.1:8080/mcp', /list http:\/\/127\.0\.0\.1:8080\/mcp/],
    ['localhost:3000/mcp', /list localhost:3000\/mcp/],
  ])('%s gets the right hint', (word, text) => {
    expect(hint(word)).toContain(`there is no command or server ${word}\n`);
    expect(hint(word).split('\n')[1]).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  it('that resembles nothing gets the list of servers', () => {
    expect(hint('xyzzyxyzzy')).toMatch(/^there is no command or server xyzzyxyzzy; the servers are ccmcp, [^\n]*$/);
  });

  it.each(['constructor', '__proto__', 'toString'])('%s, a property of every object, is like any other', (word) => {
    expect(hint(word)).toMatch(/^there is no command or server/);
  });

  it('gets the hint also with --help', () => {
    expect(hint('lst', '--help')).toContain('Did you mean "list"?');
  });
});

describe('an option of another tool', () => {
  it.each([
    [['--port', '3000'], '--http 3000'],
    [['--port=3000'], '--http 3000'],
    [['--port'], '--http PORT'],
    [['-p', '80'], '--http 80'],
    [['--host', '0.0.0.0'], '--http 0.0.0.0:8080'],
    [['--transport', 'http'], '--http [PORT]'],
    [['--transport=stdio'], 'Leave it out: stdio'],
    [['--transport', 'sse'], '--http --sse'],
    [['--stdio'], 'Leave it out: stdio'],
    [['--verbose'], '--log-level debug'],
    [['--quiet'], '--log-level error'],
    [['--dir', '/tmp'], '--root /tmp'],
    [['--api-key', 'secret'], '--api-key-env'],
    [['--method', 'tools/list'], 'list TARGET'],
    [['--json'], 'help call'],
    [['--port', '--verbose'], '--http PORT'],
  ])('%j gets the equivalent here', (args, text) => {
    expect(hint(...args)).toContain(text);
  });

  it('is not repeated if it may be secret', () => {
    expect(hint('--api-key', 'hunter2')).not.toContain('hunter2');
    expect(hint('--token=hunter2')).not.toContain('hunter2');
  });
});

describe('a misspelled option', () => {
  it.each([
    ['--rot', 'Did you mean "--root"?'],
    ['--log-lvl', 'Did you mean "--log-level"?'],
    ['--htpp', 'Did you mean "--http"?'],
    ['--verison', 'Did you mean "--version"?'],
  ])('%s gets the nearest', (option, text) => {
    expect(hint(option)).toBe(`There is no option ${option}.\n${text}`);
  });
});
