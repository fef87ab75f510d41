// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/infer.ts';
import { compareSchemas } from './compare-schemas.ts';

type Schema = Record<string, unknown>;

const s = { type: 'string' };
const n = { type: 'number' };
const i = { type: 'integer' };

function o(properties: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties, ...more };
}

function compare(direction: 'input' | 'output', before: unknown, after: unknown): string[] {
  const changes = compareSchemas(before as JsonSchema, after as JsonSchema, direction);
  return changes.map(({ kind, path, text }) => `${kind} ${path}: ${text}`);
}

describe('the changes of a schema', () => {
  it.each<[name: string, direction: 'input' | 'output', before: unknown, after: unknown, changes: string[]]>([
    [
      'an optional argument is added',
      'input',
      o({ a: s }),
      o({ a: s, b: n }),
      ['compatible /properties/b: "b" is new and optional'],
    ],
    [
      'an optional argument is added to a closed schema',
      'input',
      o({ a: s }, { additionalProperties: false }),
      o({ a: s, b: n }, { additionalProperties: false }),
      ['compatible /properties/b: "b" is new and optional'],
    ],
    [
      'an optional argument is added where other members were allowed',
      'input',
      o({ a: s }, { additionalProperties: true }),
      o({ a: s, b: n }, { additionalProperties: true }),
      ['breaking /properties/b: "b" is new and optional'],
    ],
    [
      'the first argument is added',
      'input',
      { type: 'object' },
      o({ a: s }),
      ['compatible /properties/a: "a" is new and optional'],
    ],
    [
      'a required argument is added',
      'input',
      o({ a: s }),
      o({ a: s, b: n }, { required: ['b'] }),
      ['breaking /properties/b: "b" is new and required'],
    ],
    ['an argument is removed', 'input', o({ a: s, b: n }), o({ a: s }), ['breaking /properties/b: "b" is gone']],
    [
      'an argument becomes required',
      'input',
      o({ a: s }),
      o({ a: s }, { required: ['a'] }),
      ['breaking /properties/a: "a" is required now'],
    ],
    [
      'an argument becomes optional',
      'input',
      o({ a: s }, { required: ['a'] }),
      o({ a: s }),
      ['compatible /properties/a: "a" is no longer required'],
    ],
    [
      'a type is narrowed',
      'input',
      o({ a: n }),
      o({ a: i }),
      ['breaking /properties/a/type: "a" must be an integer now, not just a number'],
    ],
    [
      'a type is widened',
      'input',
      o({ a: i }),
      o({ a: n }),
      ['compatible /properties/a/type: "a" can be any number now, not only an integer'],
    ],
    [
      'a type changes',
      'input',
      o({ a: s }),
      o({ a: n }),
      ['breaking /properties/a/type: the type of "a" changed from string to number'],
    ],
    [
      'null is allowed too',
      'input',
      o({ a: s }),
      o({ a: { type: ['string', 'null'] } }),
      ['compatible /properties/a/type: "a" can be null too'],
    ],
    [
      'null is allowed by an alternative',
      'input',
      o({ a: { type: 'string', maxLength: 5 } }),
      o({ a: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] } }),
      ['compatible /properties/a/anyOf/0/type: "a" can be null too'],
    ],
    [
      'a list of types becomes alternatives',
      'input',
      o({ a: { type: ['string', 'null'] } }),
      o({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      [],
    ],
    [
      'a value that may be null is limited',
      'input',
      o({ a: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] } }),
      o({ a: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] } }),
      ['breaking /properties/a/anyOf/0/maxLength: the maximum length of "a" fell from 5 to 3'],
    ],
    [
      'a value is removed',
      'input',
      o({ a: { enum: ['x', 'y'] } }),
      o({ a: { enum: ['x'] } }),
      ['breaking /properties/a/enum: "a" can\'t be "y" any more'],
    ],
    [
      'a value is added',
      'input',
      o({ a: { enum: ['x'] } }),
      o({ a: { enum: ['x', 'y'] } }),
      ['compatible /properties/a/enum: "a" can be "y" too'],
    ],
    [
      'a value is added',
      'output',
      o({ a: { type: 'string', enum: ['x'] } }),
      o({ a: { type: 'string', enum: ['x', 'y'] } }),
      ['breaking /properties/a/enum: "a" can be "y" too'],
    ],
    ['a list of one value becomes a constant', 'input', o({ a: { enum: ['x'] } }), o({ a: { const: 'x' } }), []],
    [
      'values are listed',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', enum: ['x'] } }),
      ['breaking /properties/a/enum: "a" must be "x" now'],
    ],
    [
      'values are listed no more',
      'input',
      o({ a: { type: 'string', enum: ['x'] } }),
      o({ a: s }),
      ['compatible /properties/a/enum: "a" can have other values than "x" now'],
    ],
    [
      'values are replaced by a type',
      'input',
      o({ a: { type: 'string', enum: ['x'] } }),
      o({ a: n }),
      [
        'compatible /properties/a/enum: "a" can have other values than "x" now',
        'breaking /properties/a/type: the type of "a" changed from string to number',
      ],
    ],
    [
      'a maximum length is lowered',
      'input',
      o({ a: { type: 'string', maxLength: 10 } }),
      o({ a: { type: 'string', maxLength: 5 } }),
      ['breaking /properties/a/maxLength: the maximum length of "a" fell from 10 to 5'],
    ],
    [
      'a maximum length is added',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', maxLength: 5 } }),
      ['breaking /properties/a/maxLength: the maximum length of "a" is 5 now'],
    ],
    [
      'a maximum length is removed',
      'input',
      o({ a: { type: 'string', maxLength: 10 } }),
      o({ a: s }),
      ['compatible /properties/a/maxLength: the maximum length of "a", 10, is gone'],
    ],
    [
      'other members are rejected',
      'input',
      o({ a: s }),
      o({ a: s }, { additionalProperties: false }),
      ['breaking /additionalProperties: other arguments are rejected now'],
    ],
    [
      'other members are allowed',
      'input',
      o({ a: s }, { additionalProperties: false }),
      o({ a: s }),
      ['compatible /additionalProperties: other arguments are allowed now'],
    ],
    [
      'a description changes',
      'input',
      o({ a: { type: 'string', description: 'x' } }),
      o({ a: { type: 'string', description: 'y' } }),
      ['wording /properties/a/description: the description of "a" changed'],
    ],
    [
      'a default changes',
      'input',
      o({ a: { type: 'string', default: 'x' } }),
      o({ a: { type: 'string', default: 'y' } }),
      ['wording /properties/a/default: the default of "a" changed'],
    ],
    [
      'an exclusive alternative is added',
      'input',
      o({ a: { oneOf: [s, i] } }),
      o({ a: { oneOf: [s, i, { type: 'boolean' }] } }),
      ['compatible /properties/a/oneOf/2: "a" has a new alternative'],
    ],
    [
      'an exclusive alternative is added that overlaps another one',
      'input',
      o({ a: { oneOf: [s, i] } }),
      o({ a: { oneOf: [s, i, n] } }),
      ['breaking /properties/a/oneOf/2: "a" has a new alternative'],
    ],
    [
      'an alternative is removed',
      'input',
      o({ a: { anyOf: [s, i] } }),
      o({ a: { anyOf: [s] } }),
      ['breaking /properties/a/anyOf/1: an alternative of "a" is gone'],
    ],
    [
      'an alternative with a tag changes, another one is added',
      'input',
      o({
        a: {
          oneOf: [o({ k: { const: 'a' }, x: s }, { required: ['k'] }), o({ k: { const: 'b' } }, { required: ['k'] })],
        },
      }),
      o({
        a: {
          oneOf: [
            o({ k: { const: 'a' }, x: n }, { required: ['k'] }),
            o({ k: { const: 'b' } }, { required: ['k'] }),
            o({ k: { const: 'c' } }, { required: ['k'] }),
          ],
        },
      }),
      [
        'breaking /properties/a/oneOf/0/properties/x/type: the type of "x" changed from string to number',
        'compatible /properties/a/oneOf/2: "a" has a new alternative',
      ],
    ],
    [
      'an alternative with a tag is added',
      'input',
      o({
        a: {
          oneOf: [o({ k: { const: 'a' }, x: s }, { required: ['k'] }), o({ k: { const: 'b' } }, { required: ['k'] })],
        },
      }),
      o({
        a: {
          oneOf: [
            o({ k: { const: 'a' }, x: s }, { required: ['k'] }),
            o({ k: { const: 'b' } }, { required: ['k'] }),
            o({ k: { const: 'c' } }, { required: ['k'] }),
          ],
        },
      }),
      ['compatible /properties/a/oneOf/2: "a" has a new alternative'],
    ],
    [
      'a reference is inlined',
      'input',
      { ...o({ a: { $ref: '#/$defs/p' } }), $defs: { p: o({ x: i }) } },
      o({ a: o({ x: i }) }),
      [],
    ],
    [
      'a recursive definition is renamed',
      'input',
      {
        $defs: { t: o({ v: s, kids: { type: 'array', items: { $ref: '#/$defs/t' } } }) },
        ...o({ root: { $ref: '#/$defs/t' } }),
      },
      {
        $defs: { node: o({ v: s, kids: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
        ...o({ root: { $ref: '#/$defs/node' } }),
      },
      [],
    ],
    [
      'a recursive definition changes',
      'input',
      {
        $defs: { t: o({ v: s, kids: { type: 'array', items: { $ref: '#/$defs/t' } } }) },
        ...o({ root: { $ref: '#/$defs/t' } }),
      },
      {
        $defs: { t: o({ v: n, kids: { type: 'array', items: { $ref: '#/$defs/t' } } }) },
        ...o({ root: { $ref: '#/$defs/t' } }),
      },
      ['breaking /$defs/t/properties/v/type: the type of "v" changed from string to number'],
    ],
    [
      'a recursive definition is widened',
      'input',
      {
        $defs: { t: o({ v: s, kids: { type: 'array', items: { $ref: '#/$defs/t' } } }) },
        ...o({ root: { $ref: '#/$defs/t' } }),
      },
      {
        $defs: { t: o({ v: { type: ['string', 'number'] }, kids: { type: 'array', items: { $ref: '#/$defs/t' } } }) },
        ...o({ root: { $ref: '#/$defs/t' } }),
      },
      ['compatible /$defs/t/properties/v/type: "v" can be number too'],
    ],
    [
      'members are reordered',
      'input',
      o({ a: s, b: s }, { required: ['a', 'b'] }),
      o({ b: s, a: s }, { required: ['b', 'a'] }),
      [],
    ],
    ['a conjunction is merged', 'input', { allOf: [o({ a: s }), o({ b: n })] }, o({ a: s, b: n }), []],
    [
      'a pattern is added',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', pattern: '^a' } }),
      ['breaking /properties/a/pattern: the pattern of "a" is new'],
    ],
    [
      'a pattern changes',
      'input',
      o({ a: { type: 'string', pattern: '^b' } }),
      o({ a: { type: 'string', pattern: '^a' } }),
      ['undecided /properties/a/pattern: the pattern of "a" changed'],
    ],
    [
      'a format is added',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', format: 'email' } }),
      ['breaking /properties/a/format: the format of "a" is new'],
    ],
    [
      'a format is removed',
      'input',
      o({ a: { type: 'string', format: 'email' } }),
      o({ a: s }),
      ['compatible /properties/a/format: the format of "a" is gone'],
    ],
    [
      'the type of items is narrowed',
      'input',
      o({ a: { type: 'array', items: n } }),
      o({ a: { type: 'array', items: i } }),
      ['breaking /properties/a/items/type: each item of "a" must be an integer now, not just a number'],
    ],
    [
      'a string becomes an array',
      'input',
      o({ a: s }),
      o({ a: { type: 'array', items: s } }),
      ['breaking /properties/a/type: the type of "a" changed from string to array'],
    ],
    [
      'a minimum of items is added',
      'input',
      o({ a: { type: 'array', items: n } }),
      o({ a: { type: 'array', items: n, minItems: 1 } }),
      ['breaking /properties/a/minItems: the minimum number of items of "a" is 1 now'],
    ],
    [
      'items must be unique',
      'input',
      o({ a: { type: 'array', items: n } }),
      o({ a: { type: 'array', items: n, uniqueItems: true } }),
      ['breaking /properties/a/uniqueItems: the uniqueness of items of "a" is new'],
    ],
    [
      'an item of a tuple is narrowed',
      'input',
      o({ a: { type: 'array', prefixItems: [n, s] } }),
      o({ a: { type: 'array', prefixItems: [i, s] } }),
      ['breaking /properties/a/prefixItems/0/type: item 0 of "a" must be an integer now, not just a number'],
    ],
    [
      'the values of a map are narrowed',
      'input',
      o({ a: { type: 'object', additionalProperties: n } }),
      o({ a: { type: 'object', additionalProperties: i } }),
      [
        'breaking /properties/a/additionalProperties/type: other members of "a" must be an integer now, not just a number',
      ],
    ],
    [
      'an exclusive minimum of an integer is written as a minimum',
      'input',
      o({ a: { type: 'integer', exclusiveMinimum: 0 } }),
      o({ a: { type: 'integer', minimum: 1 } }),
      [],
    ],
    [
      'a minimum becomes exclusive',
      'input',
      o({ a: { type: 'number', minimum: 0 } }),
      o({ a: { type: 'number', exclusiveMinimum: 0 } }),
      ['breaking /properties/a/exclusiveMinimum: the minimum of "a" changed from 0 to 0 (exclusive)'],
    ],
    [
      'a step is added',
      'input',
      o({ a: i }),
      o({ a: { type: 'integer', multipleOf: 5 } }),
      ['breaking /properties/a/multipleOf: the step ("multipleOf") of "a" is new'],
    ],
    [
      'a step is replaced by a divisor',
      'input',
      o({ a: { type: 'integer', multipleOf: 10 } }),
      o({ a: { type: 'integer', multipleOf: 5 } }),
      ['compatible /properties/a/multipleOf: the step ("multipleOf") of "a" changed'],
    ],
    [
      'a value is excluded',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', not: { const: 'x' } } }),
      ['undecided /properties/a/not: the exclusion ("not") of "a" is new'],
    ],
    [
      'a condition is added',
      'input',
      o({ a: s }),
      { ...o({ a: s, b: s }), if: { properties: { a: { const: 'x' } } }, then: { required: ['b'] } },
      [
        'breaking /if: the condition ("if") of the arguments is new',
        'compatible /properties/b: "b" is new and optional',
      ],
    ],
    [
      'a member needs another one',
      'input',
      o({ a: s, b: s }),
      { ...o({ a: s, b: s }), dependentRequired: { a: ['b'] } },
      ['breaking /dependentRequired: the list of members that need others of the arguments is new'],
    ],
    [
      'a member is added',
      'output',
      o({ a: s }),
      o({ a: s, b: s }),
      ['compatible /properties/b: "b" is new and optional'],
    ],
    [
      'a member is added to a closed schema',
      'output',
      o({ a: s }, { additionalProperties: false }),
      o({ a: s, b: s }, { additionalProperties: false }),
      ['breaking /properties/b: "b" is new and optional'],
    ],
    ['a member is removed', 'output', o({ a: s, b: s }), o({ a: s }), ['breaking /properties/b: "b" is gone']],
    [
      'a member becomes optional',
      'output',
      o({ a: s }, { required: ['a'] }),
      o({ a: s }),
      ['breaking /properties/a: "a" is no longer required'],
    ],
    [
      'a member becomes required',
      'output',
      o({ a: s }),
      o({ a: s }, { required: ['a'] }),
      ['compatible /properties/a: "a" is required now'],
    ],
    [
      'a type is widened',
      'output',
      o({ a: i }),
      o({ a: n }),
      ['breaking /properties/a/type: "a" can be any number now, not only an integer'],
    ],
    [
      'a type is narrowed',
      'output',
      o({ a: n }),
      o({ a: i }),
      ['compatible /properties/a/type: "a" must be an integer now, not just a number'],
    ],
    [
      'null is allowed too',
      'output',
      o({ a: s }),
      o({ a: { type: ['string', 'null'] } }),
      ['breaking /properties/a/type: "a" can be null too'],
    ],
    [
      'a value is added',
      'output',
      o({ a: { enum: ['x'] } }),
      o({ a: { enum: ['x', 'y'] } }),
      ['breaking /properties/a/enum: "a" can be "y" too'],
    ],
    ['the schema is new', 'output', undefined, o({ a: s }), ['compatible : the schema is new']],
    ['the schema is gone', 'output', o({ a: s }), undefined, ['breaking : the schema is gone']],
    [
      'other members are allowed',
      'output',
      o({ a: s }, { additionalProperties: false }),
      o({ a: s }),
      ['breaking /additionalProperties: other members of the result are allowed now'],
    ],
    [
      'the dialect changes',
      'input',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...o({ a: s }), definitions: {} },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...o({ a: s }) },
      [],
    ],
    [
      'definitions are moved',
      'input',
      { ...o({ a: { $ref: '#/definitions/p' } }), definitions: { p: i } },
      { ...o({ a: { $ref: '#/$defs/p' } }), $defs: { p: i } },
      [],
    ],
    [
      'another document is referred to',
      'input',
      o({ a: { $ref: 'https://x/y' } }),
      o({ a: s }),
      [
        'undecided : the schema changed, and the older one can\'t be compared: #/properties/a/$ref leads to another document, "https://x/y", and those are not fetched: copy what is needed into $defs and refer to it as "#/$defs/…"',
      ],
    ],
    [
      'the older schema is malformed',
      'input',
      { type: 'objekt' },
      o({ a: s }),
      [
        'undecided : the schema changed, and the older one can\'t be compared: it is not valid JSON Schema: #/type must be one of string, number, integer, boolean, null, array, object, or a list of them, and is "objekt"',
      ],
    ],
    [
      'an argument is renamed',
      'input',
      o({ a: s }),
      o({ b: s }),
      ['breaking /properties/a: "a" is gone', 'compatible /properties/b: "b" is new and optional'],
    ],
    [
      'an optional member of an argument is added',
      'input',
      o({ f: o({ a: s }) }),
      o({ f: o({ a: s, b: s }) }),
      ['compatible /properties/f/properties/b: "b" is new and optional'],
    ],
    [
      'a required member of an argument is added',
      'input',
      o({ f: o({ a: s }) }),
      o({ f: o({ a: s, b: s }, { required: ['b'] }) }),
      ['breaking /properties/f/properties/b: "b" is new and required'],
    ],
    ['alternatives are reordered', 'input', o({ a: { anyOf: [s, i] } }), o({ a: { anyOf: [i, s] } }), []],
    [
      'alternatives become a list of types',
      'input',
      o({ a: { anyOf: [s, i] } }),
      o({ a: { type: ['integer', 'string'] } }),
      [],
    ],
    ['a schema that allows everything is spelled differently', 'input', o({ a: true }), o({ a: {} }), []],
    [
      'one of two types is removed',
      'input',
      o({ a: { type: ['string', 'number'] } }),
      o({ a: s }),
      ['breaking /properties/a/type: "a" can\'t be number any more'],
    ],
    [
      'an argument is deprecated',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', deprecated: true } }),
      ['wording /properties/a/deprecated: the deprecated of "a" is new'],
    ],
    [
      'the title changes',
      'input',
      { ...o({ a: s }), title: 'A' },
      { ...o({ a: s }), title: 'B' },
      ['wording /title: the title of the arguments changed'],
    ],
    [
      'members that are not evaluated are rejected',
      'input',
      o({ a: s }),
      { ...o({ a: s }), unevaluatedProperties: false },
      ['breaking : other arguments are rejected now'],
    ],
    [
      'the values of members of a pattern are limited',
      'input',
      { type: 'object', patternProperties: { '^x-': s } },
      { type: 'object', patternProperties: { '^x-': { type: 'string', maxLength: 2 } } },
      ['breaking /patternProperties/^x-/maxLength: the maximum length of each member like "^x-" is 2 now'],
    ],
    [
      'an argument is repeated in a header',
      'input',
      o({ a: s }),
      o({ a: { type: 'string', 'x-mcp-header': 'A' } }),
      ['undecided /properties/a/x-mcp-header: the rule of another vocabulary of "a" is new'],
    ],
    [
      'values become constants with titles',
      'input',
      o({ a: { enum: ['x', 'y'] } }),
      o({
        a: {
          oneOf: [
            { const: 'x', title: 'X' },
            { const: 'y', title: 'Y' },
          ],
        },
      }),
      ['wording : the wording of a part changed'],
    ],
  ])('%s (%s)', (_, direction, before, after, changes) => {
    expect(compare(direction, before, after)).toEqual(changes);
  });
});

/** Definitions of which each applies the one before twice. */
function chain(length: number, apply: (reference: Schema) => Schema, first: Schema): Schema {
  const definitions = Array.from({ length }, (_, index) => [
    `d${index}`,
    index === 0 ? first : apply({ $ref: `#/$defs/d${index - 1}` }),
  ]);
  return { $ref: `#/$defs/d${length - 1}`, $defs: Object.fromEntries(definitions) };
}

describe('hostile schemas', () => {
  it('are compared through references of references', () => {
    const twice = (reference: Schema): Schema => ({ allOf: [reference, reference] });
    expect(compare('input', chain(40, twice, s), chain(40, twice, { ...s, maxLength: 3 }))).toEqual([
      'breaking /$defs/d0/maxLength: the maximum length of the arguments is 3 now',
    ]);
  });

  const branches = (length: number): Schema => ({
    oneOf: Array.from({ length }, (_, k) => o({ k: { const: k } }, { required: ['k'] })),
  });
  const wide = (type: string): Schema =>
    o(Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`p${index}`, { type }])));
  const fork = (reference: Schema): Schema => ({ anyOf: [o({ a: reference }), o({ b: reference })] });
  const cyclic: Schema = { type: 'object' };
  cyclic.properties = { a: cyclic };
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];

  it.each<[name: string, before: unknown, after: unknown, kind: string]>([
    ['forks', chain(60, fork, s), chain(60, fork, n), 'breaking'],
    ['many alternatives', branches(2000), branches(2001), 'undecided'],
    ['many members', wide('string'), wide('number'), 'breaking'],
    ['many values', { enum: Array.from({ length: 300_000 }, String) }, { enum: ['1'] }, 'breaking'],
    ['deep values', { default: deep }, { default: 1 }, 'undecided'],
    ['objects that contain themselves', cyclic, o({ a: s }), 'undecided'],
    ['references that lead back', { $ref: '#' }, s, 'undecided'],
    ['special names', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), o({}), 'breaking'],
    ['no schemas', null, [], 'undecided'],
  ])('take little time and are never called compatible: %s', (_, before, after, kind) => {
    const changes = compareSchemas(before as JsonSchema, after as JsonSchema, 'input');
    expect(changes.map((change) => change.kind)).toContain(kind);
    expect(changes.length).toBeLessThan(300);
  });

  it('are shown escaped', () => {
    const [change] = compareSchemas(o({}), o({ 'a\u202E\u001b[2J': s }, { required: ['a\u202E\u001b[2J'] }), 'input');
    expect(change?.text).toBe(String.raw`"a\u202e\u001b[2J" is new and required`);
  });
});
