import { type } from 'arktype';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { FromJsonSchema, InferInput, InferOutput, JsonSchema, Schema, StandardSchema } from './infer.ts';

/** Takes a schema the way the library does: as the literal that was written. */
function literal<const S extends Schema>(schema: S): S {
  return schema;
}

describe('types inferred from a JSON Schema literal', () => {
  it('are the arguments of the smallest tool', () => {
    const input = literal({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
    expectTypeOf<InferInput<typeof input>>().toEqualTypeOf<{ name: string }>();
  });

  it('are primitive for type names', () => {
    expectTypeOf<FromJsonSchema<{ type: 'string' }>>().toEqualTypeOf<string>();
    expectTypeOf<FromJsonSchema<{ type: 'number' }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ type: 'integer' }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ type: 'boolean' }>>().toEqualTypeOf<boolean>();
    expectTypeOf<FromJsonSchema<{ type: 'null' }>>().toEqualTypeOf<null>();
    expectTypeOf<FromJsonSchema<{ type: 'array' }>>().toEqualTypeOf<unknown[]>();
    expectTypeOf<FromJsonSchema<{ type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<FromJsonSchema<true>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<false>>().toEqualTypeOf<never>();
  });

  it('are a union for several types, including null', () => {
    const schema = literal({ type: ['string', 'null'] });
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<string | null>();
  });

  it('are optional for properties that are not required', () => {
    const schema = literal({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['id', 'extra'],
    });
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<{
      id: number;
      note?: string;
      tags?: string[];
      extra: unknown;
    }>();
  });

  it('are literal for enum and const', () => {
    const schema = literal({
      type: 'object',
      properties: { tense: { enum: ['past', 'present', 3, null] }, kind: { type: 'string', const: 'verb' } },
      required: ['tense', 'kind'],
    });
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<{
      tense: 'past' | 'present' | 3 | null;
      kind: 'verb';
    }>();
  });

  it('are a discriminated union for anyOf and oneOf', () => {
    const schema = literal({
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    });
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<
      { kind: 'circle'; radius: number } | { kind: 'square'; side: number }
    >();
    expectTypeOf<FromJsonSchema<{ anyOf: [{ type: 'string' }, { type: 'number' }] }>>().toEqualTypeOf<
      string | number
    >();
    expectTypeOf<
      FromJsonSchema<{ type: 'string'; oneOf: [{ const: 'a'; title: 'A' }, { const: 'b'; title: 'B' }] }>
    >().toEqualTypeOf<'a' | 'b'>();
  });

  it('of a branch include the type of the enclosing schema', () => {
    const schema = literal({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    });
    expectTypeOf<{ id: string }>().toExtend<FromJsonSchema<typeof schema>>();
    expectTypeOf<{ name: string; id: string }>().toExtend<FromJsonSchema<typeof schema>>();
    expectTypeOf<{ name: number }>().not.toExtend<FromJsonSchema<typeof schema>>();
    expectTypeOf<{ other: string }>().not.toExtend<FromJsonSchema<typeof schema>>();
    expectTypeOf<FromJsonSchema<typeof schema>['id']>().toEqualTypeOf<string | undefined>();
  });

  it('are an intersection for allOf', () => {
    const schema = literal({
      type: 'object',
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    });
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<{ a: string } & { b: number }>();
  });

  it('are an index type for a schema of additional properties', () => {
    const scores = literal({ type: 'object', additionalProperties: { type: 'number' } });
    expectTypeOf<FromJsonSchema<typeof scores>>().toEqualTypeOf<Record<string, number>>();
    const named = literal({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: { type: 'number' },
    });
    expectTypeOf<FromJsonSchema<typeof named>['name']>().toEqualTypeOf<string>();
    expectTypeOf<FromJsonSchema<typeof named>[string]>().toEqualTypeOf<string | number>();
    expectTypeOf<FromJsonSchema<{ type: 'object'; additionalProperties: false }>>().toEqualTypeOf<
      Record<string, never>
    >();
  });

  it('are a tuple for prefixItems, with minItems required elements', () => {
    expectTypeOf<
      FromJsonSchema<{
        type: 'array';
        prefixItems: [{ type: 'number' }, { type: 'number' }];
        items: false;
        minItems: 2;
      }>
    >().toEqualTypeOf<[number, number]>();
    expectTypeOf<
      FromJsonSchema<{ type: 'array'; prefixItems: [{ type: 'string' }, { type: 'number' }]; minItems: 1 }>
    >().toEqualTypeOf<[string, number?, ...unknown[]]>();
    expectTypeOf<
      FromJsonSchema<{ type: 'array'; items: [{ type: 'string' }]; additionalItems: { type: 'number' } }>
    >().toEqualTypeOf<[string?, ...number[]]>();
  });

  it('are unknown if the literal does not say', () => {
    expectTypeOf<FromJsonSchema<{ $ref: '#/$defs/node' }>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<{ properties: { a: { type: 'string' } } }>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<JsonSchema>>().toEqualTypeOf<unknown>();
    expectTypeOf<InferOutput<JsonSchema>>().toEqualTypeOf<unknown>();
  });

  it('are an object for arguments anyway', () => {
    expectTypeOf<InferInput<JsonSchema>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<InferInput<{ $ref: '#/$defs/arguments' }>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<InferInput<{ properties: { a: { type: 'string' } } }>>().toEqualTypeOf<{ a?: string }>();
    expectTypeOf<InferInput<{}>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it('accept a widened schema', () => {
    const widened = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const schema = literal(widened);
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it('are unknown below a depth limit, which bounds compile time', () => {
    type Nested<N extends unknown[]> = N['length'] extends 24
      ? { type: 'string' }
      : { type: 'array'; items: Nested<[...N, unknown]> };
    type Inner<T, N extends unknown[] = []> = T extends (infer Item)[]
      ? Inner<Item, [...N, unknown]>
      : [T, N['length']];
    expectTypeOf<Inner<FromJsonSchema<Nested<[]>>>>().toEqualTypeOf<[unknown, 16]>();
  });
});

describe('types inferred from a Standard Schema', () => {
  it('are the input and output of a handler, with zod', () => {
    const schema = literal(
      z.object({ name: z.string(), count: z.number().default(1), size: z.string().transform(Number) }),
    );
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ name: string; count: number; size: number }>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{
      name: string;
      count?: number | undefined;
      size: string;
    }>();
  });

  it('are the same with valibot', () => {
    const schema = literal(toStandardJsonSchema(v.object({ name: v.string(), count: v.optional(v.number(), 1) })));
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ name: string; count: number }>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{ name: string; count?: number | undefined }>();
  });

  it('are the same with arktype', () => {
    const schema = literal(type({ name: 'string', 'count?': 'number' }));
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ name: string; count?: number }>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{ name: string; count?: number }>();
  });

  it('are the same with a hand-written implementation', () => {
    expectTypeOf<InferInput<StandardSchema<string, number>>>().toEqualTypeOf<number>();
    expectTypeOf<InferOutput<StandardSchema<string, number>>>().toEqualTypeOf<string>();
  });
});
