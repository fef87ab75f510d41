import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JsonSchema } from '../infer.ts';
import { loadValidator } from '../validator.ts';
import { instances, schemaPairs } from './fixtures/random-schema.ts';
import { type Node, readSchema } from './schema-node.ts';
import { Subsumption } from './subsumption.ts';

beforeAll(loadValidator);

function readIfValid(schema: JsonSchema): Node | undefined {
  try {
    return readSchema(schema);
  } catch {
    return undefined;
  }
}

describe('a proof that all values of a schema are valid for another one', () => {
  it('holds for every value', () => {
    const counts = { yes: 0, no: 0, unknown: 0, tried: 0, invalid: 0 };
    fc.assert(
      fc.property(schemaPairs, fc.array(instances, { minLength: 30, maxLength: 60 }), ([before, after], values) => {
        const [one, other] = [readIfValid(before), readIfValid(after)];
        if (one === undefined || other === undefined) {
          counts.invalid++;
          return;
        }
        for (const [from, to, fromSchema, toSchema] of [
          [one, other, before, after],
          [other, one, after, before],
        ] as const) {
          const verdict = new Subsumption().implies([from], to, { isClosed: false, level: 0 });
          counts[verdict] += 1;
          if (verdict !== 'yes') continue;
          const isValid = compileSchema(fromSchema, { side: 'output' });
          const isStill = compileSchema(toSchema, { side: 'output' });
          for (const value of values) {
            const first = isValid.check(value) as { ok: boolean };
            if (!first.ok) continue;
            counts.tried += 1;
            expect({ value, valid: (isStill.check(value) as { ok: boolean }).ok }).toEqual({ value, valid: true });
          }
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 2000) },
    );
    console.log(counts);
  });
});
