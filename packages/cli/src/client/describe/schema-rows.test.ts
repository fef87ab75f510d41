import { describe, expect, it } from 'vitest';
import { type SchemaRow, schemaRows } from './schema-rows.ts';

function rows(properties: object, more: object = {}): SchemaRow[] {
  return schemaRows({ type: 'object', properties, ...more });
}

/** The description of the only member. */
function about(member: object): string[] {
  return rows({ a: member })[0]?.about ?? [];
}

describe('the description of a member', () => {
  it.each<[object, string[]]>([
    [{ type: 'string', description: 'Who\nor what' }, ['Who', 'or what']],
    [{ type: 'string', title: 'Name', description: 'Who' }, ['Name', 'Who']],
    [{ type: 'string', minLength: 1, maxLength: 9 }, ['at least 1, at most 9 characters']],
    [{ type: 'array', minItems: 2, uniqueItems: true }, ['at least 2 items', 'no item twice']],
    [
      { type: 'number', minimum: 0, exclusiveMaximum: 1, multipleOf: 0.5 },
      ['at least 0', 'less than 1', 'a multiple of 0.5'],
    ],
    [{ type: 'number', exclusiveMinimum: 3 }, ['more than 3']],
    [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
    [{ type: 'string', pattern: '^a+$', format: 'uri' }, ['format: uri', 'matches ^a+$']],
    [
      { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      ['contains image/png', 'encoded as base64'],
    ],
    [{ type: 'boolean', default: false, deprecated: true }, ['default: false', 'deprecated']],
    [{ type: 'string', examples: ['x', 'y'] }, ['for example "x", "y"']],
    [{ type: 'object', minProperties: 1 }, ['at least 1 member']],
    [{ const: 7 }, ['always 7']],
    [{ oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] }, ['one of "a" (First), "b"']],
    [{ type: 'string' }, []],
  ])('of %j is %j', (member, expected) => {
    expect(about(member)).toEqual(expected);
  });

  it('lists all values of an enumeration', () => {
    const values = Array.from({ length: 40 }, (_, index) => `v${index}`);
    expect(about({ enum: values })).toEqual([`one of ${values.map((value) => `"${value}"`).join(', ')}`]);
    expect(rows({ a: { enum: ['x', 1, null] } })[0]?.type).toBe('string | number | null');
  });
});

describe('the members of a schema', () => {
  it('are listed with all nested members', () => {
    const where = {
      type: 'object',
      properties: { x: { type: 'number' }, names: { type: 'array', items: { type: 'string', minLength: 2 } } },
      required: ['x'],
    };
    const days = { type: 'array', items: { type: 'object', properties: { day: { type: 'string' } } } };
    expect(
      rows({ where, days }, { required: ['days'] }).map(({ path, type, isRequired }) => [path, type, isRequired]),
    ).toEqual([
      ['where', 'object', false],
      ['where.x', 'number', true],
      ['where.names', 'string[]', false],
      ['where.names[]', 'string', false],
      ['days', 'object[]', true],
      ['days[].day', 'string', false],
    ]);
  });

  it('are resolved through references, unions, allOf, tuples and pattern properties', () => {
    const $defs = { point: { type: 'object', description: 'A point', properties: { x: { type: 'number' } } } };
    const found = rows(
      {
        ref: { $ref: '#/$defs/point', description: 'Where' },
        either: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'object', properties: { y: { type: 'string' } } }] },
        both: { allOf: [{ $ref: '#/$defs/point' }, { properties: { z: { type: 'null' } }, required: ['z'] }] },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
      { $defs },
    );
    expect(found.map(({ path, type }) => `${path}: ${type}`)).toEqual([
      'ref: object',
      'ref.x: number',
      'either: object',
      'either.x: number',
      'either.y: string',
      'both: object',
      'both.x: number',
      'both.z: null',
      'pair: any[]',
      'pair[0]: string',
      'pair[1]: number',
      'map: object',
      'map.*: boolean',
    ]);
    expect(found[0]?.about).toEqual(['Where']);
    expect(found.find(({ path }) => path === 'both.z')?.isRequired).toBe(true);
  });

  it('are truncated for a recursive schema, and above a maximum', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, value: { type: 'number' } } };
    expect(schemaRows(tree).map(({ path }) => path)).toEqual(['left', 'value']);
    const many = Array.from({ length: 1000 }, (_, index) => [
      `p${index}`,
      { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    ]);
    expect(schemaRows({ type: 'object', properties: Object.fromEntries(many) }).length).toBe(500);
    let deep: object = { type: 'string' };
    for (let level = 0; level < 10_000; level += 1) deep = { type: 'object', properties: { a: deep } };
    expect(schemaRows(deep as Record<string, unknown>).length).toBeLessThan(20);
  });

  it.each([undefined, null, 7, [], 'x', { properties: { a: null } }, { anyOf: [null] }, { items: 7 }])(
    'can be made of anything a server sends: %j',
    (member) => {
      expect(rows({ a: member }).length).toBeGreaterThan(0);
    },
  );
});
