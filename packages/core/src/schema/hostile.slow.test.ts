import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';

describe('a schema that is too much', () => {
  it('by thousands of references is refused when compiling it takes too long', async () => {
    const count = 3300;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const schema = compileSchema(
      {
        $defs: Object.fromEntries(numbers.map((n) => [`d${n}`, { $anchor: `a${n}`, type: 'string' }])),
        anyOf: numbers.map((n) => ({ $ref: `#a${n}` })),
      },
      { side: 'input' },
    );
    const message = "The input schema can't be used: it takes too long to compile";
    await schema.prepare({});
    expect(() => schema.check({})).toThrow(message);
    expect(() => schema.check({})).toThrow(message);
  });
});
