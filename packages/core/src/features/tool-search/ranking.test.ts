import { describe, expect, it } from 'vitest';
import { rankedTools, rankingQuestions } from './fixtures/ranking.ts';
import { createToolIndex } from './tool-index.ts';

/** The share of questions for which a right tool is among the first. */
function hitRate(first: number): number {
  const index = createToolIndex(rankedTools);
  const hits = rankingQuestions.filter(([question, ...tools]) =>
    index.search(question, first).some(({ tool }) => tools.includes(tool.name)),
  );
  return hits.length / rankingQuestions.length;
}

describe('the ranking of tools', () => {
  it('is measured with tools that exist', () => {
    const names = rankedTools.map(({ name }) => name);
    expect(rankingQuestions.flatMap(([, ...tools]) => tools).filter((name) => !names.includes(name))).toEqual([]);
  });

  // The bounds are a little below what was measured: a change that ranks worse must be deliberate.
  it.each([
    [1, 0.6],
    [5, 0.86],
  ])('has a right tool among the first %i as often as it used to', (first, share) => {
    expect(hitRate(first)).toBeGreaterThanOrEqual(share);
  });
});
