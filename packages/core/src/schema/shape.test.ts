import { type } from 'arktype';
import { Type } from 'typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema } from './compile.ts';
import type { Schema } from './infer.ts';

const input = (schema: unknown) => compileSchema(schema as Schema, { side: 'input' });
const output = (schema: unknown) => compileSchema(schema as Schema, { side: 'output' });

describe('an object with a schema per property', () => {
  const shape = { name: z.string().describe('Whom'), times: z.number().default(1), loud: z.boolean().optional() };

  it('is sent to clients as the object schema that it describes', () => {
    expect(input(shape).json).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Whom' },
        times: { type: 'number', default: 1 },
        loud: { type: 'boolean' },
      },
      required: ['name'],
    });
    expect(output(shape).json).toMatchObject({ required: ['name', 'times'] });
    expect(input({ loud: z.boolean().optional() }).json).not.toHaveProperty('required');
  });

  it('validates each property with its library, and drops other properties', () => {
    const compiled = input(shape);
    expect(compiled.check({ name: 'Ada', more: 1 })).toEqual({ ok: true, value: { name: 'Ada', times: 1 } });
    expect(compiled.check({ name: 'Ada', loud: undefined })).toEqual({
      ok: true,
      value: { name: 'Ada', times: 1, loud: undefined },
    });
    expect(compiled.check({ name: 7, times: 'x' })).toMatchObject({
      ok: false,
      problems: [{ path: '/name' }, { path: '/times' }],
    });
    expect(compiled.check(['Ada'])).toEqual({ ok: false, problems: [{ path: '', message: 'expected an object' }] });
  });

  it('treats an inherited property as missing', () => {
    expect(input({ constructor: z.string().optional() }).check({})).toEqual({ ok: true, value: {} });
  });

  it('reports the path of a nested error', () => {
    const compiled = input({ items: z.array(z.object({ n: z.number() })) });
    expect(compiled.check({ items: [{ n: 1 }, { n: 'x' }] })).toMatchObject({ problems: [{ path: '/items/1/n' }] });
  });

  it('may mix libraries', async () => {
    const mixed = input({ a: z.string(), b: type('number'), c: toStandardJsonSchema(v.boolean()) });
    expect(mixed.json).toMatchObject({
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
      required: ['a', 'b', 'c'],
    });
    expect(await mixed.check({ a: 'x', b: 1, c: true })).toEqual({ ok: true, value: { a: 'x', b: 1, c: true } });
  });

  it('awaits asynchronous validation', async () => {
    const known = z.string().refine(async (name) => name === 'Ada', 'is unknown');
    const compiled = input({ name: known, age: z.number() });
    expect(compiled.json.required).toEqual(['name', 'age']);
    expect(await compiled.check({ name: 'Ada', age: 36 })).toEqual({ ok: true, value: { name: 'Ada', age: 36 } });
    expect(await compiled.check({ name: 'Bob', age: 36 })).toEqual({
      ok: false,
      problems: [{ path: '/name', message: 'is unknown' }],
    });
  });

  it('requires a property whose schema throws on undefined', () => {
    const strict = z.preprocess((value) => (value as string).trim(), z.string());
    expect(input({ strict }).json.required).toEqual(['strict']);
  });

  it('resolves references inside a property', async () => {
    const tree = z.object({
      label: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const { json } = input({ 'a/b': tree });
    expect(JSON.stringify(json)).toContain('"$ref":"#/properties/a~1b');
    // The plain validator resolves the references.
    const plain = input(json);
    const leaf = { label: 'leaf', children: [] };
    expect(await plain.check({ 'a/b': { label: 'root', children: [leaf] } })).toMatchObject({ ok: true });
    expect(await plain.check({ 'a/b': { label: 'root', children: [{}] } })).toMatchObject({ ok: false });
  });

  it('is rejected if a member is no schema, or can not be converted to JSON Schema', () => {
    expect(() => input({ a: z.string(), b: 'number' })).toThrow(
      'its member "b" is no schema of a library, though others are: give a schema for each property',
    );
    expect(() => input({ a: v.string() })).toThrow('wrap the schema in toStandardJsonSchema()');
    const old = { _def: {}, parse: () => {} };
    expect(() => input({ a: old })).toThrow('install zod 4.2 or later');
  });
});

describe('an object that resembles a JSON Schema', () => {
  it.each([
    ['properties alone', { name: { type: 'string' } }, "write { type: 'object', properties: { name: … }"],
    ['one that is named like a keyword', { title: { type: 'string' } }, 'such as "title"'],
    ['one that is named type', { type: { type: 'string' } }, 'such as "type"'],
    ['those of typebox', { name: Type.String() }, 'write Type.Object({ name: … })'],
    ['those of typebox without a type', { name: Type.Any() }, 'write Type.Object({ name: … })'],
  ])('is rejected with a hint: %s', (_, schema, message) => {
    expect(() => input(schema)).toThrow(message);
    expect(() => output(schema)).toThrow(message);
  });

  it('is rejected with the path of a library schema inside it', () => {
    expect(() => input({ type: 'object', properties: { name: z.string() } })).toThrow(
      '#/properties/name is a schema of zod inside a JSON Schema',
    );
  });

  it.each([
    { const: { type: 'done' } },
    { const: { type: 'string' } },
    { default: { type: 'object' } },
    { anyOf: [{ required: ['type'] }, { maxProperties: 0 }], default: { type: 'string' } },
    { properties: { a: { type: 'string' } }, example: { type: 'string' } },
    { $ref: '#/unknown', unknown: { type: 'object' } },
    { enum: [{ type: 'string' }], note: { type: 'string' } },
    { note: { type: 'done' } },
  ])('is no schema if it has keywords but no root type: %j', async (schema) => {
    expect(input(schema).json).toEqual({ ...schema, type: 'object' });
    expect(output(schema).json).toEqual(schema);
    await input(schema).check({});
  });

  it('is not accepted without a type in every case', () => {
    const plain = {
      properties: { name: { type: 'string' } },
      'x-note': { type: 'own' },
      not: { type: 'object', maxProperties: 0 },
    };
    expect(input(plain).json).toEqual({ ...plain, type: 'object' });
    expect(input({}).json).toEqual({ type: 'object' });
    expect(input({ type: 'object', own: { type: 'string' } }).json).toEqual({
      type: 'object',
      own: { type: 'string' },
    });
  });
});
