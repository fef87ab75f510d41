import { describe, expect, it } from 'vitest';
import { pairsOf, textArguments, toolArguments } from './arguments.ts';
import { Failure } from './failure.ts';

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
  ])('%j is %j', (word, expected) => {
    expect(toolArguments(tool, [word])).toEqual(expected);
  });

  it('that are given several times make a list', () => {
    expect(toolArguments(tool, ['tags=a', 'tags=b', 'numbers=1', 'numbers=2'])).toEqual({
      tags: ['a', 'b'],
      numbers: [1, 2],
    });
  });

  it('can be one JSON object', () => {
    expect(toolArguments(tool, ['{"name":"Ada","count":2}'])).toEqual({ name: 'Ada', count: 2 });
  });

  it('are text where the tool does not say what it takes', () => {
    expect(toolArguments({ name: 'f', inputSchema: { type: 'object' } }, ['a=1'])).toEqual({ a: '1' });
    expect(toolArguments({ name: 'f' }, ['a=1', 'b:=1'])).toEqual({ a: '1', b: 1 });
  });

  it.each([
    [['naem=Ada'], /"f" takes no "naem". Did you mean "name"\?/],
    [['count=many'], /"count" must be a number: many/],
    [['count='], /"count" must be a number/],
    [['level=high'], /"level" must be one of "low", 2: high/],
    [['loud=yes'], /"loud" must be true or false: yes/],
    [['name:=Ada'], /"name" must be JSON/],
    [['{"name":'], /The arguments must be JSON/],
    [['Ada'], /"Ada" is no argument: write key=value/],
    [['=Ada'], /"=Ada" is no argument/],
  ])('%j are a mistake', (words, message) => {
    expect(() => toolArguments(tool, words)).toThrow(message);
    expect(() => toolArguments(tool, words)).toThrow(Failure);
  });

  it('that are missing are named, with the signature', () => {
    const strict = { name: 'add', inputSchema: { properties: { a: { type: 'number' } }, required: ['a'] } };
    expect(() => toolArguments(strict, [])).toThrow(
      expect.objectContaining({ message: '"add" needs a', hint: expect.stringContaining('add(a: number)') }),
    );
  });
});

describe('the arguments of a prompt', () => {
  it('are text', () => {
    expect(textArguments(['a=1', 'b=x y'])).toEqual({ a: '1', b: 'x y' });
  });

  it('keep their order', () => {
    expect(pairsOf(['b=1', 'a:=2']).map(({ name, kind }) => [name, kind])).toEqual([
      ['b', 'text'],
      ['a', 'json'],
    ]);
  });
});
