// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { z } from 'zod';

/** Tools that are only listed: the same as `bare/dummies.mjs` has in JSON Schema. */
export function dummies(count) {
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    name: `dummy_${index + 1}`,
    description: `Searches collection ${index + 1} and gives back what was found, best first.`,
    schema: z.object({
      query: z.string().describe('What to search for, in plain words'),
      limit: z.number().int().min(1).max(100).describe('How many results to give at most'),
      tags: z.array(z.string()).describe('Only results that have all of these tags'),
      order: z.enum(['relevance', 'newest', 'oldest']),
      options: z.object({ exact: z.boolean(), language: z.string() }),
    }),
  }));
}
