import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import { type Checked, formatProblems } from './problems.ts';
import type { JsonSchema } from './infer.ts';

async function check(schema: JsonSchema, value: unknown): Promise<Checked> {
  return compileSchema(schema, { side: 'output' }).check(value);
}

const tookTooLong = { ok: false, problems: [{ path: '', message: 'took too long to check' }] };
const tooDeep = { ok: false, problems: [{ path: '', message: 'is nested too deeply to check' }] };

/** Runs against it would take longer than the sun will shine. */
const endless = `${'a'.repeat(60)}!`;

function nestedArrays(levels: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}

describe('a catastrophic regular expression', () => {
  it.each<[string, JsonSchema, unknown, string]>([
    ['in a property', { properties: { a: { pattern: '^(a+)+$' } } }, { a: endless }, '/a'],
    ['deep inside', { items: { allOf: [{ pattern: '^(a|aa)+$' }] } }, [endless], '/0'],
    ['behind a reference', { $ref: '#/$defs/a', $defs: { a: { pattern: '(a|a)+$' } } }, endless, ''],
    ['under an unknown keyword', { $ref: '#/own/a', own: { a: { pattern: '^(a*)*$' } } }, endless, ''],
    ['under propertyNames', { propertyNames: { pattern: '^(a+)+$' } }, { [endless]: 1 }, `/${endless}`],
  ])('%s is tested nevertheless', async (_, schema, value, path) => {
    const message = expect.stringMatching(/must match the pattern/);
    expect(await check(schema, value)).toEqual({ ok: false, problems: [{ path, message }] });
  });

  it.each<[string, JsonSchema, unknown, boolean]>([
    ['are for', { patternProperties: { '^(a+)+$': { type: 'string' } } }, { [endless]: 1, b: 2 }, true],
    ['are not for', { patternProperties: { '^(a+)+!$': true }, additionalProperties: false }, { [endless]: 1 }, true],
  ])('for property names finds those that it %s', async (_, schema, value, ok) => {
    expect(await check(schema, value)).toMatchObject({ ok });
  });

  it.each<[string, JsonSchema, unknown]>([
    ['that refers back', { properties: { a: { pattern: '^(a+)+\\1$' } } }, { a: endless }],
    ['that looks ahead', { items: { anyOf: [{ type: 'null' }, { pattern: '^(?=a)(a|aa)+$' }] } }, [endless]],
    ['for names, that looks behind', { patternProperties: { '^(a+)+(?<!a)!!$': true } }, { [endless]: 1 }],
  ])('%s causes a validation error instead of a frozen process', async (_, schema, value) => {
    expect(await check(schema, value)).toEqual(tookTooLong);
  });

  it('does not slow down other patterns beside it: each is classified separately', async () => {
    const properties = { a: { pattern: '^(a+)+$' }, b: { pattern: '^b+$' }, c: { additionalProperties: false } };
    const schema = { properties, additionalProperties: false };
    expect(await check(schema, { a: 'a', b: 'b', c: {} })).toMatchObject({ ok: true });
    const checked = await check(schema, { a: endless, b: 'c', c: { d: 1 }, e: 1 });
    expect(checked.ok ? [] : checked.problems.map(({ path }) => path).toSorted()).toEqual(['', '/a', '/b', '/c']);
  });

  it('leaves the schema usable for other values', async () => {
    const schema = compileSchema({ pattern: '^(a+)+(?!b)$' }, { side: 'output' });
    expect(await schema.check(endless)).toEqual(tookTooLong);
    expect(await schema.check('aaa')).toEqual({ ok: true, value: 'aaa' });
    expect(await schema.check('b')).toMatchObject({ ok: false, problems: [{ path: '' }] });
  });
});

describe('an excessive schema', () => {
  it('with 3000 properties is validated, though that exceeds one compiled function', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `p${index}`);
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names };
    const value = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(await check(schema, value)).toEqual({ ok: true, value });
    expect(await check(schema, { ...value, p2999: 1 })).toEqual({
      ok: false,
      problems: [{ path: '/p2999', message: 'expected string, got number' }],
    });
  });

  it('with references that double 25 times finishes in time for any value', async () => {
    const $defs: Record<string, JsonSchema> = { d25: { type: 'string' } };
    for (let i = 0; i < 25; i += 1) {
      $defs[`d${i}`] = { oneOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
    }
    const checked = await check({ $ref: '#/$defs/d0', $defs }, 1);
    expect(checked.ok).toBe(false);
  });

  it('is rejected if it has 5000 levels or refers to itself endlessly', () => {
    let deep: JsonSchema = {};
    for (let i = 0; i < 5000; i += 1) deep = { items: deep };
    expect(() => compileSchema(deep, { side: 'output' })).toThrow('deeper than 64 levels');
    expect(() => compileSchema({ $ref: '#' }, { side: 'output' })).toThrow('lead back to themselves');
  });
});

describe('an excessive value', () => {
  it('is rejected if it is too deep for a recursive schema', async () => {
    const tree = { type: 'array', items: { $ref: '#' } };
    expect(await check(tree, nestedArrays(100))).toMatchObject({ ok: true });
    expect(await check(tree, nestedArrays(100_000))).toEqual(tooDeep);
  });

  it('is accepted by a schema that does not validate its content', async () => {
    expect(await check({ type: 'array' }, nestedArrays(100_000))).toMatchObject({ ok: true });
  });

  it('is rejected in time if comparing equal items would take forever', async () => {
    const value = Array.from({ length: 3_000_000 }, (_, index) => index);
    expect(await check({ uniqueItems: true }, value)).toEqual(tookTooLong);
  });

  it('is truncated in error messages', async () => {
    const huge = 'x'.repeat(100_000);
    const schema = {
      additionalProperties: false,
      properties: { a: { enum: ['b'] }, c: { pattern: '^y' }, d: { format: 'email' } },
    };
    const checked = await check(schema, { [huge]: 1, a: huge, c: huge, d: huge });
    expect(checked.ok).toBe(false);
    if (checked.ok) return;
    expect(checked.problems).toHaveLength(4);
    for (const { message } of checked.problems) expect(message.length).toBeLessThan(200);
  });

  it('gets errors for some of its unknown properties only', async () => {
    const value = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`p${index}`, 1]));
    const checked = await check({ additionalProperties: false }, value);
    const problems = checked.ok ? [] : checked.problems;
    expect(problems).toHaveLength(200);
    expect(problems[0]).toEqual({ path: '', message: 'unknown property "p0"' });
    expect(formatProblems(problems).split('\n')).toHaveLength(21);
    const unevaluated = await check({ unevaluatedProperties: false }, value);
    expect(unevaluated.ok ? [] : unevaluated.problems).toEqual(problems);
  });
});
