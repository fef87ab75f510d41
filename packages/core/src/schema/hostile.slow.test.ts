import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';

describe('a catastrophic regular expression', () => {
  it('takes little CPU time from other callers when it is used repeatedly', async () => {
    // Runs against it would take longer than the sun will shine.
    const endless = `${'a'.repeat(60)}!`;
    const schema = compileSchema({ pattern: '^(a+)+\\1$' }, { side: 'output' });
    await schema.prepare(endless);
    const before = process.cpuUsage();
    const problems = [{ path: '', message: 'took too long to check' }];
    for (let count = 0; count < 100; count += 1) expect(await schema.check(endless)).toEqual({ ok: false, problems });
    expect(await schema.check('aa')).toEqual({ ok: true, value: 'aa' });
    const { user, system } = process.cpuUsage(before);
    // A hundred times 100 ms without a limit for all of them.
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});

describe('an excessive schema', () => {
  it('with thousands of references is rejected when compiling it takes too long', async () => {
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
