import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './infer.ts';
import { inspectSchema } from './inspect.ts';
import { createValidate, prepareValidator } from './json-schema.ts';
import { compileFastValidator } from './fast-validate.ts';

const says = (schema: unknown, value: unknown): boolean | undefined => compileFastValidator(schema)?.(value);

describe('fast validation', () => {
  it.each<[schema: JsonSchema, fitting: unknown[], others: unknown[]]>([
    [{}, [1, null, []], []],
    [{ type: 'string', description: 'A name', default: 'x' }, ['', 'a'], [1, null, undefined]],
    [{ type: 'number' }, [0, 1.5], ['1', NaN, Infinity, 1n]],
    [{ type: 'integer' }, [1, 1.0], [1.5, '1']],
    [{ type: 'boolean' }, [true], [0, 'true']],
    [{ type: 'null' }, [null], [undefined, 0]],
    [{ type: 'array' }, [[]], [{}, 'a']],
    [{ type: 'object' }, [{}], [[], null]],
    [{ type: ['string', 'null'] }, ['a', null], [1]],
    [{ properties: { a: { type: 'string' } } }, [{}, { a: 'x', b: 1 }, 'other'], [{ a: 1 }]],
    [{ required: ['a'] }, [{ a: undefined }, []], [{}, Object.create({ a: 1 })]],
    [{ properties: { a: true }, additionalProperties: false }, [{}, { a: 1 }], [{ a: 1, b: 2 }]],
    [{ properties: { a: true }, additionalProperties: { type: 'number' } }, [{ a: '', b: 2 }], [{ b: '' }]],
    [{ items: { type: 'number' } }, [[], [1], {}], [['a'], [1, null]]],
    [{ enum: ['a', 1, null] }, ['a', 1, null], ['b', '1', undefined]],
    [{ const: 'a' }, ['a'], ['b']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2, 'a'], [0, 3]],
    [{ minimum: 1 }, [1, '0'], [0.9, 1n]],
    [{ maximum: 1 }, [1], [1.1]],
    [{ exclusiveMinimum: 1 }, [1.1], [1]],
    [{ exclusiveMaximum: 1 }, [0.9], [1]],
    [{ minLength: 1 }, ['a', 'é', 1], ['']],
    [{ minLength: 2 }, ['ab'], ['a', 'éé', '😀']],
    [{ maxLength: 2 }, ['', 'ab'], ['abc', '😀😀']],
    [{ minItems: 1 }, [[1], 'a'], [[]]],
    [{ maxItems: 1 }, [[], [1]], [[1, 2]]],
  ])('of %j accepts only valid values', (schema, fitting, others) => {
    expect(fitting.map((value) => says(schema, value))).toEqual(fitting.map(() => true));
    expect(others.map((value) => says(schema, value))).toEqual(others.map(() => false));
  });

  it('defers to the validator for anything else in a schema, however deep', () => {
    for (const part of [
      { pattern: 'a' },
      { format: 'uri' },
      { oneOf: [{}] },
      { not: {} },
      { $ref: '#' },
      { $id: 'a' },
      { enum: [[]] },
      { const: {} },
      { items: [{}] },
      { uniqueItems: true },
      { '~refine': [] },
      { own: 1 },
      false,
    ]) {
      for (const schema of [
        part,
        { properties: { a: part } },
        { items: part },
        { anyOf: [{}, part] },
        { allOf: [part] },
      ]) {
        expect([schema, compileFastValidator(schema)]).toEqual([schema, undefined]);
      }
    }
    expect(compileFastValidator({ additionalProperties: { pattern: 'a' } })).toBeUndefined();
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'é', '$', '-', '');
const scalar = fc.constantFrom<unknown>(
  0,
  1,
  -1,
  2.5,
  10,
  'a',
  'ab',
  'é',
  '😀',
  'e\u0301',
  '\r\n',
  '',
  true,
  false,
  null,
);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const count = fc.nat({ max: 3 });
const { value, schema } = fc.letrec<{ value: unknown; schema: JsonSchema }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 3 })) }, { requiredKeys: [] }),
    fc.record({ enum: fc.array(scalar, { maxLength: 4 }) }),
    fc.record(
      {
        minimum: fc.integer({ min: -2, max: 3 }),
        exclusiveMaximum: fc.integer({ min: -2, max: 11 }),
        minLength: count,
        maxLength: count,
        minItems: count,
        maxItems: count,
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constantFrom('object', 'array'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

it('fast validation accepts no value that the validator rejects', async () => {
  await prepareValidator();
  let sure = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 10, maxLength: 10 }), (given, values) => {
      const findings = inspectSchema(given);
      if (findings.costly || findings.namesInherited) return;
      const check = compileFastValidator(given);
      const validate = createValidate(given, findings);
      for (const one of values) {
        if (check?.(one) !== true) continue;
        sure += 1;
        expect(validate(one)).toEqual({ ok: true, value: one });
      }
    }),
    { numRuns: 500 },
  );
  expect(sure).toBeGreaterThan(500);
});
