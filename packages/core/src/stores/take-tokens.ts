import type { TokenBucketResult, TokenBucket } from './store.ts';

/** Tolerance for rounding errors of tokens. */
export const epsilon = 1e-6;

/** Takes whole tokens from a bucket that held `tokens` this long ago, at most as many as it holds now. */
export function takeTokens(
  { size, perMs }: TokenBucket,
  tokens: number,
  elapsedMs: number,
  wanted: number,
): TokenBucketResult {
  const available = Math.min(size, tokens + elapsedMs * perMs);
  const taken = wanted < 0 ? wanted : Math.min(wanted, Math.floor(available + epsilon));
  return { taken, left: Math.min(size, available - taken) };
}
