import { limits } from '../../limits.ts';
import { toBase64Url } from '../../runtime/base64.ts';

const randomBytes = 18;
const shape = /^[\w-]{24}\.([0-9a-z]{1,9})\.([0-9a-z]{1,6})$/;

/**
 * Makes the id of a task: 144 random bits, when it began, and for how long it is kept. The latter two are no secret; they save
 * writing them down beside it, and asking the store how long it is to keep what is read.
 */
export function newTaskId(start: number, ttlMs: number): string {
  const random = toBase64Url(crypto.getRandomValues(new Uint8Array(randomBytes)));
  // Joined, not appended: that would be several texts, for as long as the task is known.
  return [random, start.toString(36), ttlMs.toString(36)].join('.');
}

/** For how much longer a task with this id is known, in milliseconds; not above 0 where it is not, or never was. */
export function lifeIn(id: string, now: number): number {
  const end = endIn(id);
  if (Number.isNaN(end)) return 0;
  return Math.min(end - now, limits.tasks.maxTtlMs.value) + limits.tasks.keepMs.value;
}

/** When the time of a task with this id is over; NaN where it is no id. */
export function endIn(id: string): number {
  const [, start = '', ttlMs = ''] = shape.exec(id) ?? [];
  return Number.parseInt(start, 36) + Number.parseInt(ttlMs, 36);
}

/** When a task with this id began; NaN where it is no id. */
export function startIn(id: string): number {
  return Number.parseInt(shape.exec(id)?.[1] ?? '', 36);
}
