import type { JSONSchema7 } from 'json-schema';
import { Type, type Static } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type } from 'arktype';
import { createServer, prompt, tool } from '../index.ts';
import type { InferInput, InferOutput, Schema } from './infer.ts';

/** Takes a schema the way the library does: as the literal that was written. */
function literal<const S extends Schema>(schema: S): S {
  return schema;
}

describe('types inferred from a typebox schema', () => {
  const book = literal(
    Type.Object({
      title: Type.String(),
      pages: Type.Optional(Type.Integer()),
      tags: Type.Array(Type.String()),
      kind: Type.Union([Type.Literal('novel'), Type.Literal('essay')]),
      size: Type.Tuple([Type.Number(), Type.Number()]),
      author: Type.Object({ name: Type.String(), born: Type.Optional(Type.Number()) }),
      colour: Type.Enum(['red', 'blue']),
      nothing: Type.Null(),
      sold: Type.Boolean(),
      own: Type.Unsafe<'mine'>({ type: 'string' }),
    }),
  );

  it('are those of typebox', () => {
    expectTypeOf<InferInput<typeof book>>().toEqualTypeOf<Static<typeof book>>();
    expectTypeOf<InferOutput<typeof book>>().toEqualTypeOf<Static<typeof book>>();
  });

  it("are the types of a handler's arguments and result", () => {
    const output = Type.Object({ sum: Type.Number() });
    tool('add', { input: Type.Object({ a: Type.Number(), b: Type.Optional(Type.Number()) }), output }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b?: number }>();
      return { sum: args.a };
    });
    // @ts-expect-error -- the sum is a number
    tool('add', { output }, () => ({ sum: 'x' }));
    // @ts-expect-error -- nothing is returned where an output is promised
    tool('none', { output: { type: 'object', properties: { sum: { type: 'number' } } } }, () => {});
    // @ts-expect-error -- nor later
    tool('none', { output: { type: 'object', properties: { sum: { type: 'number' } } } }, async () => {});
    tool('none', {}, () => {});
  });

  it('are those of a record and of an intersection as far as JSON Schema can express them', () => {
    const scores = Type.Object({ by: Type.Record(Type.String(), Type.Number()) });
    expectTypeOf<InferInput<typeof scores>>().toEqualTypeOf<{ by: Record<string, unknown> }>();
    const both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]);
    expectTypeOf<InferInput<typeof both>>().toExtend<{ a: string; b: number }>();
  });
});

describe('a JSON Schema of a type that another library declares', () => {
  it('is accepted as a schema, with unknown arguments', () => {
    const input = { type: 'object', properties: { name: { type: 'string' } } } as JSONSchema7;
    tool('greet', { input, output: input }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      return {};
    });
  });

  it('does not disable the checks of literals', () => {
    // @ts-expect-error -- required is a list
    literal({ type: 'object', required: 'name' });
    // @ts-expect-error -- properties are schemas
    literal({ type: 'object', properties: { name: 'string' } });
    const marked = literal({ type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'N' } } });
    expectTypeOf<InferInput<typeof marked>>().toEqualTypeOf<{ name?: string }>();
  });
});

describe('types inferred from an object of schemas', () => {
  const shape = literal({
    name: z.string(),
    age: z.number().default(1),
    nick: z.string().optional(),
    when: z.iso.date().transform((text) => new Date(text)),
  });

  it('are those of its members, with optional ones for undefined', () => {
    expectTypeOf<InferInput<typeof shape>>().toEqualTypeOf<{
      name: string;
      age: number;
      when: Date;
      nick?: string | undefined;
    }>();
    expectTypeOf<InferOutput<typeof shape>>().toEqualTypeOf<{
      name: string;
      when: string;
      age?: number | undefined;
      nick?: string | undefined;
    }>();
  });

  it("are the types of a handler's arguments, for any library", () => {
    tool('greet', { input: { name: z.string(), times: type('number') } }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ name: string; times: number }>();
    });
    tool('any', { input: {} }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
  });
});

describe('an option name of another library', () => {
  it('is a compile error, and is rejected at run time', () => {
    // @ts-expect-error -- it is called input
    expect(() => tool('greet', { inputSchema: { name: z.string() } }, () => '')).toThrow(TypeError);
    // @ts-expect-error -- the handler comes last
    expect(() => tool('greet', { execute: () => '' })).toThrow(TypeError);
    // @ts-expect-error -- the description is an option
    expect(() => tool('greet', 'Greets', { name: z.string() }, () => '')).toThrow(TypeError);
    // @ts-expect-error -- the name comes first
    expect(() => tool('greet', { name: 'greet' }, () => '')).toThrow(TypeError);
    // @ts-expect-error -- arguments are no schemas
    const greet = prompt('greet', { arguments: { name: z.string() } }, () => '');
    expect(() => createServer({ name: 's', version: '1', prompts: [greet] })).toThrow(TypeError);
  });
});
