import { describe, expect, it } from 'vitest';
import { parseWords } from './options.ts';

const tasks = { name: 'tasks', ownOptions: [], takesTaskId: true };

describe('the command line of a client command', () => {
  it('has defaults', () => {
    expect(parseWords(['ccmcp'])).toEqual({
      words: ['ccmcp'],
      command: undefined,
      serverArgs: [],
      help: false,
      options: {
        json: false,
        keepSecrets: false,
        verbose: false,
        headers: {},
        env: {},
        era: 'auto',
        framing: 'newline',
        timeoutMs: 60_000,
        listenMs: Number.POSITIVE_INFINITY,
        count: Number.POSITIVE_INFINITY,
        tokens: false,
        over: 100,
        budget: 10_000,
        check: false,
        recordings: [],
        rules: [],
        ignored: [],
        strict: false,
        accepted: [],
        format: 'text',
        failOn: 'wording',
        verify: false,
        roots: [],
        colour: 'auto',
        images: 'auto',
        opens: true,
        model: {},
        pager: true,
        scopes: [],
        browser: true,
        all: false,
        detach: false,
      },
    });
  });

  it.each([
    [
      ['wait', '-Vab'],
      ['u', 'wait', '-Vab'],
    ],
    [
      ['cancel', '-Vx_9~.a-b', '--json'],
      ['u', 'cancel', '-Vx_9~.a-b'],
    ],
    [
      ['answer', '-Vab', 'name=-x'],
      ['u', 'answer', '-Vab', 'name=-x'],
    ],
    [
      ['wait', '--0123456789abcdef'],
      ['u', 'wait', '--0123456789abcdef'],
    ],
  ])('accepts a task id after a verb, also with a leading dash: %j', (args, words) => {
    expect(parseWords(['u', ...args], tasks).words).toEqual(words);
  });

  it('accepts options also where a task id is expected', () => {
    const { words, options } = parseWords(['u', 'wait', '--json', 'k3Xq'], tasks);
    expect([words, options.json]).toEqual([['u', 'wait', 'k3Xq'], true]);
    expect(parseWords(['u', 'wait', '-h'], tasks).help).toBe(true);
    expect(() => parseWords(['u', 'wait', '--jsno'], tasks)).toThrow('Did you mean "--json"?');
  });

  it('may have options anywhere', () => {
    const { words, options } = parseWords(['--json', 'ccmcp', '--timeout=2', 'add', 'a=1', '--verbose', 'b=-2']);
    expect(words).toEqual(['ccmcp', 'add', 'a=1', 'b=-2']);
    expect(options).toMatchObject({ json: true, verbose: true, timeoutMs: 2000 });
  });

  it('leaves a command after -- as it is', () => {
    const { words, command, options } = parseWords(['add', 'a=1', '--', 'node', 'x.js', '--json', '--']);
    expect({ words, command, json: options.json }).toEqual({
      words: ['add', 'a=1'],
      command: ['node', 'x.js', '--json', '--'],
      json: false,
    });
  });

  it.each<[string[], string[], string[] | undefined]>([
    [['notes', '--', '-x', 'a=1', '--json'], ['notes', '-x', 'a=1', '--json'], undefined],
    [
      ['--', '-x', 'a=1', '--', 'node', 'x.js', '--', '-y'],
      ['-x', 'a=1'],
      ['node', 'x.js', '--', '-y'],
    ],
    [['notes', '--', '--help'], ['notes', '--help'], undefined],
  ])('takes names with a dash in front after --, before a command: %j', (args, words, command) => {
    expect(parseWords(args)).toMatchObject({ words, help: false, options: { json: false } });
    expect(parseWords(args).command).toEqual(command);
  });

  it('knows the flags of ready-made servers, and keeps them apart', () => {
    const args = ['notes', '--db', 'x.db', 'create_note', '--shared-notes', '--json', '--root=a=b', 'title=x'];
    expect(parseWords(args)).toMatchObject({
      words: ['notes', 'create_note', 'title=x'],
      serverArgs: ['--db=x.db', '--shared-notes', '--root=a=b'],
      options: { json: true },
    });
  });

  it('collects headers and variables', () => {
    const args = ['--header', 'Authorization: Bearer a:b', '--header=X-One:1', '--env', 'A=b=c', '--env', 'D='];
    expect(parseWords(args).options).toMatchObject({
      headers: { Authorization: 'Bearer a:b', 'X-One': '1' },
      env: { A: 'b=c', D: '' },
    });
  });

  it('reads options of output and of answers to questions', () => {
    const args = [
      '--out',
      'o',
      '--root=a',
      '--root',
      'b',
      '--sample-with',
      'x y',
      '--log-level',
      'debug',
      '--no-pager',
      '--idempotency-key',
      'k',
    ];
    expect(parseWords(args).options).toMatchObject({
      out: 'o',
      roots: ['a', 'b'],
      sampleWith: 'x y',
      logLevel: 'debug',
      pager: false,
      idempotencyKey: 'k',
    });
  });

  it.each([
    [['--'], 'There is no command after "--"'],
    [['--vrebose'], 'There is no option --vrebose. Did you mean "--verbose"?'],
    [['--nothing-like-it'], 'There is no option --nothing-like-it.'],
    [['-x'], 'There is no option -x.'],
    [['--era', 'new'], '--era must be one of auto, handshake, stateless: new'],
    [['--era'], '--era needs a value'],
    [['--framing', 'lines'], '--framing must be one of newline, content-length: lines'],
    [['--timeout', 'long'], '--timeout must be a number above 0: long'],
    [['--log-level', 'loud'], /--log-level must be one of debug, info, .*: loud/],
    [['--color', 'red'], '--color must be one of auto, always, never: red'],
    [['--images', 'jpeg'], '--images must be one of auto, kitty, iterm2, none: jpeg'],
    [['--count', '0'], '--count must be a number above 0: 0'],
    [['--header', 'nothing'], '--header must be NAME:VALUE'],
    [['--env', '=x'], '--env must be NAME=VALUE'],
    [['--json=yes'], '--json takes no value'],
  ])('with %j is rejected', (args, message) => {
    const said = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(() => parseWords(args)).toThrow(expect.objectContaining({ kind: 'usage', message: said }));
  });
});
