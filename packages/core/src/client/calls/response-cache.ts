import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Change } from '../subscriptions/subscription.ts';
import { limits } from '../../limits.ts';
import { jsonLength } from '../../jsonrpc/size.ts';

interface Kept {
  /** As JSON, of which each reader gets a copy. */
  text: string;
  until: number;
}

const mostKept = limits.client.cachedAnswers.value;
const longest = limits.client.cachedLength.value;

/** Keeps answers as long as the server said they hold. One client has one cache, so nothing crosses between users. */
export class Cache {
  readonly #kept = new Map<string, Kept>();
  #length = 0;

  /** A copy of what was answered to the same question, if that still holds. */
  get(method: string, params: Params | undefined): Result | undefined {
    if (this.#kept.size === 0) return undefined;
    const key = keyOf(method, params);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (kept.until > performance.now()) return JSON.parse(kept.text) as Result;
    this.#forget(key);
    return undefined;
  }

  /** Keeps an answer that says how long it holds. */
  put(method: string, params: Params | undefined, result: Result): void {
    const { ttlMs } = result;
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    const key = keyOf(method, params);
    this.#forget(key);
    const length = key.length + jsonLength(result);
    if (length > longest) return;
    const text = JSON.stringify(result);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < mostKept && this.#length + length <= longest) break;
      this.#forget(oldest);
    }
    this.#kept.set(key, { text, until: performance.now() + ttlMs });
    this.#length += length;
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#length -= key.length + kept.text.length;
  }

  /** Forgets what a change made untrue. */
  drop(change: Change): void {
    for (const key of this.#kept.keys()) {
      if (isTouched(key, change)) this.#forget(key);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#length = 0;
  }
}

function keyOf(method: string, params: Params | undefined): string {
  const { _meta, ...rest } = params ?? {};
  return `${method} ${JSON.stringify(rest)}`;
}

/** An updated address may lie below the one that was read, so all that was read is in doubt. */
function isTouched(key: string, change: Change): boolean {
  if (change.kind === 'resource') return key.startsWith('resources/read ');
  return key.startsWith(`${change.kind}/`);
}
