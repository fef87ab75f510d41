import { limits } from '../../../limits.ts';

const firstMs = limits.clientTasks.firstPollMs.value;
const usualMs = limits.clientTasks.pollMs.value;
const shortestMs = limits.clientTasks.shortestPollMs.value;
const longestMs = limits.clientTasks.longestPollMs.value;
const safetyMs = limits.clientTasks.safetyPollMs.value;

/** How long to wait before a task is looked at again, in milliseconds. */
export function pollPause(
  /** How often it was looked at. */
  looks: number,
  /** What the server asks for at the moment. */
  askedMs: number = usualMs,
  { isHeard = false, random = Math.random }: { isHeard?: boolean; random?: () => number } = {},
): number {
  const wantedMs = Math.min(Math.max(askedMs, shortestMs), longestMs);
  if (isHeard) return spread(Math.max(wantedMs, safetyMs), random);
  // Short work has ended before the server would have it asked for; so the first looks come sooner.
  return spread(Math.min(firstMs * 2 ** looks, wantedMs), random);
}

/** A tenth more or less, so that many clients don't ask at once. */
function spread(ms: number, random: () => number): number {
  return Math.round(ms * (0.9 + 0.2 * random()));
}
