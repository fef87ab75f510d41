import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPointer, type Json, jsonEquals, valueAt, withValueAt } from '../../shared/json.ts';
import { createDraft, withBranch, withField, withText } from '../model/drafts.ts';
import { buildFields } from './build-fields.ts';
import { describeConstraints } from './field-frame.tsx';
import type { Field } from './field.ts';
import { initialValue, newEntryValue } from './initial-value.ts';
import { bestBranch } from './schema-info.ts';
import { parseJson, parseNumber } from './text-inputs.tsx';

interface Typed {
  schema: Record<string, unknown>;
  value: fc.Arbitrary<Json>;
}

const names = fc.constantFrom('name', 'size', 'tags', 'a/b', '~', '__proto__x', 'ü', '');

/** A schema, and values that fit it. */
const typed = fc.letrec<{ any: Typed; leaf: Typed }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    tie('any').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema },
      value: fc.array(value, { maxLength: 3 }),
    })),
    fc
      .uniqueArray(fc.tuple(names, tie('any'), fc.boolean()), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => ({
        schema: {
          type: 'object',
          properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
          required: entries.filter(([, , required]) => required).map(([name]) => name),
        },
        value: fc.record(Object.fromEntries(entries.map(([name, { value }]) => [name, value])), {
          requiredKeys: entries.filter(([, , required]) => required).map(([name]) => name),
        }) as fc.Arbitrary<Json>,
      })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((branches) => ({
      schema: { anyOf: branches.map(({ schema }) => schema) },
      value: fc.oneof(...branches.map(({ value }) => value)),
    })),
    tie('any').map(({ schema, value }) => ({
      schema: { anyOf: [schema, { type: 'null' }] },
      value: fc.option(value),
    })),
  ),
  leaf: fc.constantFrom<Typed>(
    { schema: { type: 'string' }, value: fc.string() },
    { schema: { type: ['string', 'null'] }, value: fc.option(fc.string()) },
    { schema: { type: 'integer' }, value: fc.integer() },
    { schema: { type: 'number' }, value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0) },
    { schema: { type: ['number', 'boolean'] }, value: fc.oneof(fc.integer(), fc.boolean()) },
    { schema: { type: 'boolean' }, value: fc.boolean() },
    { schema: { enum: ['a', 'b', 1, null] }, value: fc.constantFrom<Json[]>('a', 'b', 1, null) },
    { schema: { oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }] }, value: fc.constantFrom('x', 'y') },
    {
      schema: { type: 'array', items: { enum: ['p', 'q'] }, uniqueItems: true },
      value: fc.subarray(['p', 'q']),
    },
    { schema: {}, value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> },
  ),
})).any;

const filled = typed.chain(({ schema, value }) => value.map((each) => ({ schema, value: plain(each) })));

/** As JSON represents it: without negative zero and prototype names. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

describe('a form', () => {
  it('reads back the value it shows', () => {
    fc.assert(
      fc.property(filled, ({ schema, value }) => {
        expect(readField(buildFields(schema, value))).toEqual(value);
      }),
    );
  });

  it('loses nothing of a value that does not match its schema', () => {
    fc.assert(
      fc.property(typed, fc.jsonValue({ maxDepth: 3 }), ({ schema }, given) => {
        const value = plain(given as Json);
        expect(readField(buildFields(schema, value))).toEqual(value);
      }),
    );
  });

  it('agrees with its JSON after every change of either', () => {
    fc.assert(
      fc.property(filled, filled, names, ({ schema, value }, other, name) => {
        let draft = createDraft(value);
        draft = withField(draft, [name], other.value);
        expect(draft.text === '' ? undefined : JSON.parse(draft.text)).toEqual(draft.value);
        draft = withText(draft, JSON.stringify(value));
        expect(readField(buildFields(schema, draft.value))).toEqual(value);
      }),
    );
  });

  it("keeps the JSON as it was typed while the form changes nothing, and the form while the JSON can't be read", () => {
    const typedText = '{ "a":   1 }';
    const draft = withText(createDraft({}), typedText);
    expect(withField(draft, ['a'], 1).text).toBe(typedText);
    const broken = withText(draft, '{ "a": ');
    expect(broken).toMatchObject({ text: '{ "a": ', value: { a: 1 } });
    expect(broken.parseError).toBeDefined();
  });

  it('restores the value of a branch on return', () => {
    const draft = withField(createDraft({}), ['shape'], { radius: 2 });
    const away = withBranch(draft, ['shape'], 0, 1, { side: 0 });
    expect(away.value).toEqual({ shape: { side: 0 } });
    expect(withBranch(away, ['shape'], 1, 0, undefined).value).toEqual({ shape: { radius: 2 } });
  });

  it('names the default of a field that is not sent', () => {
    const schema = { type: 'object', properties: { size: { type: 'integer', default: 3 } } };
    expect(buildFields(schema, {})).toMatchObject({ fields: [{ kind: 'number', value: undefined, defaultValue: 3 }] });
  });

  it('keeps text that is not a number', () => {
    expect([' 12 ', '1.50', '-2e3', '', '1.', 'x', '0x10', '1e999'].map(parseNumber)).toEqual([
      12,
      1.5,
      -2000,
      undefined,
      '1.',
      'x',
      '0x10',
      '1e999',
    ]);
  });

  it('resolves references, including recursive ones', () => {
    const schema = {
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, at: { type: 'integer' } },
          required: ['next'],
        },
      },
      $ref: '#/$defs/node',
    };
    const value = { next: { next: { at: 3 } } };
    expect(readField(buildFields(schema, value))).toEqual(value);
  });

  it('merges the parts of allOf', () => {
    const schema = {
      allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'integer' } } }],
      type: 'object',
    };
    const form = buildFields(schema, {});
    expect(form.kind === 'object' && form.fields.map(({ kind, label, required }) => [kind, label, required])).toEqual([
      ['text', 'a', true],
      ['number', 'b', false],
    ]);
  });

  it('selects the branch that matches a value', () => {
    const schema = {
      oneOf: [
        { title: 'Circle', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
        {
          title: 'Square',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    };
    const form = buildFields(schema, { kind: 'square', side: 2 });
    expect(form).toMatchObject({ kind: 'union', branches: ['Circle', 'Square'], branch: 1 });
  });

  it('starts with required values that have a default', () => {
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        kind: { const: 'x' },
        more: { type: 'object', properties: { deep: { default: true } }, required: ['deep'] },
        optional: { default: 1 },
      },
      required: ['size', 'kind', 'more'],
    };
    expect(initialValue(schema, schema)).toEqual({ size: 3, kind: 'x', more: { deep: true } });
    expect(newEntryValue({ type: 'object', properties: {} }, {})).toEqual({});
    expect(newEntryValue({ anyOf: [{ type: 'integer' }, { type: 'string' }] }, {})).toBe(0);
  });
});

/** A schema behind a reference, and how often it was read. */
function countReads<Key extends string>(
  key: Key,
  value: unknown,
): { schema: Record<Key, unknown>; budget: () => number } {
  let count = 0;
  const schema = Object.defineProperty({} as Record<Key, unknown>, key, {
    enumerable: true,
    get: () => {
      count += 1;
      return value;
    },
  });
  return { schema, budget: () => count };
}

function countFields(field: Field): number {
  if (field.kind === 'object') return field.fields.reduce((sum, each) => sum + countFields(each), 1);
  return field.kind === 'union' ? 1 + countFields(field.inner) : 1;
}

const self = { $ref: '#' };

describe('an endless schema', () => {
  it('is resolved up to a limit if its parts double with each step', () => {
    const { schema: last, budget } = countReads('title', 'x');
    const steps = Array.from({ length: 14 }, (_, at) => {
      const next = { $ref: `#/$defs/${at + 1}` };
      return { allOf: [next, next] };
    });
    const root = { $ref: '#/$defs/0', $defs: Object.fromEntries([...steps, last].entries()) };
    buildFields(root, undefined);
    expect(budget()).toBeLessThan(1000);
  });

  it('has a limited number of fields', () => {
    const names = ['a', 'b', 'c', 'd'];
    const root = { type: 'object', required: names, properties: Object.fromEntries(names.map((name) => [name, self])) };
    expect(countFields(buildFields(root, undefined))).toBeLessThan(6000);
  });

  it('has a limited number of initial values', () => {
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
    const { schema: root, budget } = countReads('properties', Object.fromEntries(names.map((name) => [name, self])));
    initialValue(Object.assign(root, { required: names }), root);
    expect(budget()).toBeLessThan(10_000);
  });

  it('is shown as JSON if it is a union of itself', () => {
    const root = { anyOf: [self, self] };
    expect(countFields(buildFields(root, 'x'))).toBeLessThan(50);
    expect(newEntryValue(root, root)).toBe('');
  });

  it('limits the checks of its branches', () => {
    const branches = Array.from({ length: 10 }, () => self);
    const { schema: root, budget } = countReads('anyOf', branches);
    bestBranch(branches, 'x', root);
    expect(budget()).toBeLessThan(20_000);
  });

  it('does not run patterns that could take long', () => {
    const slow = { type: 'object', patternProperties: { '^(a+)+$': { type: 'integer' } } };
    const quick = { type: 'object', patternProperties: { '^a+$': { type: 'integer' } } };
    const kinds = (schema: object) => {
      const form = buildFields(schema, { aaa: 1 });
      return form.kind === 'object' ? form.fields.map(({ kind }) => kind) : [];
    };
    expect([kinds(slow), kinds(quick)]).toEqual([['raw'], ['number']]);
  });
});

describe('JSON paths', () => {
  it('are read, replaced and removed without changing the original value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.oneof(names, fc.nat(2)), { minLength: 1, maxLength: 3 }),
        (given, path) => {
          const value = plain(given as Json);
          const before = JSON.stringify(value);
          const changed = withValueAt(value, path, 'put');
          expect(JSON.stringify(value)).toBe(before);
          if (path.every((step) => typeof step === 'string')) expect(valueAt(changed, path)).toBe('put');
        },
      ),
    );
    expect(withValueAt({ a: [1, 2] }, ['a', 0], undefined)).toEqual({ a: [2] });
    expect(formatPointer(['a/b', '~', 0])).toBe('/a~1b/~0/0');
    expect(jsonEquals({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true);
  });
});

describe('field constraints', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 50 }, '1 to 50'],
    [{ type: 'number', minimum: 0 }, 'at least 0'],
    [
      { type: 'number', exclusiveMinimum: 0, maximum: 0.25, multipleOf: 0.05 },
      'at most 0.25, more than 0, in steps of 0.05',
    ],
    [{ type: 'string', minLength: 1, maxLength: 1_000_000 }, '1 to 1,000,000 characters'],
    [{ type: 'string', minLength: 0, maxLength: 20, pattern: '^[a-z]+$' }, 'at most 20 characters, like ^[a-z]+$'],
    [{ type: 'string', pattern: 'x'.repeat(100) }, ''],
    [{ type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true }, 'at most 3 entries, unique'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, minItems: 2, maxItems: 2 }, '2 entries'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, 'at least 1 entry'],
    [{ type: 'string', minLength: 1 }, 'at least 1 character'],
    [{ type: 'string', minLength: 1, maxLength: 1 }, '1 character'],
    [{ type: 'string', minLength: 0, maxLength: 1 }, 'at most 1 character'],
    [{ type: 'string' }, ''],
    [{ type: 'boolean' }, ''],
  ])('of %j: %s', (schema, message) => {
    expect(describeConstraints(buildFields(schema, undefined))).toBe(message);
  });
});

/** Reads the value back from a form field. */
function readField(field: Field): Json | undefined {
  switch (field.kind) {
    case 'text':
      return field.value === undefined ? undefined : field.text;
    case 'number':
      return typeof field.value === 'string' ? field.text : parseNumber(field.text);
    case 'choice':
      return field.options[field.index]?.value;
    case 'object':
      if (field.value === undefined && field.fields.every((each) => readField(each) === undefined)) return undefined;
      return Object.fromEntries(
        field.fields.flatMap((each) => {
          const value = readField(each);
          return value === undefined ? [] : [[String(each.path.at(-1)), value]];
        }),
      );
    case 'list':
      return field.value === undefined ? undefined : field.items.map((each) => readField(each) ?? null);
    case 'union':
      return readField(field.inner);
    case 'raw': {
      const read = parseJson(field.text);
      return 'problem' in read ? undefined : read.value;
    }
    default:
      return field.value;
  }
}
