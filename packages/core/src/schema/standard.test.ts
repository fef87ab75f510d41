import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema } from './compile.ts';
import { type Checked, formatProblems } from './problems.ts';
import type { StandardResult, StandardSchema } from './infer.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function said(checked: Checked): string {
  return checked.ok ? '' : formatProblems(checked.problems);
}

/** A schema written by hand to the letter of the interface. */
function byHand(parts: Partial<StandardSchema['~standard']>): StandardSchema {
  return { '~standard': { version: 1, vendor: 'hand', validate: (value) => ({ value }), ...parts } };
}

describe('zod', () => {
  const schema = z.object({ name: z.string(), count: z.number().default(1) });

  it('describes input and output', () => {
    const properties = { name: { type: 'string' }, count: { type: 'number', default: 1 } };
    expect(compileSchema(schema, { side: 'input' }).json).toEqual({
      $schema: dialect,
      type: 'object',
      properties,
      required: ['name'],
    });
    expect(compileSchema(schema, { side: 'output' }).json).toEqual({
      $schema: dialect,
      type: 'object',
      properties,
      required: ['name', 'count'],
      additionalProperties: false,
    });
  });

  it('validates synchronously, applying defaults and transforms', () => {
    const transforming = compileSchema(z.object({ size: z.string().transform(Number), count: z.number().default(1) }), {
      side: 'input',
    });
    expect(transforming.check({ size: '42' })).toEqual({ ok: true, value: { size: 42, count: 1 } });
  });

  it('reports errors', () => {
    const nested = compileSchema(z.object({ items: z.array(schema) }), { side: 'input' });
    const checked = nested.check({ items: [{ name: 'a' }, { name: 1 }] });
    expect(checked).toEqual({
      ok: false,
      problems: [{ path: '/items/1/name', message: 'Invalid input: expected string, received number' }],
    });
    expect(said(checked as Checked)).toBe('items[1].name: Invalid input: expected string, received number');
  });

  it('may refine asynchronously', async () => {
    const free = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') });
    const compiled = compileSchema(free, { side: 'input' });
    const pending = compiled.check({ name: 'taken' });
    expect(pending).toBeInstanceOf(Promise);
    expect(said(await pending)).toBe('name: is taken');
    expect(await compiled.check({ name: 'free' })).toEqual({ ok: true, value: { name: 'free' } });
  });

  it('may describe arguments as a union of objects, and the JSON Schema still has type object', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(compileSchema(union, { side: 'input' }).json).toMatchObject({ type: 'object', oneOf: [{}, {}] });
  });

  it('may describe any value for output', () => {
    const compiled = compileSchema(z.array(z.number()), { side: 'output' });
    expect(compiled.json).toEqual({ $schema: dialect, type: 'array', items: { type: 'number' } });
    expect(compiled.check([1])).toEqual({ ok: true, value: [1] });
  });

  it('is converted to JSON Schema on first use, once', () => {
    let asked = 0;
    const json = (): Record<string, unknown> => {
      asked += 1;
      return { type: 'object' };
    };
    const compiled = compileSchema(byHand({ jsonSchema: { input: json, output: json } }), { side: 'input' });
    expect(compiled.check({})).toEqual({ ok: true, value: {} });
    expect([asked, compiled.written]).toEqual([0, false]);
    expect(compiled.json).toBe(compiled.json);
    expect(compiled.mirrored).toEqual([]);
    expect([asked, compiled.written]).toEqual([1, true]);
  });

  it('is rejected on first use with its own message if it has no JSON Schema', () => {
    expect(() => compileSchema(z.object({ when: z.date() }), { side: 'input' }).json).toThrow(
      "The input schema can't be used: zod can't write it as JSON Schema: Date cannot be represented in JSON Schema",
    );
    expect(() => compileSchema(z.object({ a: z.string().transform(Number) }), { side: 'output' }).json).toThrow(
      "The output schema can't be used: zod can't write it as JSON Schema: Transforms cannot be represented",
    );
    expect(() => compileSchema(z.object({ when: z.date() }), { side: 'input' }).json).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ cause: expect.any(Error) }) }),
    );
  });

  it('is rejected on first use if it does not describe arguments as an object', () => {
    expect(() => compileSchema(z.string(), { side: 'input' }).json).toThrow(
      'its root type is "string", and arguments are always an object',
    );
  });
});

describe('arguments that zod marks as mirrored in headers', () => {
  it('are listed', () => {
    const schema = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
    expect(compileSchema(schema, { side: 'input' }).mirrored).toMatchObject([{ header: 'mcp-param-region' }]);
    expect(compileSchema(schema, { side: 'output' }).mirrored).toEqual([]);
  });

  it('are rejected if no header can carry them (S-M-15)', () => {
    const schema = z.object({ price: z.number().meta({ 'x-mcp-header': 'Price' }) });
    expect(() => compileSchema(schema, { side: 'input' }).json).toThrow(
      'The input schema can\'t be used: "x-mcp-header" at "#/properties/price" stands at an argument whose type is not',
    );
  });
});

describe('valibot', () => {
  const schema = v.object({ name: v.pipe(v.string(), v.minLength(2)), count: v.optional(v.number(), 1) });

  it('converts to JSON Schema with its wrapper', () => {
    const wrapped = toStandardJsonSchema(schema);
    const name = { type: 'string', minLength: 2 };
    const count = { type: 'number', default: 1 };
    expect(compileSchema(wrapped, { side: 'input' }).json).toEqual({
      $schema: dialect,
      type: 'object',
      properties: { name, count },
      required: ['name'],
    });
    const counted = toStandardJsonSchema(
      v.pipe(
        schema,
        v.transform(({ name }) => ({ length: name.length })),
        v.object({ length: v.number() }),
      ),
    );
    expect(compileSchema(counted, { side: 'output' }).json).toMatchObject({
      properties: { length: { type: 'number' } },
    });
  });

  it('validates with defaults, and reports errors', () => {
    const compiled = compileSchema(toStandardJsonSchema(schema), { side: 'input' });
    expect(compiled.check({ name: 'Ada' })).toEqual({ ok: true, value: { name: 'Ada', count: 1 } });
    expect(said(compiled.check({ name: 'A', count: '1' }) as Checked)).toBe(
      'name: Invalid length: Expected >=2 but received 1\ncount: Invalid type: Expected number but received "1"',
    );
  });

  it('may validate asynchronously', async () => {
    const asynchronous = v.objectAsync({
      name: v.pipeAsync(
        v.string(),
        v.checkAsync(async (name) => name !== 'taken', 'is taken'),
      ),
    });
    const { jsonSchema } = toStandardJsonSchema(v.object({ name: v.string() }))['~standard'];
    const compiled = compileSchema({ '~standard': { ...asynchronous['~standard'], jsonSchema } }, { side: 'input' });
    expect(said(await compiled.check({ name: 'taken' }))).toBe('name: is taken');
  });

  it('without its wrapper is rejected with a hint', () => {
    expect(() => compileSchema(schema, { side: 'input' })).toThrow(
      "The input schema can't be used: valibot gives no JSON Schema for it (~standard.jsonSchema is missing): " +
        'wrap the schema in toStandardJsonSchema() from @valibot/to-json-schema',
    );
  });
});

describe('arktype', () => {
  const schema = type({ name: 'string', 'count?': 'number.integer' });

  it('converts to JSON Schema', () => {
    expect(compileSchema(schema, { side: 'input' }).json).toEqual({
      $schema: dialect,
      type: 'object',
      properties: { name: { type: 'string' }, count: { type: 'integer' } },
      required: ['name'],
    });
  });

  it('validates with morphs', () => {
    expect(compileSchema(schema, { side: 'input' }).check({ name: 'Ada' })).toEqual({
      ok: true,
      value: { name: 'Ada' },
    });
    const morphing = compileSchema(type({ size: type('string').pipe((text) => text.length) }), { side: 'input' });
    expect(morphing.check({ size: 'four' })).toEqual({ ok: true, value: { size: 4 } });
  });

  it('reports errors without repeating the property name', () => {
    const checked = compileSchema(schema, { side: 'input' }).check({ name: 1, count: 1.5 }) as Checked;
    expect(said(checked).split('\n').sort()).toEqual([
      'count must be an integer (was 1.5)',
      'name must be a string (was a number)',
    ]);
  });
});

describe('any other library', () => {
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) };

  it('is rejected without JSON Schema, with a hint', () => {
    expect(() => compileSchema(byHand({}), { side: 'input' })).toThrow(
      'hand gives no JSON Schema for it (~standard.jsonSchema is missing): ' +
        'use a version of hand that implements Standard JSON Schema',
    );
    expect(() => compileSchema(byHand({ vendor: 'zod' }), { side: 'input' })).toThrow('install zod 4.2 or later');
    expect(() => compileSchema(byHand({ vendor: 'arktype' }), { side: 'input' })).toThrow(
      'install arktype 2.1.28 or later',
    );
  });

  it('may support draft-07 only', () => {
    const only07 = ({ target }: { target: string }): Record<string, unknown> => {
      if (target !== 'draft-07') throw new Error('unknown target');
      return { type: 'object', definitions: {} };
    };
    expect(compileSchema(byHand({ jsonSchema: { input: only07, output: only07 } }), { side: 'output' }).json).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: {},
    });
  });

  it('may give paths as keys or as objects with keys, or none', () => {
    const issues = [{ message: 'one', path: ['a', { key: 0 }, 'b/c'] }, { message: 'two' }];
    const compiled = compileSchema(byHand({ jsonSchema, validate: () => ({ issues }) }), { side: 'input' });
    expect(compiled.check({})).toEqual({
      ok: false,
      problems: [
        { path: '/a/0/b~1c', message: 'one' },
        { path: '', message: 'two' },
      ],
    });
  });

  it('may report a limited number of errors per value', () => {
    const saying = (length: number) => {
      const validate = (): StandardResult<unknown> => ({ issues: [{ message: 'x'.repeat(length) }] });
      return said(compileSchema(byHand({ jsonSchema, validate }), { side: 'input' }).check({}) as Checked);
    };
    expect(saying(300)).toBe('x'.repeat(300));
    expect(saying(5000)).toBe(`${'x'.repeat(300)}…`);
  });
});
