import { isObject, type Params } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import type { Connection } from '../connection/connection.ts';
import { ConnectionError } from '../errors.ts';
import { delay } from '../abort-signals.ts';
import type { RequestOptions } from '../request-options.ts';

const maxTools = limits.client.knownTools.value;
const firstRetryMs = limits.client.retryPauseMs.value;
const neverAborted = new AbortController().signal;

/** The tools that a server says may be called twice with the effect of once. */
export class RepeatableTools {
  readonly #names = new Set<string>();

  /** Remembers the tools of a page that say so. The first page begins the list anew. */
  recordTools(tools: unknown, cursor: string | undefined): void {
    if (cursor === undefined) this.#names.clear();
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.annotations)) continue;
      const { readOnlyHint, idempotentHint } = tool.annotations;
      const isRepeatable = readOnlyHint === true || idempotentHint === true;
      if (isRepeatable && this.#names.size < maxTools) this.#names.add(tool.name);
      else this.#names.delete(tool.name);
    }
  }

  has(name: unknown): boolean {
    return this.#names.has(name as string);
  }
}

/** The options of a call, with its key where the server reads it. */
export function withIdempotencyKey(options: RequestOptions | undefined): RequestOptions | undefined {
  if (options?.idempotencyKey === undefined) return options;
  return { ...options, meta: { ...options.meta, [idempotencyMetaKey]: options.idempotencyKey } };
}

/** Calls a tool again whose connection was lost, as often as it may be. Throws the error of the last time. */
export async function retryCall(
  connection: Connection,
  error: unknown,
  { params, options, mayRepeat }: { params: Params | undefined; options: RequestOptions; mayRepeat: boolean },
): Promise<Result> {
  const { retries = connection.options.retries ?? limits.client.retries.value } = options;
  let last = error;
  if (!mayRepeat && options.meta?.[idempotencyMetaKey] === undefined) throw error;
  for (let tries = 0; tries < retries && last instanceof ConnectionError; tries++) {
    await delay(firstRetryMs * 2 ** tries, options.signal ?? neverAborted);
    // A server on a pipe does not come back.
    if (connection.isClosed || options.signal?.aborted === true) break;
    try {
      return await connection.request('tools/call', params, options);
    } catch (retryError) {
      last = retryError;
    }
  }
  throw last;
}
