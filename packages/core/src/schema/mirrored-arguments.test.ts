import { describe, expect, it } from 'vitest';
import { mirroredArguments } from './mirrored-arguments.ts';

const marked = (mark: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': mark });
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('x-mcp-header in the schema of a tool', () => {
  it('is found at properties of any depth', () => {
    const found = mirroredArguments(schema({ a: marked('A'), b: schema({ c: marked('B-c', 'integer') }), d: {} }));
    expect(found).toEqual([
      { name: 'Mcp-Param-A', header: 'mcp-param-a', path: ['a'] },
      { name: 'Mcp-Param-B-c', header: 'mcp-param-b-c', path: ['b', 'c'] },
    ]);
  });

  it('is ignored in property names and values', () => {
    const properties = { 'x-mcp-header': { type: 'string' }, b: { const: { 'x-mcp-header': 'no' } } };
    expect(mirroredArguments(schema(properties))).toEqual([]);
  });

  it('may be at properties that are named like a keyword', () => {
    const found = mirroredArguments(schema({ properties: schema({ items: marked('A') }) }));
    expect(found.map(({ path }) => path)).toEqual([['properties', 'items']]);
  });

  it('is read from any value that a server sends', () => {
    for (const odd of [undefined, null, 7, 'text', [], { properties: null }, { properties: [7] }]) {
      expect(mirroredArguments(odd)).toEqual([]);
    }
  });

  const name = 'is not the name of a header: use letters';
  const place = 'stands where no argument is: put it on';
  const type = 'stands at an argument whose type is not "string"';

  it.each([
    ['empty', schema({ a: marked('') }), '#/properties/a', name],
    ['no text', schema({ a: marked(7) }), '#/properties/a', name],
    ['with a blank', schema({ a: marked('a b') }), '#/properties/a', name],
    ['with a colon', schema({ a: marked('a:') }), '#/properties/a', name],
    ['with an end of line', schema({ a: marked('a\n') }), '#/properties/a', name],
    ['not ASCII', schema({ a: marked('ä') }), '#/properties/a', name],
    ['at a number', schema({ a: marked('A', 'number') }), '#/properties/a', type],
    ['at something of several types', schema({ a: marked('A', ['string', 'null']) }), '#/properties/a', type],
    ['at an object', schema({ a: { ...schema({}), 'x-mcp-header': 'A' } }), '#/properties/a', type],
    [
      'twice, in whatever case',
      schema({ a: marked('A'), 'b/c': marked('a') }),
      '#/properties/b~1c',
      'names the same header as another one',
    ],
    ['at the root', { ...schema({}), 'x-mcp-header': 'A' }, '#', place],
    ['in items', schema({ a: { type: 'array', items: marked('A') } }), '#/properties/a/items', place],
    ['in a choice', schema({}, { anyOf: [schema({ a: marked('A') })] }), '#/anyOf/0/properties/a', place],
    ['in a definition', schema({}, { $defs: { a: marked('A') } }), '#/$defs/a', place],
    ['under a pattern', schema({}, { patternProperties: { a: marked('A') } }), '#/patternProperties/a', place],
  ])('makes the tool invalid if it is %s (S-M-15, C-M-03)', (_, wrong, at, what) => {
    expect(() => mirroredArguments(wrong)).toThrow(TypeError);
    expect(() => mirroredArguments(wrong)).toThrow(`"x-mcp-header" at "${at}" ${what}`);
  });

  it('is not read below the depth limit, or in a cycle', () => {
    const self: Record<string, unknown> = {};
    self.items = self;
    expect(() => mirroredArguments(self)).toThrow('it is nested too deeply');
  });
});
