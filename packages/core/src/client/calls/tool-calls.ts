import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { type Params, isObject } from '../../jsonrpc/message.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { CallToolResult, Result } from '../../protocol/results.ts';
import type { Connection } from '../connection/connection.ts';
import type { RequestHooks } from '../connection/sent-request.ts';
import { type RequestOptions, toCallOptions, isDeduplicated } from '../request-options.ts';
import type { CachedRequests } from './cached-requests.ts';
import { OutputValidator } from './output-check.ts';
import { createListing, type Listing } from './paged-list.ts';
import { limits } from '../../limits.ts';
import { ConnectionError } from '../errors.ts';
import { delay } from '../abort-signals.ts';
import { maxCachedTools } from '../transport.ts';

/** Lists and calls tools. The list says which results to validate, and which calls may be repeated. */
export class ToolCalls {
  readonly #connection: Connection;
  readonly #requests: CachedRequests;
  readonly #outputValidator = new OutputValidator();
  readonly #repeatable = new RepeatableTools();
  /** Definitions that did not come from the list. */
  readonly #unlisted = new Map<string, ToolListing>();
  readonly #retryHooks: RequestHooks = {
    recover: (error, params, options) => this.#recover(error, params, options),
  };
  readonly #callHooks: RequestHooks = {
    ...this.#retryHooks,
    finish: (result, params) => this.finish(params?.name as string, result),
  };

  constructor(connection: Connection, requests: CachedRequests) {
    this.#connection = connection;
    this.#requests = requests;
  }

  /** The tools, page by page. */
  list(options?: RequestOptions): Listing<ToolListing> {
    return createListing('tools', async (cursor) => {
      const page = await this.#requests.requestPage('tools/list', cursor, options);
      this.#record(page.tools, cursor);
      if (cursor === undefined) this.#record(Array.from(this.#unlisted.values()), 'unlisted');
      return page;
    });
  }

  /** Records tools that are not in the list, such as those of a group. */
  recordUnlisted(tools: readonly ToolListing[]): void {
    for (const tool of tools) {
      this.#unlisted.delete(tool.name);
      const [oldest] = this.#unlisted.keys();
      if (this.#unlisted.size >= maxUnlistedTools) this.#unlisted.delete(oldest as string);
      this.#unlisted.set(tool.name, tool);
    }
    this.#record(tools, 'unlisted');
  }

  #record(tools: unknown, cursor: string | undefined): void {
    this.#outputValidator.recordTools(tools, cursor);
    this.#repeatable.recordTools(tools, cursor);
  }

  /** Calls a tool and validates its result. */
  call(name: string, args: Record<string, unknown>, options: RequestOptions | undefined): Promise<CallToolResult> {
    try {
      this.prepare(name);
    } catch (error) {
      return Promise.reject(error);
    }
    const params = { name, arguments: args };
    const called = this.#connection.request('tools/call', params, toCallOptions(options), this.#callHooks);
    return called as Promise<CallToolResult>;
  }

  /** Calls a tool and returns its result unchanged, even if it is of an extension's type. */
  callWithoutFollowing(params: Params, options: RequestOptions): Promise<Result> {
    const unfollowed = { ...toCallOptions(options), follow: false };
    return this.#connection.request('tools/call', params, unfollowed, this.#retryHooks);
  }

  /** Throws if results of the tool could not be validated. */
  prepare(name: string): void {
    if (this.#connection.options.checkOutput !== false) this.#outputValidator.compile(name);
  }

  /** Returns the tool's final result if it matches the output schema. */
  finish(name: string, result: Result): CallToolResult | Promise<CallToolResult> {
    return this.#outputValidator.validate(name, result);
  }

  /**
   * Retries after a lost connection. After a header mismatch, lists the tools again: headers repeat arguments as the
   * list says, so the list was stale.
   */
  async #recover(error: unknown, params: Params | undefined, options: RequestOptions): Promise<Result> {
    if (!(error instanceof ProtocolError) || error.code !== ErrorCode.HeaderMismatch) {
      const mayRepeat = this.#repeatable.has(params?.name);
      return retryCall(this.#connection, error, { params, options, mayRepeat });
    }
    await this.list({ fresh: true }).all();
    return this.#connection.request('tools/call', params, options);
  }
}

/** The maximum cached tools that are not in the list. */
const maxUnlistedTools = 1000;
/** The delay before the first retry; it doubles with each further one. */
const firstRetryMs = 200;
const neverAborted = new AbortController().signal;

/** The tools that the server marks as safe to call twice. */
class RepeatableTools {
  readonly #names = new Set<string>();

  /** Records the tools of a page that are safe to repeat. The first page restarts the list. */
  recordTools(tools: unknown, cursor: string | undefined): void {
    if (cursor === undefined) this.#names.clear();
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== 'string' || !isObject(tool.annotations)) continue;
      const { readOnlyHint, idempotentHint } = tool.annotations;
      const isRepeatable = readOnlyHint === true || idempotentHint === true;
      if (isRepeatable && this.#names.size < maxCachedTools) this.#names.add(tool.name);
      else this.#names.delete(tool.name);
    }
  }

  has(name: unknown): boolean {
    return this.#names.has(name as string);
  }
}

/** Retries a tool call after a lost connection, with exponential backoff. Throws the last error. */
async function retryCall(
  connection: Connection,
  error: unknown,
  { params, options, mayRepeat }: { params: Params | undefined; options: RequestOptions; mayRepeat: boolean },
): Promise<Result> {
  const { retries = connection.options.retries ?? limits.client.retries.value } = options;
  let last = error;
  if (!mayRepeat && !isDeduplicated(options)) throw error;
  for (let tries = 0; tries < retries && last instanceof ConnectionError; tries++) {
    await delay(firstRetryMs * 2 ** tries, options.signal ?? neverAborted);
    // A server on a pipe can't be reconnected.
    if (connection.lifecycle.isClosed || options.signal?.aborted === true) break;
    try {
      return await connection.request('tools/call', params, options);
    } catch (retryError) {
      last = retryError;
    }
  }
  throw last;
}
