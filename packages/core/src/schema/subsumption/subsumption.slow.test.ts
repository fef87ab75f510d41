import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JsonSchema } from '../infer.ts';
import { loadValidator } from '../validator.ts';
import { instances, schemaPairs } from './fixtures/random-schema.ts';
import { readSchema } from './schema-node.ts';
import { Subsumption } from './subsumption.ts';

beforeAll(loadValidator);

/** The verdict, and how to check values; undefined for a schema that can't be used. */
function compare(
  from: JsonSchema,
  to: JsonSchema,
): { isProven: boolean; violates(value: unknown): boolean } | undefined {
  try {
    const [premise, goal] = [readSchema(from), readSchema(to)];
    const checks = [from, to].map((schema) => compileSchema(schema, { side: 'output' }));
    const verdicts = (value: unknown): boolean[] => checks.map((each) => (each.check(value) as { ok: boolean }).ok);
    return {
      isProven: new Subsumption().implies([premise], goal, { isClosed: false, level: 0 }) === 'yes',
      violates: (value) => String(verdicts(value)) === 'true,false',
    };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The validator applies "unevaluatedProperties" to arrays too. */
function isDisputed(value: unknown, schemas: readonly JsonSchema[]): boolean {
  return /\[/.test(JSON.stringify(value)) && /unevaluatedProperties/.test(JSON.stringify(schemas));
}

describe('a proof that all values of a schema are valid for another one', () => {
  it('holds for every value', () => {
    const counts = { proven: 0, open: 0 };
    fc.assert(
      fc.property(schemaPairs, fc.array(instances, { minLength: 30, maxLength: 60 }), ([before, after], values) => {
        for (const [from, to] of [
          [before, after],
          [after, before],
        ] as const) {
          const compared = compare(from, to);
          if (compared === undefined) continue;
          counts[compared.isProven ? 'proven' : 'open'] += 1;
          if (!compared.isProven) continue;
          const violation = values.find((value) => !isDisputed(value, [from, to]) && compared.violates(value));
          expect(violation).toBeUndefined();
        }
      }),
      { numRuns: 2000 },
    );
    // Neither all nor nothing is proven.
    expect(counts.proven).toBeGreaterThan(500);
    expect(counts.open).toBeGreaterThan(100);
  });
});
