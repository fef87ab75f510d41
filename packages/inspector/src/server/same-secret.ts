import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same; how long that takes says nothing of where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
