import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './infer.ts';
import { inspectSchema } from './inspect.ts';

const quick = { costly: false, patterned: false, namesInherited: false, marked: false };

function inspect(schema: unknown): ReturnType<typeof inspectSchema> {
  return inspectSchema(schema as JsonSchema);
}

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('a malformed schema', () => {
  it.each([
    [
      { type: 'strin' },
      '#/type must be one of string, number, integer, boolean, null, array, object, or a list of them',
    ],
    [{ type: [] }, '#/type must be one of'],
    [{ type: ['string', 'undefined'] }, '#/type must be one of'],
    [{ properties: 5 }, '#/properties must be an object of schemas, and is 5'],
    [{ properties: { a: 'string' } }, '#/properties/a must be a schema (an object, true or false), and is "string"'],
    [{ properties: { 'a/b': null } }, '#/properties/a~1b must be a schema'],
    [
      { properties: { a: { required: true } } },
      '#/properties/a/required must be a list of property names, and is true',
    ],
    [{ required: 'name' }, '#/required must be a list of property names'],
    [{ items: 'string' }, '#/items must be a schema or a list of schemas'],
    [{ prefixItems: {} }, '#/prefixItems must be a list of schemas'],
    [{ anyOf: [{ type: 'string' }, 3] }, '#/anyOf/1 must be a schema'],
    [{ not: [] }, '#/not must be a schema'],
    [{ pattern: '(' }, '#/pattern must be a regular expression, and is "("'],
    [{ pattern: '\\-' }, '#/pattern must be a regular expression'],
    [{ patternProperties: { '[': {} } }, '#/patternProperties must be named by regular expressions, and is "["'],
    [{ minimum: '1' }, '#/minimum must be a number'],
    [{ maximum: { $data: '1/a' } }, '#/maximum must be a number, and is {"$data":"1/a"}'],
    [{ exclusiveMinimum: true }, '#/exclusiveMinimum must be a number'],
    [{ multipleOf: 0 }, '#/multipleOf must be a number above 0'],
    [{ minLength: -1 }, '#/minLength must be a whole number, 0 or more'],
    [{ maxItems: 1.5 }, '#/maxItems must be a whole number'],
    [{ uniqueItems: 'yes' }, '#/uniqueItems must be true or false'],
    [{ enum: 'a' }, '#/enum must be a list'],
    [{ dependentRequired: { a: 'b' } }, '#/dependentRequired must be an object of lists of property names'],
    [{ dependencies: { a: 'b' } }, '#/dependencies/a must be a schema'],
    [{ description: 5 }, '#/description must be a string'],
    [{ $defs: { a: { type: 'x' } } }, '#/$defs/a/type must be one of'],
    [{ $id: 'http://[' }, '#/$id must be an address'],
    [{ required: ['a', 1] }, '#/required must be a list of property names'],
    [{ pattern: 5 }, '#/pattern must be a regular expression, and is 5'],
    [{ dependentRequired: 5 }, '#/dependentRequired must be an object of lists of property names, and is 5'],
    [{ dependentRequired: null }, '#/dependentRequired must be an object of lists of property names, and is null'],
    [{ dependentRequired: { a: ['b'], c: 5 } }, '#/dependentRequired must be an object of lists of property names'],
    [{ type: 'x'.repeat(81) }, `or a list of them, and is "${'x'.repeat(80)}"…`],
    [{ title: () => {} }, '#/title must be a string, and is function'],
  ])('%j is rejected with its path and what is allowed', (schema, message) => {
    const rejection = thrownBy(() => inspect(schema));
    expect(rejection).toBeInstanceOf(TypeError);
    expect(rejection.message).toMatch(/^it is not valid JSON Schema: #/);
    expect(rejection.message).toContain(message);
    expect(rejection.message.length).toBeLessThan(250);
  });

  it('is truncated in the error message', () => {
    const { message } = thrownBy(() => inspect({ title: Array.from({ length: 50 }, () => 1) }));
    expect(message).toBe(`it is not valid JSON Schema: #/title must be a string, and is [${'1,'.repeat(39)}1`);
  });

  it('may have unknown keywords, and keywords set to undefined', () => {
    expect(inspect({ 'x-order': 3, discriminator: { a: 1 }, minimum: undefined, properties: undefined })).toEqual(
      quick,
    );
  });

  it('is not detected in const or enum values', () => {
    expect(inspect({ const: { type: 'strin' }, enum: [{ $ref: 'http://x' }], default: { properties: 5 } })).toEqual(
      quick,
    );
  });

  it('is not detected in a property that is named like a keyword', () => {
    const properties = { type: { type: 'string' }, $ref: { type: 'string' }, pattern: { type: 'string' } };
    expect(inspect({ properties })).toEqual(quick);
  });
});

describe('references', () => {
  it('resolve to the document, to paths in it, to anchors and to embedded $id schemas', () => {
    const $defs = {
      plain: { type: 'string' },
      'a/b c': { type: 'string' },
      anchored: { $anchor: 'here' },
      embedded: { $id: 'https://example.com/embedded', $defs: { deep: { $anchor: 'deep' } } },
      relative: { $id: 'relative.json' },
      no: false,
    };
    for (const $ref of [
      '#/$defs/plain',
      '#/$defs/a~1b%20c',
      '#here',
      'https://example.com/embedded',
      'https://example.com/embedded#deep',
      'https://example.com/embedded#/$defs/deep',
      'relative.json',
      '#/$defs/no',
    ]) {
      expect(inspect({ properties: { a: { $ref } }, $defs })).toEqual(quick);
    }
  });

  it('resolve by $id as in draft-07', () => {
    expect(inspect({ definitions: { a: { $id: '#name' } }, items: { $ref: '#name' } })).toEqual(quick);
  });

  it('are relative to the nearest $id', () => {
    const inner = { $id: 'https://example.com/inner', $defs: { own: {} }, items: { $ref: '#/$defs/own' } };
    expect(inspect({ properties: { inner } })).toEqual(quick);
    const lost = { ...inner, items: { $ref: '#/$defs/outer' } };
    expect(() => inspect({ properties: { lost }, $defs: { outer: {} } })).toThrow('which is not there');
  });

  it('that do not resolve are rejected, since they would silently reject every value (S-B-15)', () => {
    expect(() => inspect({ items: { $ref: '#/$defs/missing' } })).toThrow(
      '#/items/$ref leads to "#/$defs/missing", which is not there',
    );
    expect(() => inspect({ $ref: '#/toString' })).toThrow('which is not there');
    expect(() => inspect({ $ref: '#anchor' })).toThrow('which is not there');
    expect(() => inspect({ title: 'a', items: { $ref: '#/title' } })).toThrow(
      '#/items/$ref must be a reference to a schema, and is "#/title"',
    );
    expect(() => inspect({ items: { $ref: '#undefined' } })).toThrow('which is not there');
    for (const keyword of ['$dynamicRef', '$recursiveRef']) {
      expect(() => inspect({ items: { [keyword]: '#/$defs/missing' } })).toThrow('which is not there');
    }
  });

  it('into unknown keywords resolve, and their target is inspected', () => {
    const components = { a: { type: 'string', pattern: '^a' }, b: { type: 'strin' } };
    expect(inspect({ $ref: '#/components/a', components })).toEqual({ ...quick, patterned: true });
    expect(() => inspect({ $ref: '#/components/b', components })).toThrow('it is not valid JSON Schema');
    const lost = { items: { $ref: '#/components/missing' } };
    expect(() => inspect({ $ref: '#/components/a', components: { a: lost } })).toThrow(
      '#/components/a/items/$ref leads to "#/components/missing", which is not there',
    );
  });

  it('may have a percent sign that encodes nothing', () => {
    expect(inspect({ items: { $ref: '#/$defs/100%' }, $defs: { '100%': {} } })).toEqual(quick);
  });

  it('that form a loop without descending into the value are rejected', () => {
    const endless = 'references that lead back to themselves';
    expect(() => inspect({ $ref: '#' })).toThrow(endless);
    expect(() => inspect({ anyOf: [{ type: 'null' }, { $ref: '#' }] })).toThrow(endless);
    const $defs = { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } };
    expect(() => inspect({ properties: { x: { $ref: '#/$defs/a' } }, $defs })).toThrow(endless);
  });

  it('may describe a tree, which makes the cost of a check unknown', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(inspect(tree)).toEqual({ ...quick, costly: true });
  });
});

describe('the estimated cost of a check', () => {
  it('is low for plain schemas and references that do not multiply', () => {
    expect(inspect({ properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/a' } }, $defs: { a: {} } })).toEqual(
      quick,
    );
  });

  it.each([
    { uniqueItems: true },
    { items: { $dynamicRef: '#a' }, $defs: { a: { $dynamicAnchor: 'a' } } },
    { items: { $recursiveRef: '#/$defs/a' }, $defs: { a: {} } },
  ])('is unknown for %j', (schema) => {
    expect(inspect(schema).costly).toBe(true);
  });

  it.each([
    { properties: { a: { pattern: 'a' } } },
    { anyOf: [{ patternProperties: { a: true } }] },
    { $defs: { a: { items: { pattern: 'a' } } } },
  ])('depends on regular expressions for %j', (schema) => {
    expect(inspect(schema)).toEqual({ ...quick, patterned: true });
  });

  it('is low for up to 50 regular expressions, also behind references', () => {
    const many = (count: number) => ({ prefixItems: Array.from({ length: count }, () => ({ pattern: 'a' })) });
    expect([inspect(many(50)).costly, inspect(many(51)).costly]).toEqual([false, true]);
    const named = (count: number) => ({
      patternProperties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, true])),
    });
    expect([inspect(named(50)).costly, inspect(named(51)).costly]).toEqual([false, true]);
    const referring = (count: number) => ({
      allOf: Array.from({ length: count }, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: { pattern: 'a' } },
    });
    expect([inspect(referring(24)).costly, inspect(referring(25)).costly]).toEqual([false, true]);
  });

  it('is low for up to 50 schemas that apply to many elements', () => {
    const wide = (count: number) => ({ anyOf: Array.from({ length: count - 1 }, () => ({})) });
    const keywords = ['items', 'additionalItems', 'unevaluatedItems', 'contains', 'propertyNames'];
    for (const keyword of [...keywords, 'additionalProperties', 'unevaluatedProperties']) {
      const costs = [50, 51].map((count) => inspect({ allOf: [{ [keyword]: wide(count) }, wide(300)] }).costly);
      expect([keyword, ...costs]).toEqual([keyword, false, true]);
    }
    expect([50, 51].map((count) => inspect({ patternProperties: { a: wide(count) } }).costly)).toEqual([false, true]);
    const referring = (count: number) => ({
      items: { allOf: Array.from({ length: count }, () => ({ $ref: '#/$defs/a' })) },
    });
    const $defs = { a: {} };
    expect([23, 25].map((count) => inspect({ ...referring(count), $defs }).costly)).toEqual([false, true]);
  });

  it('is low for up to 1000 names', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    const named = (count: number) => ({ properties: Object.fromEntries(names(count).map((name) => [name, true])) });
    expect([1000, 1001].map((count) => inspect(named(count)).costly)).toEqual([false, true]);
    expect([1000, 1001].map((count) => inspect({ required: names(count) }).costly)).toEqual([false, true]);
    const depending = (count: number) => ({ dependentRequired: { a: names(500), b: names(count) } });
    expect([500, 501].map((count) => inspect(depending(count)).costly)).toEqual([false, true]);
  });

  it('is low for up to 1000 enum values', () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => index);
    const chosen = (count: number) => ({ allOf: [{ enum: values(500) }, { items: { enum: values(count) } }] });
    expect([inspect(chosen(500)).costly, inspect(chosen(501)).costly]).toEqual([false, true]);
  });

  it('is low without uniqueItems', () => {
    expect(inspect({ uniqueItems: false })).toEqual(quick);
  });

  it('is low for a few nested unions', () => {
    let schema: unknown = { $ref: '#/$defs/a' };
    for (let i = 0; i < 20; i += 1) schema = { allOf: [schema] };
    expect(inspect({ anyOf: [schema], $defs: { a: {} } })).toEqual(quick);
  });

  it('is low for up to 500 schemas, counting each resolved reference', () => {
    const wide = (count: number) => ({ allOf: Array.from({ length: count - 1 }, () => ({})) });
    expect(inspect(wide(500)).costly).toBe(false);
    expect(inspect(wide(501)).costly).toBe(true);
    const referring = (count: number) => ({
      prefixItems: [{}, ...Array.from({ length: count }, () => ({ $ref: '#/$defs/a' }))],
      $defs: { a: {} },
    });
    expect(inspect(referring(249)).costly).toBe(false);
    expect(inspect(referring(250)).costly).toBe(true);
  });

  it('is unknown if references double at each step', () => {
    const doubling = (steps: number): unknown => {
      const $defs: Record<string, unknown> = { [`d${steps}`]: {} };
      for (let i = 0; i < steps; i += 1) {
        $defs[`d${i}`] = { oneOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
      }
      return { $ref: '#/$defs/d0', $defs };
    };
    expect(inspect(doubling(3)).costly).toBe(false);
    expect(inspect(doubling(25)).costly).toBe(true);
  });
});

describe('limits', () => {
  it('allow 64 levels and no more', () => {
    const nested = (levels: number): unknown => (levels === 1 ? {} : { items: nested(levels - 1) });
    expect(inspect(nested(64))).toEqual({ ...quick, costly: true });
    expect(() => inspect(nested(65))).toThrow('it is nested deeper than 64 levels');
    expect(() => inspect(nested(5000))).toThrow('it is nested deeper than 64 levels');
  });

  it('allow 10 000 subschemas and no more', () => {
    const wide = (count: number): unknown => ({ allOf: Array.from({ length: count }, () => ({})) });
    expect(inspect(wide(9999)).costly).toBe(true);
    expect(() => inspect(wide(10_000))).toThrow('it has more than 10000 subschemas');
  });

  it('apply to a schema object that contains itself', () => {
    const self: Record<string, unknown> = {};
    self.items = self;
    expect(() => inspect(self)).toThrow('it is nested deeper than 64 levels');
    const twice: Record<string, unknown> = {};
    twice.allOf = [twice, twice];
    expect(() => inspect(twice)).toThrow('it is');
  });
});

describe('an x-mcp-header keyword', () => {
  it('is detected in every subschema', () => {
    const marked = { type: 'string', 'x-mcp-header': 'A' };
    expect(inspect({ properties: { a: { properties: { b: marked } } } })).toEqual({ ...quick, marked: true });
    expect(inspect({ $defs: { a: { anyOf: [marked] } } }).marked).toBe(true);
    expect(inspect({ properties: { 'x-mcp-header': { type: 'string' } } }).marked).toBe(false);
  });
});

describe('names that objects inherit', () => {
  it('are detected as keywords', () => {
    expect(inspect({ properties: { toString: {} } }).namesInherited).toBe(true);
    expect(inspect({ items: { required: ['valueOf'] } }).namesInherited).toBe(true);
    expect(inspect({ required: ['valueOf', 'name'], properties: { name: {} } }).namesInherited).toBe(true);
    expect(inspect({ $defs: { toString: {} }, patternProperties: { valueOf: {} } }).namesInherited).toBe(false);
    expect(inspect(JSON.parse('{"properties":{"__proto__":{}}}')).namesInherited).toBe(true);
  });
});

describe('a value that is nested too deeply to be listed', () => {
  const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;

  it.each([
    ['default', { default: deep }],
    ['const', { const: deep }],
    ['enum', { enum: [deep] }],
    ['examples', { examples: [deep] }],
    ['a keyword that nobody knows', { 'x-mine': deep }],
  ])('is rejected: %s', (_, schema) => {
    expect(() => inspect(schema)).toThrow('a value in it is nested deeper than 1000 levels');
    expect(() => inspect({ properties: { a: schema } })).toThrow('a value in it is nested deeper than 1000 levels');
  });

  it.each([{ minLength: deep }, { type: deep }, { $ref: deep }, { items: { not: deep } }])(
    'is rejected where something else belongs, case %#',
    (schema) => {
      expect(() => inspect(schema)).toThrow(/and is (nested too deeply to be shown|\[{80})$/);
    },
  );
});
