// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JsonSchema } from './infer.ts';
import { formatProblems } from './problems.ts';

async function said(schema: JsonSchema, value: unknown): Promise<string[]> {
  const checked = await compileSchema(schema, { side: 'output' }).check(value);
  return checked.ok ? [] : formatProblems(checked.problems).split('\n');
}

describe('the explanation of one error', () => {
  it.each<[JsonSchema, unknown, string]>([
    [{ type: 'string' }, 1, 'expected string, got number'],
    [{ type: ['string', 'null'] }, [], 'expected string or null, got array'],
    [{ type: ['string', 'number', 'null'] }, {}, 'expected string, number or null, got object'],
    [{ type: 'object' }, null, 'expected object, got null'],
    [{ type: 'integer' }, 1.5, 'expected integer, got 1.5'],
    [{ type: 'integer' }, '1', 'expected integer, got string'],
    [{ type: 'number' }, JSON.parse('1e400'), 'expected number, got Infinity'],
    [{ enum: ['a', 1, null] }, 'b', 'must be one of "a", 1, null, got "b"'],
    [{ const: 'a' }, 'b', 'must be "a", got "b"'],
    [{ const: { a: 1 } }, [], 'must be {"a":1}, got array'],
    [{ const: 1 }, { toString: false }, 'must be 1, got object'],
    [{ format: 'email' }, 'nobody', 'must be in "email" format, got "nobody"'],
    [{ pattern: '^a' }, 'b', 'must match the pattern ^a, got "b"'],
    [{ minimum: 1 }, 0, 'must be at least 1, got 0'],
    [{ maximum: 1 }, 2, 'must be at most 1, got 2'],
    [{ exclusiveMinimum: 1 }, 1, 'must be more than 1, got 1'],
    [{ exclusiveMaximum: 1 }, 1, 'must be less than 1, got 1'],
    [{ multipleOf: 5 }, 7, 'must be a multiple of 5, got 7'],
    [{ minLength: 1 }, '', 'must have at least 1 character, got 0'],
    [{ maxLength: 2 }, '💡💡💡', 'must have at most 2 characters, got 3'],
    [{ minItems: 2 }, [1], 'must have at least 2 items, got 1'],
    [{ maxItems: 1 }, [1, 2], 'must have at most 1 item, got 2'],
    [{ minProperties: 2 }, { a: 1 }, 'must have at least 2 properties, got 1'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 properties, got 2'],
    [{ uniqueItems: true }, [1, 2, 1], 'must not have equal items ([2])'],
    [{ contains: { type: 'string' } }, [1], 'must have at least 1 item matching {"type":"string"}'],
    [{ contains: { const: 1 }, maxContains: 2 }, [1, 1, 1], 'must have 1 to 2 items matching {"const":1}'],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], 'must not have more items ([1])'],
    [{ not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, 'must not match {"required":["a","b"]}'],
    [
      { oneOf: [{ minimum: 1 }, true, { minimum: 2 }] },
      5,
      'matches more than one of the allowed forms ([0], [1], [2])',
    ],
    [{ properties: { a: false } }, { a: 1 }, 'a: is not allowed'],
    [{ prefixItems: [true], items: false }, [1, 2], '[1]: is not allowed'],
    [{ required: ['a'] }, {}, 'a: is required'],
    [{ dependentRequired: { a: ['b', 'c'] } }, { a: 1, b: 1 }, 'c: is required when "a" is there'],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, 'b: is required when "a" is there'],
    [
      { propertyNames: { pattern: '^[a-z]+$' } },
      { A: 1 },
      'A: as a property name, must match the pattern ^[a-z]+$, got "A"',
    ],
    [{ propertyNames: { enum: ['a'] } }, { b: 1 }, 'b: as a property name, must be "a", got "b"'],
  ])('of %j against %j', async (schema, value, sentence) => {
    expect(await said(schema, value)).toEqual([sentence]);
  });

  it('lists at most 20 allowed values', async () => {
    const values = Array.from({ length: 25 }, (_, index) => index);
    const [sentence] = await said({ enum: values }, 'x');
    expect(sentence).toBe(`must be one of ${values.slice(0, 20).join(', ')} and 5 more, got "x"`);
  });

  it('truncates the value to 80 characters', async () => {
    const [sentence] = await said({ const: 'a' }, 'x'.repeat(200));
    expect(sentence).toBe(`must be "a", got "${'x'.repeat(80)}"…`);
  });
});

describe('several errors', () => {
  it('are all reported, each with its path', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: 'integer', minimum: 0 },
        items: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
      required: ['name', 'age'],
    };
    expect(await said(schema, { name: 1, items: [{ name: 'a' }, {}, { name: null }] })).toEqual([
      'age: is required',
      'name: expected string, got number',
      'items[1].name: is required',
      'items[2].name: expected string, got null',
    ]);
  });

  it('with one cause are one problem', async () => {
    expect(await said({ type: 'string', enum: ['a', 'b'] }, 1)).toEqual(['must be one of "a", "b", got 1']);
    expect(await said({ allOf: [{ required: ['a'] }, { required: ['a'] }] }, {})).toEqual(['a: is required']);
    const scores = { properties: { scores: { additionalProperties: { type: 'number' } } } };
    expect(await said(scores, { scores: { x: 'high' } })).toEqual(['scores.x: expected number, got string']);
    const open = { properties: { a: true }, unevaluatedProperties: { type: 'number' } };
    expect(await said(open, { a: 1, b: 'x' })).toEqual(['b: expected number, got string']);
  });
});

describe('an error at one location', () => {
  it('does not hide an error at another location or of another schema', async () => {
    const list = { items: { type: 'string', enum: ['x', 1] } };
    expect(await said(list, [1, 'y'])).toEqual([
      '[0]: expected string, got number',
      '[1]: must be one of "x", 1, got "y"',
    ]);
    expect(await said({ allOf: [{ type: 'string' }, { enum: ['x'] }] }, 1)).toEqual([
      'expected string, got number',
      'must be "x", got 1',
    ]);
  });

  it('in the type is not reported if a single value is allowed', async () => {
    expect(await said({ type: 'string', const: 'a' }, 1)).toEqual(['must be "a", got 1']);
  });

  it('in a property name is reported for that name only', async () => {
    expect(await said({ propertyNames: { maxLength: 1 } }, { aa: 1, b: 1, ccc: 1 })).toEqual([
      'aa: as a property name, must have at most 1 character, got 2',
      'ccc: as a property name, must have at most 1 character, got 3',
    ]);
  });

  it('is reported inside an embedded schema with its own $id', async () => {
    const embedded = {
      $id: 'https://example.com/embedded',
      if: { required: ['a'] },
      then: { required: ['b'] },
      properties: { inner: { properties: { name: true }, additionalProperties: false } },
    };
    const schema = { properties: { x: { $ref: 'https://example.com/embedded' } }, $defs: { embedded } };
    expect(await said(schema, { x: { a: 1, b: 1 } })).toEqual([]);
    expect(await said(schema, { x: { a: 1 } })).toEqual(['x: does not match the schema ("if")']);
    expect(await said(schema, { x: { inner: { nam: 1 } } })).toEqual(['x.inner: unknown property "nam"']);
  });
});

describe('a huge number of errors', () => {
  const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
  const many = Object.fromEntries(names.map((name) => [name, 1]));

  async function problems(schema: JsonSchema, value: unknown): Promise<{ path: string; message: string }[]> {
    const checked = await compileSchema(schema, { side: 'output' }).check(value);
    return checked.ok ? [] : checked.problems;
  }

  it('is reported up to 200', async () => {
    expect(await problems({ required: names }, {})).toEqual(
      names.slice(0, 200).map((name) => ({ path: `/${name}`, message: 'is required' })),
    );
    expect(await problems({ unevaluatedProperties: false }, many)).toEqual(
      names.slice(0, 200).map((name) => ({ path: '', message: `unknown property "${name}"` })),
    );
  });

  it('in unknown properties has a path and a suggestion each', async () => {
    const closed = { properties: { name: true }, additionalProperties: false };
    const found = await problems({ properties: { in: closed } }, { in: { nam: 1, ...many } });
    expect(found).toHaveLength(200);
    expect(found[0]).toEqual({ path: '/in', message: 'unknown property "nam" (did you mean "name"?)' });
    expect(found[1]).toEqual({ path: '/in', message: 'unknown property "p0"' });
    expect(await problems({ additionalProperties: false }, { 'a/b': 1, ...many })).toContainEqual({
      path: '',
      message: 'unknown property "a/b"',
    });
  });
});

describe('an unknown property', () => {
  const schema = { properties: { name: true, description: true }, additionalProperties: false };

  it('is reported with the closest known name', async () => {
    expect(await said(schema, { nam: 1 })).toEqual(['unknown property "nam" (did you mean "name"?)']);
    expect(await said(schema, { city: 1 })).toEqual(['unknown property "city"']);
    expect(await said({ items: schema }, [{ desciption: 1 }])).toEqual([
      '[0]: unknown property "desciption" (did you mean "description"?)',
    ]);
  });

  it('is reported behind references and with unevaluatedProperties', async () => {
    const referring = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/b' }, b: schema } };
    expect(await said(referring, { a: { nam: 1 } })).toEqual(['a: unknown property "nam" (did you mean "name"?)']);
    const { properties } = schema;
    expect(await said({ properties, unevaluatedProperties: false }, { nam: 1 })).toEqual([
      'unknown property "nam" (did you mean "name"?)',
    ]);
  });

  it('is compared with the names of its own schema only', async () => {
    expect(await said({ properties: { name: true, in: { additionalProperties: false } } }, { in: { nam: 1 } })).toEqual(
      ['in: unknown property "nam"'],
    );
  });

  it('called __proto__ is reported like any other', async () => {
    expect(await said(schema, JSON.parse('{"__proto__":{"a":1}}'))).toEqual(['unknown property "__proto__"']);
  });
});

describe('if, then and else', () => {
  const schema = {
    if: { properties: { kind: { const: 'file' } }, required: ['kind'] },
    then: { required: ['path'], properties: { path: { type: 'string' } } },
    else: { $ref: '#/$defs/named' },
    $defs: { named: { required: ['name'] } },
  };

  it('are explained by the errors of the branch that applies', async () => {
    expect(await said(schema, { kind: 'file' })).toEqual(['path: is required']);
    expect(await said(schema, { kind: 'file', path: 1 })).toEqual(['path: expected string, got number']);
    expect(await said(schema, { kind: 'other' })).toEqual(['name: is required']);
    const { $defs, ...item } = schema;
    expect(await said({ items: item, $defs }, [{ kind: 'file' }, {}])).toEqual([
      '[0].path: is required',
      '[1].name: is required',
    ]);
  });

  it('are explained if nothing is allowed', async () => {
    expect(await said({ if: { type: 'string' }, then: false }, 'a')).toEqual(['is not allowed']);
    expect(await said({ if: { type: 'string' }, else: false }, 1)).toEqual(['is not allowed']);
  });
});

describe('a value that matches no branch of a union', () => {
  const circle = {
    type: 'object',
    properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
    required: ['kind', 'radius'],
  };
  const square = {
    type: 'object',
    properties: { kind: { const: 'square' }, side: { type: 'number' } },
    required: ['kind', 'side'],
  };
  const shape = { properties: { shape: { oneOf: [circle, square, { type: 'null' }] } } };

  it('is explained by the allowed types', async () => {
    expect(await said({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1)).toEqual([
      'expected string or null, got number',
    ]);
    expect(await said(shape, { shape: 'round' })).toEqual(['shape: expected object or null, got string']);
  });

  it('is explained by the allowed values', async () => {
    const titled = {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    };
    expect(await said(titled, 'c')).toEqual(['must be one of "a", "b", got "c"']);
    const mixed = { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { const: null }, { enum: [true] }] };
    expect(await said(mixed, [])).toEqual(['expected string, number, null or true, got array']);
  });

  it('is explained by the branch that its discriminator selects', async () => {
    expect(await said(shape, { shape: { kind: 'circle' } })).toEqual(['shape.radius: is required']);
    expect(await said(shape, { shape: { kind: 'square', side: 'long' } })).toEqual([
      'shape.side: expected number, got string',
    ]);
  });

  it('is explained by the allowed values of the discriminator', async () => {
    expect(await said({ oneOf: [circle, square] }, { kind: 'triangle' })).toEqual([
      'kind: must be one of "circle", "square", got "triangle"',
    ]);
  });

  it('is explained by errors common to all branches', async () => {
    expect(await said({ oneOf: [circle, square] }, {})).toEqual(['kind: is required']);
  });

  it('is explained by the branch of its type', async () => {
    const list = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    expect(await said(list, ['a', 1])).toEqual(['[1]: expected string, got number']);
  });

  it('is explained by some branches if none is likelier', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => index);
    expect(await said({ anyOf: [{ enum: many }, { enum: ['x'] }] }, 'y')).toEqual([
      expect.stringMatching(/^must be one of 0, 1, 2, .* got "y"$/),
    ]);
    const forms = { anyOf: ['a', 'b', 'c', 'd'].map((name) => ({ type: 'object', required: [name] })) };
    expect(await said(forms, {})).toEqual([
      'is none of the allowed forms: (1) a: is required; (2) b: is required; (3) c: is required; …',
    ]);
  });

  it('is explained by the allowed values, also if they have types', async () => {
    const typed = ['a', 'b'].map((value) => ({ type: 'string', const: value }));
    expect(await said({ anyOf: typed }, 1)).toEqual(['must be one of "a", "b", got 1']);
  });

  it('is explained by the types of a nested union', async () => {
    const inner = { oneOf: [{ type: 'string' }, { type: 'number' }] };
    expect(await said({ anyOf: [inner, { type: 'null' }] }, [])).toEqual([
      'expected string, number or null, got array',
    ]);
  });

  it('is explained by too many matching branches of a nested union', async () => {
    const greedy = { oneOf: [{ minimum: 1 }, { minimum: 2 }] };
    expect(await said({ anyOf: [greedy, { type: 'null' }] }, 5)).toEqual([
      'matches more than one of the allowed forms ([0], [1])',
    ]);
  });

  it('is explained by the nested union that fails', async () => {
    const inside = { type: 'object', properties: { p: { anyOf: [{ type: 'string' }, { type: 'null' }] } } };
    expect(await said({ anyOf: [inside, { type: 'string' }] }, { p: 1 })).toEqual([
      'p: expected string or null, got number',
    ]);
  });

  it('is explained by the right branch also among more than ten', async () => {
    const strings = Array.from({ length: 10 }, () => ({ type: 'string' }));
    expect(await said({ anyOf: [...strings, { type: 'object', required: ['a'] }] }, {})).toEqual(['a: is required']);
  });

  it('is explained by all branches if each fails for its own reason', async () => {
    const marked = { type: 'object', properties: { kind: { const: 'a' } } };
    expect(await said({ anyOf: [{ type: 'string' }, marked] }, { kind: 'b' })).toEqual([
      'is none of the allowed forms: (1) expected string, got object; (2) kind: must be "a", got "b"',
    ]);
    const odd = { type: 'object', items: { type: 'string' } };
    expect(await said({ anyOf: [odd, { type: 'null' }] }, [1])).toEqual([
      'is none of the allowed forms: (1) expected object, got array; (2) expected null, got array',
    ]);
  });

  it('is explained by a discriminator property with one allowed value per branch', async () => {
    const forms = [circle, square].map((form) => ({
      ...form,
      properties: { ...form.properties, kind: { enum: [form.properties.kind.const] } },
    }));
    expect(await said({ oneOf: forms }, { kind: 'circle' })).toEqual(['radius: is required']);
    const sizes = [['s', 'm'], ['l']].map((size) => ({ properties: { size: { enum: [...size, 'any'] } } }));
    expect(await said({ anyOf: sizes }, { size: 'q' })).toEqual([
      'is none of the allowed forms: (1) size: must be one of "s", "m", "any", got "q"; ' +
        '(2) size: must be one of "l", "any", got "q"',
    ]);
    const deep = [1, 2].map((v) => ({ properties: { meta: { properties: { v: { const: v } } } } }));
    expect(await said({ anyOf: deep }, { meta: { v: 3 } })).toEqual([
      'is none of the allowed forms: (1) meta.v: must be 1, got 3; (2) meta.v: must be 2, got 3',
    ]);
    expect(await said({ anyOf: [{ const: 1 }, { type: 'object', required: ['a'] }] }, {})).toEqual([
      'is none of the allowed forms: (1) must be 1, got object; (2) a: is required',
    ]);
  });

  it('is explained by the discriminator in any order of the branches', async () => {
    const first = { properties: { kind: { const: 'a' }, n: { const: 1 } } };
    const second = { properties: { n: { const: 2 }, kind: { const: 'b' } } };
    expect(await said({ anyOf: [first, second] }, { kind: 'c', n: 3 })).toEqual([
      'kind: must be one of "a", "b", got "c"',
    ]);
  });

  it('is explained by the first error of up to three branches', async () => {
    const forms = ['a', 'b', 'c', 'd'].map((name) => ({ required: [name, `${name}2`] }));
    const reasons = (count: number) => said({ anyOf: forms.slice(0, count) }, {});
    expect(await reasons(2)).toEqual(['is none of the allowed forms: (1) a: is required; (2) b: is required']);
    expect(await reasons(3)).toEqual([
      'is none of the allowed forms: (1) a: is required; (2) b: is required; (3) c: is required',
    ]);
    expect(await reasons(4)).toEqual([
      'is none of the allowed forms: (1) a: is required; (2) b: is required; (3) c: is required; …',
    ]);
  });

  it('is explained for each list item separately', async () => {
    expect(await said({ items: { oneOf: [circle, square] } }, [{ kind: 'circle' }, { kind: 'square' }])).toEqual([
      '[0].radius: is required',
      '[1].side: is required',
    ]);
  });
});

describe('any schema and value', () => {
  const name = fc.constantFrom('a', 'b', 'toString', '__proto__', 'x/y');
  const small = fc.integer({ min: 0, max: 3 });
  const { schema: anySchema } = fc.letrec<{ schema: JsonSchema; sub: JsonSchema | boolean }>((tie) => ({
    sub: fc.oneof({ maxDepth: 1 }, fc.boolean(), tie('schema')),
    schema: fc.record(
      {
        type: fc.constantFrom('string', 'number', 'integer', 'null', 'array', 'object', ['string', 'null']),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }),
        minimum: small,
        maxLength: small,
        minItems: small,
        required: fc.uniqueArray(name, { maxLength: 2 }),
        properties: fc.dictionary(name, tie('sub'), { maxKeys: 2 }),
        additionalProperties: tie('sub'),
        unevaluatedProperties: tie('sub'),
        propertyNames: tie('sub'),
        items: tie('sub'),
        contains: tie('sub'),
        anyOf: fc.array(tie('sub'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('sub'), { minLength: 1, maxLength: 3 }),
        not: tie('sub'),
        if: tie('sub'),
        then: tie('sub'),
        else: tie('sub'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }));
  const anyValue = fc.oneof(fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })), fc.jsonValue({ maxDepth: 3 }));

  it('a rejected value gets an error message', async () => {
    const isExplained = fc.asyncProperty(anySchema, anyValue, async (schema, value) => {
      const checked = await compileSchema(schema, { side: 'output' }).check(value);
      return checked.ok || formatProblems(checked.problems) !== '';
    });
    await expect(fc.assert(isExplained, { numRuns: 150 })).resolves.toBeUndefined();
  });
});
