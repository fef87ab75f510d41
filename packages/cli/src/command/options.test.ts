import { describe, expect, it } from 'vitest';
import { parseOptions, readOptions } from './options.ts';
import { UnknownOptionError, UsageError } from './usage-error.ts';

const options = {
  out: { value: 'DIR', about: 'a folder' },
  header: { value: 'TEXT', about: 'a header', multiple: true },
  db: { value: 'FILE', about: 'a database', once: true },
  hash: { value: 'HASH', about: 'a hash', dashValue: /^-[a-z]{3}$/ },
  http: { value: '[PORT]', about: 'a port', optionalValue: /\d$/ },
  mode: { value: 'MODE', about: 'a mode', choices: ['fast', 'slow'] },
  json: { about: 'a switch' },
  help: { about: 'help', short: ['h'] },
} as const;

const parse = (...args: string[]) => parseOptions(args, options);

describe('parseOptions', () => {
  it('reads switches, values and positionals in any order', () => {
    expect(parse('a', '--json', '--out', 'x', 'b', '--header=1', '--header', '2', '-h')).toEqual({
      values: { json: true, out: 'x', header: ['1', '2'], help: true },
      positionals: ['a', 'b'],
      rest: undefined,
    });
  });

  it('keeps the words after -- as they are', () => {
    expect(parse('a', '--', '--json', '--')).toEqual({ values: {}, positionals: ['a'], rest: ['--json', '--'] });
  });

  it.each([
    [['--out='], { out: '' }],
    [['--out', ''], { out: '' }],
    [['--out', '-'], { out: '-' }],
    [['--out=--odd=1'], { out: '--odd=1' }],
    [['--out', 'x', '--out', 'y'], { out: 'y' }],
    [['--hash', '-abc'], { hash: '-abc' }],
    [['--mode', 'slow'], { mode: 'slow' }],
    [['--http'], { http: '' }],
    [['--http', '80'], { http: '80' }],
    [['--http', '--json'], { http: '', json: true }],
  ])('parses %j as %j', (args, values) => {
    expect(parse(...args).values).toEqual(values);
  });

  it('leaves a word that does not match an optional value', () => {
    expect(parse('--http', 'notes')).toMatchObject({ values: { http: '' }, positionals: ['notes'] });
  });

  it.each([
    [['--out'], '--out needs a value'],
    [['--out', '--json'], '--out needs a value'],
    [['--out', '-x'], '--out needs a value'],
    [['--hash', '-abcd'], '--hash needs a value'],
    [['--mode', 'Fast'], '--mode must be one of fast, slow: Fast'],
    [['--mode='], '--mode must be one of fast, slow: '],
    [['--json=1'], '--json takes no value'],
    [['--db', 'a', '--db', 'b'], '--db is given twice'],
  ])('rejects %j', (args, message) => {
    expect(() => parse(...args)).toThrow(new UsageError(message));
  });

  it.each([
    [['--port', '80'], '--port', '80'],
    [['--port=80'], '--port', '80'],
    [['--port', '--json'], '--port', ''],
    [['-p'], '-p', ''],
    [['--constructor'], '--constructor', ''],
    [['--__proto__'], '--__proto__', ''],
  ])('names the unknown option of %j', (args, option, value) => {
    expect(() => parse(...args)).toThrow(UnknownOptionError);
    expect(() => parse(...args)).toThrow(expect.objectContaining({ option, value }));
  });
});

describe('readOptions', () => {
  it('yields the options before an error', () => {
    const tokens = readOptions(['a', '--help', '--nonsense'], options);
    expect(tokens.next().value).toEqual({ kind: 'positional', word: 'a' });
    expect(tokens.next().value).toEqual({ kind: 'option', name: 'help', value: undefined });
    expect(() => tokens.next()).toThrow(UnknownOptionError);
  });

  it('can take single-dash values, and reject empty ones', () => {
    const read = (...args: string[]) => [...readOptions(args, options, { dashValues: true, nonEmpty: true })];
    expect(read('--out', '-x')).toEqual([{ kind: 'option', name: 'out', value: '-x' }]);
    expect(() => read('--out', '--x')).toThrow('--out needs a value');
    expect(() => read('--out', '')).toThrow('--out needs a value');
    expect(() => read('--out=')).toThrow('--out needs a value');
  });
});
