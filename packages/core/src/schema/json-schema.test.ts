// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JsonSchema } from './infer.ts';

const dialects = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

async function fits(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await compileSchema(schema, { side: 'output' }).check(value)).ok;
}

interface Case {
  schema: JsonSchema;
  valid: unknown[];
  invalid: unknown[];
}

const inBoth: Case[] = [
  { schema: { type: 'string' }, valid: ['', 'a'], invalid: [1, null, true, [], {}] },
  { schema: { type: 'number' }, valid: [0, -1.5, 1e300], invalid: ['1', null, JSON.parse('1e400'), NaN] },
  { schema: { type: 'integer' }, valid: [0, 1.0, 2 ** 60], invalid: [1.5, '1', JSON.parse('-1e400')] },
  { schema: { type: 'boolean' }, valid: [true, false], invalid: [0, 'true', null] },
  { schema: { type: 'null' }, valid: [null], invalid: [0, '', false, {}] },
  { schema: { type: 'array' }, valid: [[], [1]], invalid: [{}, 'a', { length: 0 }] },
  { schema: { type: 'object' }, valid: [{}, { a: 1 }], invalid: [[], null, 'a'] },
  { schema: { type: ['string', 'null'] }, valid: ['a', null], invalid: [1, []] },
  {
    schema: { enum: [1, 'a', null, [1], { a: 1 }] },
    valid: [1, 'a', null, [1], { a: 1 }],
    invalid: ['1', 2, [], { a: 2 }],
  },
  { schema: { const: { a: [1, null] } }, valid: [{ a: [1, null] }], invalid: [{ a: [1] }, null] },
  {
    schema: { properties: { a: { type: 'string' }, b: false }, required: ['a'] },
    valid: [{ a: 'x' }, { a: 'x', c: 1 }, 'not an object'],
    invalid: [{}, { a: 1 }, { a: 'x', b: 1 }],
  },
  {
    schema: { properties: { a: true }, patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
    valid: [{}, { a: 1, 'x-b': 2 }],
    invalid: [{ b: 1 }, { 'x-b': 'two' }],
  },
  { schema: { additionalProperties: { type: 'number' } }, valid: [{ a: 1 }, {}], invalid: [{ a: '1' }] },
  { schema: { propertyNames: { maxLength: 2 } }, valid: [{ ab: 1 }], invalid: [{ abc: 1 }] },
  { schema: { minProperties: 1, maxProperties: 2 }, valid: [{ a: 1 }], invalid: [{}, { a: 1, b: 2, c: 3 }] },
  { schema: { items: { type: 'number' } }, valid: [[], [1, 2]], invalid: [[1, 'a']] },
  { schema: { minItems: 1, maxItems: 2 }, valid: [[1]], invalid: [[], [1, 2, 3]] },
  {
    schema: { uniqueItems: true },
    valid: [[1, '1', true, [1], { a: 1 }]],
    invalid: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  },
  { schema: { contains: { const: 1 } }, valid: [[0, 1]], invalid: [[], [0]] },
  { schema: { minLength: 2, maxLength: 3 }, valid: ['ab', '💡💡', '💡💡💡'], invalid: ['a', '💡', 'abcd'] },
  { schema: { pattern: '^\\p{Lu}' }, valid: ['Ärger', 5], invalid: ['ärger'] },
  { schema: { minimum: 1, exclusiveMaximum: 3 }, valid: [1, 2.9], invalid: [0.9, 3] },
  { schema: { exclusiveMinimum: 1, maximum: 3 }, valid: [1.1, 3], invalid: [1, 3.1] },
  { schema: { multipleOf: 0.01 }, valid: [19.99, 4], invalid: [0.005] },
  { schema: { allOf: [{ minimum: 1 }, { maximum: 2 }] }, valid: [1, 2], invalid: [0, 3] },
  { schema: { anyOf: [{ type: 'string' }, { minimum: 5 }] }, valid: ['a', 6], invalid: [4] },
  { schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, valid: [2, 3], invalid: [6, 1] },
  { schema: { not: { type: 'string' } }, valid: [1], invalid: ['a'] },
  {
    schema: {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    valid: [{ a: 1, b: 1 }, { c: 1 }],
    invalid: [{ a: 1 }, {}],
  },
  {
    schema: {
      definitions: { node: { properties: { next: { $ref: '#/definitions/node' } }, required: ['id'] } },
      $ref: '#/definitions/node',
    },
    valid: [{ id: 1, next: { id: 2, next: { id: 3 } } }],
    invalid: [{ id: 1, next: { id: 2, next: {} } }],
  },
  { schema: { format: 'email' }, valid: ['a@example.com', 5], invalid: ['a@', 'example.com'] },
  { schema: { format: 'date-time' }, valid: ['2026-07-28T12:00:00Z'], invalid: ['2026-07-28', '2026-13-28T12:00:00Z'] },
  { schema: { format: 'date' }, valid: ['2028-02-29'], invalid: ['2027-02-29'] },
  { schema: { format: 'uri' }, valid: ['https://example.com/a?b#c'], invalid: ['/a', 'a b'] },
  { schema: { format: 'uuid' }, valid: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], invalid: ['2eb8aa08'] },
  { schema: { format: 'ipv4' }, valid: ['127.0.0.1'], invalid: ['127.0.0.256', '127.1'] },
  { schema: { format: 'no-such-format' }, valid: ['anything'], invalid: [] },
];

const in202012: Case[] = [
  {
    schema: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    valid: [[], ['a'], ['a', 1]],
    invalid: [[1], ['a', 'b'], ['a', 1, 2]],
  },
  { schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 }, valid: [[1, 1]], invalid: [[1], [1, 1, 1, 1]] },
  { schema: { dependentRequired: { a: ['b'] } }, valid: [{}, { b: 1 }, { a: 1, b: 1 }], invalid: [{ a: 1 }] },
  { schema: { dependentSchemas: { a: { required: ['b'] } } }, valid: [{ a: 1, b: 1 }], invalid: [{ a: 1 }] },
  {
    schema: { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    valid: [{ a: 1, b: 1 }],
    invalid: [{ a: 1, c: 1 }],
  },
  { schema: { prefixItems: [true], unevaluatedItems: { type: 'string' } }, valid: [[1, 'a']], invalid: [[1, 2]] },
  { schema: { $ref: '#/$defs/a', maximum: 5, $defs: { a: { minimum: 1 } } }, valid: [1, 5], invalid: [0, 6] },
  {
    schema: { $defs: { a: { $anchor: 'here', type: 'string' } }, items: { $ref: '#here' } },
    valid: [['a']],
    invalid: [[1]],
  },
  {
    schema: { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } }, required: ['id'] },
    valid: [{ id: 1, next: { id: 2 } }],
    invalid: [{ id: 1, next: {} }],
  },
];

const inDraft07: Case[] = [
  {
    schema: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
    valid: [['a', 1], ['a']],
    invalid: [[1], ['a', 1, 2]],
  },
  {
    schema: { dependencies: { a: ['b'], c: { required: ['d'] } } },
    valid: [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
    ],
    invalid: [{ a: 1 }, { c: 1 }],
  },
  {
    schema: { definitions: { a: { $id: '#a', type: 'string' } }, items: { $ref: '#a' } },
    valid: [['x']],
    invalid: [[1]],
  },
];

describe.each([
  ['2020-12', [...inBoth, ...in202012]],
  ['draft-07', [...inBoth, ...inDraft07]],
] as const)('JSON Schema %s (S-B-14)', (dialect, cases) => {
  it.each(cases)('validates $schema', async ({ schema, valid, invalid }) => {
    const declared = { $schema: dialects[dialect], ...schema };
    for (const value of valid) expect.soft([value, await fits(declared, value)]).toEqual([value, true]);
    for (const value of invalid) expect.soft([value, await fits(declared, value)]).toEqual([value, false]);
  });
});

describe('a schema without $schema', () => {
  it.each(in202012)('is read as 2020-12 (S-B-14): $schema', async ({ schema, valid, invalid }) => {
    for (const value of valid) expect.soft([value, await fits(schema, value)]).toEqual([value, true]);
    for (const value of invalid) expect.soft([value, await fits(schema, value)]).toEqual([value, false]);
  });
});

describe('property names with a meaning in JavaScript', () => {
  it('are plain names', async () => {
    const schema = {
      properties: { toString: { type: 'string' }, constructor: { type: 'string' } },
      required: ['valueOf'],
    };
    expect(await fits(schema, {})).toBe(false);
    expect(await fits(schema, { valueOf: 1 })).toBe(true);
    expect(await fits(schema, { valueOf: 1, toString: 'a', constructor: 'b' })).toBe(true);
    expect(await fits(schema, { valueOf: 1, constructor: 2 })).toBe(false);
    expect(await fits({ items: schema }, [{ valueOf: 1 }, {}])).toBe(false);
  });

  it('can be __proto__, in values and schemas, without prototype pollution', async () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    expect(await fits({ properties: { a: { type: 'number' } }, additionalProperties: false }, value)).toBe(false);
    expect(await fits({ properties: { a: { type: 'number' } } }, value)).toBe(true);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}');
    expect(await fits(schema, {})).toBe(false);
    expect(await fits(schema, value)).toBe(false);
    expect(await fits(schema, JSON.parse('{"__proto__":"a"}'))).toBe(true);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a process that disallows code generation from strings', () => {
  it('validates nevertheless', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'schema-'));
    try {
      await build({
        entryPoints: [new URL('compile.ts', import.meta.url).pathname],
        bundle: true,
        format: 'esm',
        platform: 'node',
        outfile: join(directory, 'compile.mjs'),
      });
      const script = `
        import { compileSchema } from './compile.mjs';
        const schema = compileSchema(
          { type: 'object', properties: { a: { pattern: '^a' } }, unevaluatedProperties: { type: 'string' } },
          { side: 'input' },
        );
        const results = [];
        for (const value of [{ a: 'a', b: 'b' }, { a: 'b' }, { b: 1 }]) results.push((await schema.check(value)).ok);
        console.log(JSON.stringify(results));`;
      const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script];
      const output = execFileSync(process.execPath, flags, { cwd: directory, encoding: 'utf8' });
      expect(JSON.parse(output)).toEqual([true, false, false]);
    } finally {
      rmSync(directory, { recursive: true, maxRetries: 10 });
    }
  });
});

describe('a huge object', () => {
  const members = (count: number, value: unknown): [string, unknown][] =>
    Array.from({ length: count }, (_, n) => [`m${n}`, value]);
  const check = (schema: JsonSchema, value: unknown): unknown => compileSchema(schema, { side: 'output' }).check(value);

  it('is explained by its first 1000 members', async () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } } as const;
    const value = { list: [{ ...Object.fromEntries(members(1000, 'x')), last: 1 }] };
    expect(await check({ properties: { list: { items: schema } } }, value)).toEqual({
      ok: false,
      problems: [{ path: '', message: 'does not match the schema beyond the first 1000 members of an object' }],
    });
    const early = { list: [{ first: 1, ...Object.fromEntries(members(1000, 'x')) }] };
    expect(await check({ properties: { list: { items: schema } } }, early)).toMatchObject({
      ok: false,
      problems: [{ path: '/list/0/first' }],
    });
  });

  it('is checked for all members of the schema, wherever they are', async () => {
    const schema = { required: ['last', 'lost'], properties: { last: { type: 'string' } } } as const;
    const value = { ...Object.fromEntries(members(1000, 'x')), last: 1 };
    expect(await check(schema, value)).toEqual({
      ok: false,
      problems: [
        { path: '/lost', message: 'is required' },
        { path: '/last', message: 'expected string, got number' },
      ],
    });
  });
});
