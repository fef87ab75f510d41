import { bytesPerToken } from '../../client/calls/token-estimate.ts';
import { text } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { looksLikeLog } from './cut-text.ts';
import { paginate } from './paginate.ts';
import type { ResultBudgetOptions } from './result-budget.ts';
import { fits } from './size.ts';

/**
 * The content that `resultBudget` would give of a result, up to the cursor and the link to the rest; undefined if the result is
 * within the budget. Keeps nothing.
 */
export function firstPage(
  result: CallToolResult,
  { tokens = 10_000, isLog = looksLikeLog }: Pick<ResultBudgetOptions, 'tokens' | 'isLog'> = {},
): CallToolResult['content'] | undefined {
  const limit = tokens * bytesPerToken;
  if (fits(result, { textBytes: limit, bytes: Number.POSITIVE_INFINITY })) return undefined;
  const { first } = paginate(result, { limit, maxKept: Number.POSITIVE_INFINITY, isLog });
  return [...first.content, text(`Showing ${first.label}; read the rest with read_more.`)];
}
