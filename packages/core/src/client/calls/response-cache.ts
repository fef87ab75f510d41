import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Change } from '../subscriptions/subscription.ts';
import { limits } from '../../limits.ts';
import { jsonLength } from '../../jsonrpc/size.ts';

interface CachedResponse {
  /** As JSON, of which each reader gets a copy. */
  text: string;
  until: number;
}

const maxEntries = limits.client.cachedAnswers.value;
const maxLength = limits.client.cachedLength.value;

/** Keeps answers as long as the server said they hold. One client has one cache, so nothing crosses between users. */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>();
  #length = 0;

  /** A copy of what was answered to the same question, if that still holds. */
  get(method: string, params: Params | undefined): Result | undefined {
    if (this.#entries.size === 0) return undefined;
    const key = cacheKey(method, params);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > performance.now()) return JSON.parse(entry.text) as Result;
    this.#delete(key);
    return undefined;
  }

  /** Keeps an answer that says how long it holds. */
  put(method: string, params: Params | undefined, result: Result): void {
    const { ttlMs } = result;
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    const key = cacheKey(method, params);
    this.#delete(key);
    const length = key.length + jsonLength(result);
    if (length > maxLength) return;
    const text = JSON.stringify(result);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < maxEntries && this.#length + length <= maxLength) break;
      this.#delete(oldest);
    }
    this.#entries.set(key, { text, until: performance.now() + ttlMs });
    this.#length += length;
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#length -= key.length + entry.text.length;
  }

  /** Forgets what a change made untrue. */
  invalidate(change: Change): void {
    for (const key of this.#entries.keys()) {
      if (isAffected(key, change)) this.#delete(key);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }
}

function cacheKey(method: string, params: Params | undefined): string {
  const { _meta, ...rest } = params ?? {};
  return `${method} ${JSON.stringify(rest)}`;
}

/** An updated address may lie below the one that was read, so all that was read is in doubt. */
function isAffected(key: string, change: Change): boolean {
  if (change.kind === 'resource') return key.startsWith('resources/read ');
  return key.startsWith(`${change.kind}/`);
}
