import { toBase64Url } from '../../runtime/base64.ts';

/** How long an expired task is still known. */
export const keepMs = 60_000;

/** Maximum lifetime of a task. */
export const maxTtlMs = 7 * 24 * 60 * 60_000;

const randomBytes = 18;
const shape = /^([\w-]{24}\.([0-9a-z]{1,9})\.([0-9a-z]{1,6}))(\.[0-9a-z]{1,7})?$/;

/** The six bits that base64url writes as "-": a command line would take an id that begins with it for an option. */
const dash = 62;

/**
 * Creates a task id: 144 random bits (not beginning with "-"), the creation time and the lifetime. The latter two are
 * no secret, and save storing them, or asking the store for them. The stored id ends with a hash of its owner: other
 * callers look up another id, and learn nothing from the time that takes.
 */
export function createTaskId(start: number, ttlMs: number, principal?: string): string {
  const random = toBase64Url(nextRandom());
  // Joined: appending would keep several strings alive for the lifetime of the task.
  return [random, start.toString(36), ttlMs.toString(36), ...ownerHash(principal)].join('.');
}

/** Random bytes for many ids: one call for all of them hardly costs more than for one. */
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

/** The id that clients see: without the owner's hash. */
export function publicTaskId(id: string): string {
  return shape.exec(id)?.[1] ?? id;
}

/** The stored ids that a caller's task id may have: the caller's own, and an anonymous one. */
export function storedTaskIds(taskId: string, principal: string | undefined): readonly string[] {
  if (publicTaskId(taskId) !== taskId) return [];
  const [mark] = ownerHash(principal);
  return mark === undefined ? [taskId] : [`${taskId}.${mark}`, taskId];
}

/** True if the id may belong to the principal. The record decides. */
export function mayBelongTo(id: string, principal: string | undefined): boolean {
  return storedTaskIds(publicTaskId(id), principal)[0] === id;
}

/** How long a task with this id is still known, in milliseconds; 0 or less if it is not. */
export function remainingLifetime(id: string, now: number): number {
  const end = expiryOf(id);
  if (Number.isNaN(end)) return 0;
  return Math.min(end - now, maxTtlMs) + keepMs;
}

/** When a task with this id expires; NaN for other texts. */
export function expiryOf(id: string): number {
  const [, , start = '', ttlMs = ''] = shape.exec(id) ?? [];
  return Number.parseInt(start, 36) + Number.parseInt(ttlMs, 36);
}

/** When a task with this id was created; NaN for other texts. */
export function creationTimeOf(id: string): number {
  return Number.parseInt(shape.exec(id)?.[2] ?? '', 36);
}

/** FNV-1a: short and synchronous. It is not public, and the record has the last word. */
function ownerHash(principal: string | undefined): [string] | [] {
  if (principal === undefined) return [];
  let hash = 0x811c9dc5;
  for (let at = 0; at < principal.length; at += 1) hash = Math.imul(hash ^ principal.charCodeAt(at), 0x01000193);
  return [(hash >>> 0).toString(36)];
}
