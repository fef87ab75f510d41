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

/** The tools that the server marks as safe to call twice. */
export class RepeatableTools {
  readonly #names = new Set<string>();

  /** Records the tools of a page that are safe to repeat. The first page restarts the list. */
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

/** Adds the idempotency key of a call to its `_meta`. */
export function withIdempotencyKey(options: RequestOptions | undefined): RequestOptions | undefined {
  if (options?.idempotencyKey === undefined) return options;
  return { ...options, meta: { ...options.meta, [idempotencyMetaKey]: options.idempotencyKey } };
}

/** Retries a tool call after a lost connection, with exponential backoff. Throws the last error. */
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
