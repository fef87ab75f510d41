import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Change } from '../subscriptions/subscription.ts';
import { jsonLength } from '../../jsonrpc/size.ts';

interface CachedResponse {
  /** JSON, so that each reader gets a copy. */
  text: string;
  until: number;
}

/** The maximum cached responses. */
const maxEntries = 1000;
/** The maximum length of all cached responses, in characters. */
const maxLength = 32 * 1024 * 1024;

/** Caches responses for as long as their `ttlMs` says. Each client has its own cache, so users never share entries. */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>();
  #length = 0;

  /** A copy of a cached response that has not expired. */
  get(method: string, params: Params | undefined): Result | undefined {
    if (this.#entries.size === 0) return undefined;
    const key = cacheKey(method, params);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > performance.now()) return JSON.parse(entry.text) as Result;
    this.#delete(key);
    return undefined;
  }

  /** Caches a response that has a `ttlMs`. */
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

  /** Drops the entries that a change made stale. */
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

/** An updated URI may lie below one that was read, so every cached read is affected. */
function isAffected(key: string, change: Change): boolean {
  if (change.kind === 'resource') return key.startsWith('resources/read ');
  return key.startsWith(`${change.kind}/`);
}
