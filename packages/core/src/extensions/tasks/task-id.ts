import { limits } from '../../limits.ts';
import { toBase64Url } from '../../runtime/base64.ts';

const randomBytes = 18;
const shape = /^([\w-]{24}\.([0-9a-z]{1,9})\.([0-9a-z]{1,6}))(\.[0-9a-z]{1,7})?$/;

/** The six bits that base64url writes as "-": an id that begins with it is taken for an option on a command line. */
const dash = 62;

/**
 * Makes the id of a task: 144 random bits, less those that begin with "-", then when it began, and for how long it is kept. The
 * latter two are no secret; they save writing them down beside it, and asking the store how long it is to keep what is read.
 * Where it is kept, the id ends with a mark of its owner: looked for by anybody else, it is not there, and takes no longer than
 * any other that is not.
 */
export function createTaskId(start: number, ttlMs: number, principal?: string): string {
  const random = toBase64Url(nextRandom());
  // Joined, not appended: that would be several texts, for as long as the task is known.
  return [random, start.toString(36), ttlMs.toString(36), ...ownerHash(principal)].join('.');
}

/** Asked for several at once, which takes hardly longer than for one. */
const pool = new Uint8Array(64 * randomBytes);
let used = pool.length;

function nextRandom(): Uint8Array {
  do {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    used += randomBytes;
  } while ((pool[used - randomBytes] as number) >> 2 === dash);
  return pool.subarray(used - randomBytes, used);
}

/** The id of a task as clients know it: without the mark of its owner. */
export function publicTaskId(id: string): string {
  return shape.exec(id)?.[1] ?? id;
}

/** Where to look for a task that a caller names: among their own, and among those that are nobody's. */
export function storedTaskIds(taskId: string, principal: string | undefined): readonly string[] {
  if (publicTaskId(taskId) !== taskId) return [];
  const [mark] = ownerHash(principal);
  return mark === undefined ? [taskId] : [`${taskId}.${mark}`, taskId];
}

/** True for the id of a task that may belong to this principal. Whether it does is said by the record. */
export function mayBelongTo(id: string, principal: string | undefined): boolean {
  return storedTaskIds(publicTaskId(id), principal)[0] === id;
}

/** For how much longer a task with this id is known, in milliseconds; not above 0 where it is not, or never was. */
export function remainingLifetime(id: string, now: number): number {
  const end = expiryOf(id);
  if (Number.isNaN(end)) return 0;
  return Math.min(end - now, limits.tasks.maxTtlMs.value) + limits.tasks.keepMs.value;
}

/** When the time of a task with this id is over; NaN where it is no id. */
export function expiryOf(id: string): number {
  const [, , start = '', ttlMs = ''] = shape.exec(id) ?? [];
  return Number.parseInt(start, 36) + Number.parseInt(ttlMs, 36);
}

/** When a task with this id began; NaN where it is no id. */
export function creationTimeOf(id: string): number {
  return Number.parseInt(shape.exec(id)?.[2] ?? '', 36);
}

/** Nobody outside sees it, and the record has the last word: it may be short, and no digest that has to be waited for (FNV-1a). */
function ownerHash(principal: string | undefined): [string] | [] {
  if (principal === undefined) return [];
  let hash = 0x811c9dc5;
  for (let at = 0; at < principal.length; at += 1) hash = Math.imul(hash ^ principal.charCodeAt(at), 0x01000193);
  return [(hash >>> 0).toString(36)];
}
