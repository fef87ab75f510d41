import { describe, expect, it } from 'vitest';
import { withDefaults } from './form-defaults.ts';

describe('the defaults of a form', () => {
  it('fill in what was left out, and nothing that was given', () => {
    const properties = {
      a: { default: 1 },
      b: { default: null },
      c: { default: 3 },
      d: {},
      e: true,
      toString: { default: 4 },
    };
    expect(withDefaults({ properties }, { a: undefined, c: null, x: 9 })).toStrictEqual({
      a: 1,
      b: null,
      c: null,
      x: 9,
      toString: 4,
    });
  });

  it('are none where the form has no fields', () => {
    expect(withDefaults({}, { a: 1 })).toStrictEqual({ a: 1 });
    expect(withDefaults({ properties: 7 }, {})).toStrictEqual({});
  });
});
