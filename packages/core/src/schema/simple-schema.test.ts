import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './infer.ts';
import { inspectFully } from './inspect.ts';
import { isSimpleSchema } from './simple-schema.ts';

const quick = { costly: false, patterned: false, namesInherited: false, marked: false };

const names = ['a', 'b', 'toString', '__proto__', 'type'];
const values: unknown[] = [
  ...'string object strin ( # http://json-schema.org/draft-07/schema#'.split(' '),
  0,
  1,
  -1,
  0.5,
  Number.NaN,
  true,
  false,
  null,
  undefined,
  [],
  ['a'],
  ['a', 'toString'],
  ['string', 'null'],
  [{}],
  {},
  { a: ['b'] },
];
const statements = [
  ...'type title format enum required minimum minLength multipleOf uniqueItems const pattern $ref $id $anchor'.split(
    ' ',
  ),
  ...'$schema x-mcp-header x-own dependentRequired ~standard'.split(' '),
];

/** Valid schemas, and almost valid ones: most parts are usual. */
function schemas(depth: number): fc.Arbitrary<object> {
  const usual = { type: fc.constantFrom('string', 'object', ['string', 'null']), title: fc.constant('It') };
  const odd = fc.dictionary(fc.constantFrom(...statements), fc.constantFrom(...values), { maxKeys: 2 });
  const some = (arbitrary: fc.Arbitrary<object>): fc.Arbitrary<object | undefined> =>
    fc.option(arbitrary, { nil: undefined });
  const flat = fc.tuple(fc.record(usual, { requiredKeys: [] }), fc.option(odd, { freq: 1, nil: {} }));
  if (depth === 0) return flat.map(([plain, more]) => ({ ...plain, ...more }));
  const part = fc.oneof(
    { weight: 8, arbitrary: schemas(depth - 1) },
    { weight: 1, arbitrary: fc.constantFrom(...(values as object[])) },
  );
  const holding = fc.record({
    properties: some(fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 2 })),
    items: some(part),
    additionalProperties: some(part),
    anyOf: fc.option(fc.array(part, { maxLength: 2 }), { freq: 1, nil: undefined }),
  });
  return fc.tuple(flat, holding).map(([[plain, more], held]) => ({ ...plain, ...held, ...more }));
}

describe('a simple schema', () => {
  it('is valid and needs no inspection', () => {
    let simple = 0;
    fc.assert(
      fc.property(schemas(2), (given) => {
        if (!isSimpleSchema(given as JsonSchema)) return;
        simple += 1;
        expect(inspectFully(given as JsonSchema)).toEqual(quick);
      }),
      { numRuns: 1000 },
    );
    expect(simple).toBeGreaterThan(50);
  });

  it('is the usual schema of a tool', () => {
    const properties = {
      query: { type: 'string', minLength: 1, description: 'What to look for' },
      limit: { type: ['integer', 'null'], minimum: 1, default: 10 },
      order: { enum: ['newest', 'oldest'] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      more: { type: 'object', additionalProperties: { type: 'number' } },
      any: true,
    };
    expect(isSimpleSchema({ type: 'object', properties, required: ['query'], additionalProperties: false })).toBe(true);
  });

  it.each([
    ['is too deep', nested(64 + 1)],
    ['has too many schemas for each part of a value', { items: wide(50) }],
    ['has too many names', { required: many(1000 + 1) }],
    ['has too many values', { enum: many(1000 + 1) }],
  ])('is none that %s', (_, given) => {
    expect(isSimpleSchema(given)).toBe(false);
  });

  it('is none that contains itself', () => {
    const properties: Record<string, unknown> = {};
    properties.self = { properties };
    expect(isSimpleSchema({ properties } as JsonSchema)).toBe(false);
  });
});

function nested(levels: number): JsonSchema {
  return levels === 0 ? {} : { items: nested(levels - 1) };
}

function wide(count: number): JsonSchema {
  return { properties: Object.fromEntries(many(count).map((each) => [each, {}])) };
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, each) => `n${each}`);
}
