import { describe, expect, it } from 'vitest';
import { promptSignature, toolSignature } from './signature.ts';

function signature(properties: object, more: object = {}): string {
  return toolSignature({ name: 'f', inputSchema: { type: 'object', properties, ...more } });
}

describe('the signature of a tool', () => {
  it.each([
    [{ a: { type: 'string' } }, 'f(a?: string)'],
    [{ a: { type: 'integer', default: 3 } }, 'f(a?: integer = 3)'],
    [{ a: { enum: ['x', 'y'] } }, 'f(a?: "x" | "y")'],
    [{ a: { const: 1 } }, 'f(a?: 1)'],
    [{ a: { type: ['string', 'null'] } }, 'f(a?: string | null)'],
    [{ a: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } }, 'f(a?: number | boolean)'],
    [{ a: { type: 'array', items: { type: 'string' } } }, 'f(a?: string[])'],
    [{ a: { type: 'array', items: { type: ['string', 'number'] } } }, 'f(a?: (string | number)[])'],
    [{ a: { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] } }, 'f(a?: { b: number })'],
    [{ a: { type: 'object' } }, 'f(a?: object)'],
    [{ a: true }, 'f(a?: any)'],
    [{}, 'f()'],
  ])('of %j is %s', (properties, expected) => {
    expect(signature(properties)).toBe(expected);
  });

  it('lists required arguments first', () => {
    const properties = { a: { type: 'string' }, b: { type: 'number' } };
    expect(signature(properties, { required: ['b'] })).toBe('f(b: number, a?: string)');
  });

  it('follows references within the schema, and stops at a cycle', () => {
    const $defs = { point: { type: 'object', properties: { x: { type: 'number' } } }, loop: { $ref: '#/$defs/loop' } };
    expect(signature({ p: { $ref: '#/$defs/point' } }, { $defs })).toBe('f(p?: { x?: number })');
    expect(signature({ p: { $ref: '#/$defs/loop' } }, { $defs })).toBe('f(p?: any)');
  });

  it('is truncated if a type contains itself', () => {
    const $defs = { tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' } } } };
    expect(signature({ t: { $ref: '#/$defs/tree' } }, { $defs })).toBe('f(t?: { left?: { left?: object } })');
  });

  it('shows the type of the result', () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    expect(toolSignature({ name: 'add', outputSchema })).toBe('add() -> { sum: number }');
  });

  it.each([undefined, null, 7, [], { properties: [] }, { properties: { a: null } }])(
    'can be made of the schema %j',
    (inputSchema) => {
      expect(toolSignature({ name: 'f', inputSchema })).toMatch(/^f\(.*\)$/);
    },
  );
});

describe('the signature of a prompt', () => {
  it('marks optional arguments', () => {
    const prompt = { name: 'review', arguments: [{ name: 'code', required: true }, { name: 'style' }] };
    expect(promptSignature(prompt)).toBe('review(code, style?)');
    expect(promptSignature({ name: 'plain' })).toBe('plain()');
  });
});

describe('a highly recursive schema', () => {
  const many = Array.from({ length: 1000 }, (_, index) => index);

  it.each([
    ['by its members', { type: 'object', properties: Object.fromEntries(many.map((i) => [`p${i}`, { $ref: '#' }])) }],
    [
      'by its alternatives',
      { type: 'object', properties: { a: { anyOf: many.map(() => ({ $ref: '#/properties/a' })) } } },
    ],
    ['by one alternative', { type: 'object', properties: { a: { anyOf: [{ $ref: '#/properties/a' }, {}] } } }],
  ])('%s is shown, truncated', (_, inputSchema) => {
    const text = toolSignature({ name: 'x', inputSchema });
    expect(text).toMatch(/^x\(/);
    expect(text.length).toBeLessThan(1_000_000);
  });

  it('of nested unions is truncated', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 100_000; level += 1) schema = { anyOf: [schema, { type: 'null' }] };
    expect(toolSignature({ name: 'x', inputSchema: { type: 'object', properties: { a: schema } } })).toContain('any');
  });
});
