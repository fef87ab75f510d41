import type { Params } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import type { Change } from './change.ts';
import { limits } from '../limits.ts';

interface Kept {
  result: Result;
  until: number;
}

const mostKept = limits.client.cachedAnswers.value;

/** Keeps answers as long as the server said they hold. One client has one cache, so nothing crosses between users. */
export class Cache {
  readonly #kept = new Map<string, Kept>();

  /** A copy of what was answered to the same question, if that still holds. */
  get(method: string, params: Params | undefined): Result | undefined {
    if (this.#kept.size === 0) return undefined;
    const key = keyOf(method, params);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (kept.until > Date.now()) return structuredClone(kept.result);
    this.#kept.delete(key);
    return undefined;
  }

  /** Keeps an answer that says how long it holds. */
  put(method: string, params: Params | undefined, result: Result): void {
    const { ttlMs } = result;
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    const key = keyOf(method, params);
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostKept) this.#kept.delete(oldest as string);
    this.#kept.set(key, { result: structuredClone(result), until: Date.now() + ttlMs });
  }

  /** Forgets what a change made untrue. */
  drop(change: Change): void {
    for (const key of this.#kept.keys()) {
      if (isTouched(key, change)) this.#kept.delete(key);
    }
  }

  clear(): void {
    this.#kept.clear();
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
