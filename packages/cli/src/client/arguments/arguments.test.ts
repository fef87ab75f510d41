import { describe, expect, it } from 'vitest';
import { parsePairs, parseTextArguments, parseToolArguments } from './arguments.ts';
import { Failure } from '../../command/failure.ts';
import type { DataSource } from './data-source.ts';

const inputSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    loud: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'number' } },
    place: { type: 'object' },
    level: { enum: ['low', 2] },
    either: { type: ['number', 'string'] },
    maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    point: { $ref: '#/$defs/point' },
  },
  $defs: { point: { type: 'object' } },
};

const tool = { name: 'f', inputSchema };

/** A data source without files and stdin. */
const nothing: DataSource = {
  file: (path) => Promise.reject(new Error(path)),
  stdin: () => Promise.reject(new Error()),
};

describe('the arguments of a tool', () => {
  it.each([
    ['name=7', { name: '7' }],
    ['name=', { name: '' }],
    ['name=a=b', { name: 'a=b' }],
    ['name=two\nlines', { name: 'two\nlines' }],
    ['count=7', { count: 7 }],
    ['ratio=-0.5', { ratio: -0.5 }],
    ['loud=true', { loud: true }],
    ['tags=a', { tags: ['a'] }],
    ['tags=["a","b"]', { tags: ['a', 'b'] }],
    ['place={"x":1}', { place: { x: 1 } }],
    ['level=2', { level: 2 }],
    ['level=low', { level: 'low' }],
    ['either=7', { either: 7 }],
    ['either=seven', { either: 'seven' }],
    ['maybe=null', { maybe: null }],
    ['maybe=false', { maybe: false }],
    ['point={"x":1}', { point: { x: 1 } }],
    ['name:=7', { name: 7 }],
    ['name:="x"', { name: 'x' }],
  ])('convert the words %j to %j', async (word, expected) => {
    expect(await parseToolArguments(tool, [word], nothing)).toEqual(expected);
  });

  it('collect repeated keys in a list', async () => {
    expect(await parseToolArguments(tool, ['tags=a', 'tags=b', 'numbers=1', 'numbers=2'], nothing)).toEqual({
      tags: ['a', 'b'],
      numbers: [1, 2],
    });
  });

  it('accept one JSON object', async () => {
    expect(await parseToolArguments(tool, ['{"name":"Ada","count":2}'], nothing)).toEqual({ name: 'Ada', count: 2 });
  });

  it('are strings if the schema gives no type', async () => {
    expect(await parseToolArguments({ name: 'f', inputSchema: { type: 'object' } }, ['a=1'], nothing)).toEqual({
      a: '1',
    });
    expect(await parseToolArguments({ name: 'f' }, ['a=1', 'b:=1'], nothing)).toEqual({ a: '1', b: 1 });
  });

  it.each([
    [['naem=Ada'], /"f" takes no "naem". Did you mean "name"\?/],
    [['count=many'], /"count" must be a number: many/],
    [['count='], /"count" must be a number/],
    [['level=high'], /"level" must be one of "low", 2: high/],
    [['loud=yes'], /"loud" must be true or false: yes/],
    [['name:=Ada'], /"name" must be JSON/],
    [[`name:=${'['.repeat(20_000)}${']'.repeat(20_000)}`], /^"name" is nested deeper than 1000 levels$/],
    [[`name:=${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`], /^"name" is nested deeper than 1000 levels$/],
    [['{"name":'], /The arguments must be JSON/],
    [['Ada'], /"Ada" is not an argument: write key=value/],
    [['=Ada'], /"=Ada" is not an argument/],
  ])('are rejected for the words %j', async (words, message) => {
    await expect(parseToolArguments(tool, words, nothing)).rejects.toThrow(message);
    await expect(parseToolArguments(tool, words, nothing)).rejects.toThrow(Failure);
  });

  it('are reported with the signature if some are missing', async () => {
    const strict = { name: 'add', inputSchema: { properties: { a: { type: 'number' } }, required: ['a'] } };
    await expect(parseToolArguments(strict, [], nothing)).rejects.toThrow(
      expect.objectContaining({ message: '"add" needs a', hint: expect.stringContaining('add(a: number)') }),
    );
  });
});

describe('an argument read from another source', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      level: { enum: ['low', 'high'] },
      tags: { type: 'array', items: { type: 'string' } },
      sound: { type: 'string', contentEncoding: 'base64' },
      clip: { type: 'string', format: 'byte' },
      link: { type: 'string', contentEncoding: 'base64url' },
      picture: { type: 'string', description: 'The picture, base64-encoded' },
      place: { type: 'object' },
    },
  };
  const wanting = { name: 'f', inputSchema: schema };
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x00]);

  /** A data source with one file and a standard input. */
  function world(content: string | Buffer, input: string | Buffer = ''): DataSource {
    return {
      file: (path) => (path === 'here.txt' ? Promise.resolve(Buffer.from(content)) : Promise.reject(new Error(path))),
      stdin: () => Promise.resolve(Buffer.from(input)),
    };
  }

  it.each([
    ['text=@here.txt', ' two\nlines \n', { text: ' two\nlines \n' }],
    ['count=@here.txt', '7\n', { count: 7 }],
    ['level=@here.txt', 'high\n', { level: 'high' }],
    ['tags=@here.txt', 'one\n', { tags: ['one\n'] }],
    ['tags=@here.txt', '["a","b"]\n', { tags: ['a', 'b'] }],
    ['place=@here.txt', '{"x":1}\n', { place: { x: 1 } }],
    ['text:=@here.txt', '"x"\n', { text: 'x' }],
    ['sound=@here.txt', 'abc', { sound: 'YWJj' }],
    ['sound=@here.txt', bytes, { sound: '+//+AA==' }],
    ['clip=@here.txt', bytes, { clip: '+//+AA==' }],
    ['link=@here.txt', bytes, { link: '-__-AA' }],
    ['picture=@here.txt', bytes, { picture: '+//+AA==' }],
    ['picture=@here.txt', 'YWJj', { picture: 'YWJj' }],
    ['@here.txt', '{"text":"x","more":[1]}', { text: 'x', more: [1] }],
  ])('is read from a file: %s with %j', async (word, content, expected) => {
    expect(await parseToolArguments(wanting, [word], world(content))).toEqual(expected);
  });

  it('is read from standard input', async () => {
    const data = world('', '{"a":1}\n');
    expect(await parseToolArguments(wanting, ['text=-'], data)).toEqual({ text: '{"a":1}\n' });
    expect(await parseToolArguments(wanting, ['place:=-'], data)).toEqual({ place: { a: 1 } });
    expect(await parseToolArguments(wanting, ['-'], data)).toEqual({ a: 1 });
    expect(await parseTextArguments(['code=-', 'path=@here.txt'], world('f', 'i'))).toEqual({ code: 'i', path: 'f' });
  });

  it.each([
    ['text=@@here.txt', { text: '@here.txt' }],
    ['text=@', { text: '@' }],
    ['text=a@here.txt', { text: 'a@here.txt' }],
    ['text=--', { text: '--' }],
    ['text:="-"', { text: '-' }],
  ])('is distinguished from similar text: %s', async (word, expected) => {
    expect(await parseToolArguments(wanting, [word], world('unread', 'unread'))).toEqual(expected);
  });

  it.each([
    [['text=@here.txt'], bytes, '"text" must be text, and what is given for it is not'],
    [['count=@here.txt'], 'many', '"count" must be a number: many'],
    [['@here.txt'], '[1]', 'The arguments must be a JSON object'],
  ])('is rejected if it is invalid: %j', async (words, content, message) => {
    const rejected = parseToolArguments(wanting, words, world(content));
    await expect(rejected).rejects.toThrow(expect.objectContaining({ kind: 'usage', message }));
  });
});

describe('the arguments of a prompt', () => {
  it('are text', async () => {
    expect(await parseTextArguments(['a=1', 'b=x y'], nothing)).toEqual({ a: '1', b: 'x y' });
  });

  it('keep their order', () => {
    expect(parsePairs(['b=1', 'a:=2']).map(({ name, kind }) => [name, kind])).toEqual([
      ['b', 'text'],
      ['a', 'json'],
    ]);
  });
});
