// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
/** Tools that are only listed, in JSON Schema: the same as `../dummies.mjs` has in zod. */
export function dummies(count) {
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    name: `dummy_${index + 1}`,
    description: `Searches collection ${index + 1} and gives back what was found, best first.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to search for, in plain words' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many results to give at most' },
        tags: { type: 'array', items: { type: 'string' }, description: 'Only results that have all of these tags' },
        order: { type: 'string', enum: ['relevance', 'newest', 'oldest'] },
        options: {
          type: 'object',
          properties: { exact: { type: 'boolean' }, language: { type: 'string' } },
          required: ['exact', 'language'],
        },
      },
      required: ['query', 'limit', 'tags', 'order', 'options'],
    },
  }));
}
