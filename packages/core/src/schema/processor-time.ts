import { hasNode } from '../runtime/kind.ts';

/** For how long this process has been busy, in milliseconds; where nobody says, the clock stands for it. */
export const processorMs: () => number = hasNode ? usedByProcess : () => performance.now();

function usedByProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
