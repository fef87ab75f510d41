import { describe as group, expect, it } from 'vitest';
import { describeFault, describeTypes, describeValues, type Fault, formatValue } from './describe.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A fault of the validator, at the root. */
function faultOf(keyword: string, params: object = {}): Fault {
  return { keyword, params, schemaPath: '#', instancePath: '', message: '' } as unknown as Fault;
}

group('a fault in words', () => {
  it('lists at most 20 locations', () => {
    const places = numbers(30);
    const first20 = places.slice(0, 20).map((place) => `[${place}]`);
    expect(describeFault(faultOf('uniqueItems', { duplicateItems: places }), [])).toBe(
      `must not have equal items (${first20.join(', ')})`,
    );
    expect(describeFault(faultOf('unevaluatedItems', { unevaluatedItems: places }), [])).toBe(
      `must not have more items (${first20.join(', ')})`,
    );
  });

  it('describes a value of unknown schema', () => {
    expect(describeFault(faultOf('contains', { minContains: 1 }), [])).toBe(
      'must have at least 1 item matching the schema',
    );
    expect(describeFault(faultOf('not'), 1)).toBe('must not match the schema');
  });

  it('names the keyword if it has no better description', () => {
    expect(describeFault(faultOf('if', { failingKeyword: 'then' }), 1)).toBe('does not match the schema ("if")');
  });

  it('truncates a pattern to 200 characters', () => {
    const said = (length: number) => describeFault(faultOf('pattern', { pattern: 'x'.repeat(length) }), 'y');
    expect(said(200)).toBe(`must match the pattern ${'x'.repeat(200)}, got "y"`);
    expect(said(201)).toBe(`must match the pattern ${'x'.repeat(200)}…, got "y"`);
  });
});

group('what would do', () => {
  it('lists at most 20 types, without duplicates', () => {
    const types = numbers(25).map((number) => `t${number}`);
    expect(describeTypes(types, 1)).toBe(`expected ${types.slice(0, 19).join(', ')} or t19, got number`);
    expect(describeTypes(['string', 'null', 'string'], 1)).toBe('expected string or null, got number');
  });

  it('lists at most 20 values', () => {
    expect(describeValues(numbers(20), 'x')).toBe(`must be one of ${numbers(20).join(', ')}, got "x"`);
    expect(describeValues(numbers(21), 'x')).toBe(`must be one of ${numbers(20).join(', ')} and 1 more, got "x"`);
  });

  it('formats a value as JSON, truncated to 80 characters', () => {
    expect(formatValue({ a: [null] })).toBe('{"a":[null]}');
    expect(formatValue('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
    expect(formatValue('x'.repeat(79))).toBe(`"${'x'.repeat(79)}…`);
  });
});
