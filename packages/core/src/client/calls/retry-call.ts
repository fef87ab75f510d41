import { isObject, type Params } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import type { Conversation } from '../connection/connection.ts';
import { ConnectionError } from '../errors.ts';
import { pause } from '../abort-signals.ts';
import type { RequestOptions } from '../request-options.ts';

const mostTools = limits.client.knownTools.value;
const firstPauseMs = limits.client.retryPauseMs.value;
const untilAborted = new AbortController().signal;

/** The tools that a server says may be called twice with the effect of once. */
export class RepeatableTools {
  readonly #names = new Set<string>();

  /** Remembers the tools of a page that say so. The first page begins the list anew. */
  learn(tools: unknown, cursor: string | undefined): void {
    if (cursor === undefined) this.#names.clear();
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.annotations)) continue;
      const { readOnlyHint, idempotentHint } = tool.annotations;
      const isRepeatable = readOnlyHint === true || idempotentHint === true;
      if (isRepeatable && this.#names.size < mostTools) this.#names.add(tool.name);
      else this.#names.delete(tool.name);
    }
  }

  has(name: unknown): boolean {
    return this.#names.has(name as string);
  }
}

/** The options of a call, with its key where the server reads it. */
export function withKey(options: RequestOptions | undefined): RequestOptions | undefined {
  if (options?.idempotencyKey === undefined) return options;
  return { ...options, meta: { ...options.meta, [idempotencyMetaKey]: options.idempotencyKey } };
}

/** Calls a tool again whose connection was lost, as often as it may be. Throws the error of the last time. */
export async function callAgain(
  conversation: Conversation,
  error: unknown,
  { params, options, mayRepeat }: { params: Params | undefined; options: RequestOptions; mayRepeat: boolean },
): Promise<Result> {
  const { retries = conversation.options.retries ?? limits.client.retries.value } = options;
  let last = error;
  if (!mayRepeat && options.meta?.[idempotencyMetaKey] === undefined) throw error;
  for (let tries = 0; tries < retries && last instanceof ConnectionError; tries++) {
    await pause(firstPauseMs * 2 ** tries, options.signal ?? untilAborted);
    // A server on a pipe does not come back.
    if (conversation.isOver || options.signal?.aborted === true) break;
    try {
      return await conversation.request('tools/call', params, options);
    } catch (again) {
      last = again;
    }
  }
  throw last;
}
