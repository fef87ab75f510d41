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

describe('an object of schemas, one for each property', () => {
  const shape = { name: z.string().describe('Whom'), times: z.number().default(1), loud: z.boolean().optional() };

  it('is sent to clients as the object that it describes', () => {
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

  it('checks each property in its library’s way, and leaves out others', () => {
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

  it('takes what an object inherits for missing', () => {
    expect(input({ constructor: z.string().optional() }).check({})).toEqual({ ok: true, value: {} });
  });

  it('names the place of what is wrong deeper inside', () => {
    const compiled = input({ items: z.array(z.object({ n: z.number() })) });
    expect(compiled.check({ items: [{ n: 1 }, { n: 'x' }] })).toMatchObject({ problems: [{ path: '/items/1/n' }] });
  });

  it('may be of several libraries', async () => {
    const mixed = input({ a: z.string(), b: type('number'), c: toStandardJsonSchema(v.boolean()) });
    expect(mixed.json).toMatchObject({
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
      required: ['a', 'b', 'c'],
    });
    expect(await mixed.check({ a: 'x', b: 1, c: true })).toEqual({ ok: true, value: { a: 'x', b: 1, c: true } });
  });

  it('waits for what a library has to wait for', async () => {
    const known = z.string().refine(async (name) => name === 'Ada', 'is unknown');
    const compiled = input({ name: known, age: z.number() });
    expect(compiled.json.required).toEqual(['name', 'age']);
    expect(await compiled.check({ name: 'Ada', age: 36 })).toEqual({ ok: true, value: { name: 'Ada', age: 36 } });
    expect(await compiled.check({ name: 'Bob', age: 36 })).toEqual({
      ok: false,
      problems: [{ path: '/name', message: 'is unknown' }],
    });
  });

  it('wants a property whose schema throws at nothing', () => {
    const strict = z.preprocess((value) => (value as string).trim(), z.string());
    expect(input({ strict }).json.required).toEqual(['strict']);
  });

  it('keeps references inside a property true', async () => {
    const tree = z.object({
      label: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const { json } = input({ 'a/b': tree });
    expect(JSON.stringify(json)).toContain('"$ref":"#/properties/a~1b');
    // The plain validator finds what the references lead to.
    const plain = input(json);
    const leaf = { label: 'leaf', children: [] };
    expect(await plain.check({ 'a/b': { label: 'root', children: [leaf] } })).toMatchObject({ ok: true });
    expect(await plain.check({ 'a/b': { label: 'root', children: [{}] } })).toMatchObject({ ok: false });
  });

  it('is rejected where some members are no schemas, or too old to be written', () => {
    expect(() => input({ a: z.string(), b: 'number' })).toThrow(
      'its member "b" is no schema of a library, though others are: give a schema for each property',
    );
    expect(() => input({ a: v.string() })).toThrow('wrap the schema in toStandardJsonSchema()');
    const old = { _def: {}, parse: () => {} };
    expect(() => input({ a: old })).toThrow('install zod 4.2 or later');
  });
});

describe('what only looks like a JSON Schema', () => {
  it.each([
    ['properties alone', { name: { type: 'string' } }, "write { type: 'object', properties: { name: … }"],
    ['one that is named like a keyword', { title: { type: 'string' } }, 'such as "title"'],
    ['one that is named type', { type: { type: 'string' } }, 'such as "type"'],
    ['those of typebox', { name: Type.String() }, 'write Type.Object({ name: … })'],
    ['those of typebox without a type', { name: Type.Any() }, 'write Type.Object({ name: … })'],
  ])('is rejected with what to write: %s', (_, schema, message) => {
    expect(() => input(schema)).toThrow(message);
    expect(() => output(schema)).toThrow(message);
  });

  it('is rejected with a schema of a library inside, with its place', () => {
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
  ])('is no schema that says something without a root type: %j', async (schema) => {
    expect(input(schema).json).toEqual({ ...schema, type: 'object' });
    expect(output(schema).json).toEqual(schema);
    await input(schema).check({});
  });

  it('is not every schema without a type', () => {
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
