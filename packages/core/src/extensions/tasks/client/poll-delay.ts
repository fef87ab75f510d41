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
  /** What the server asks for at the moment: it is never looked at sooner. */
  askedMs: number | undefined,
  { isHeard = false, random = Math.random }: { isHeard?: boolean; random?: () => number } = {},
): number {
  // Short work ends soon; so the first looks come sooner where the server does not mind.
  const wantedMs =
    askedMs === undefined
      ? Math.min(firstMs * 2 ** looks, usualMs)
      : Math.min(Math.max(askedMs, shortestMs), longestMs);
  return spread(isHeard ? Math.max(wantedMs, safetyMs) : wantedMs, random);
}

/** Up to a tenth more, so that many clients don't ask at once. */
function spread(ms: number, random: () => number): number {
  return Math.ceil(ms * (1 + 0.1 * random()));
}
