import type { ClientCapabilities } from '../protocol/capabilities.ts';
import { idempotencyMetaKey, type Meta } from '../protocol/meta.ts';
import type { AbortSignalLike } from './abort-signals.ts';
import type { Progress } from './connection/pending-requests.ts';

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignalLike;
  timeoutMs?: number;
  maxTimeoutMs?: number;
  onProgress?: (progress: Progress) => void;
  /** Extra members for `_meta`. */
  meta?: Meta;
  /** Bypasses the response cache. */
  fresh?: boolean;
  /**
   * A unique text: a server that supports idempotency keys serves the call once, however often it is sent. For
   * `callTool`.
   */
  idempotencyKey?: string;
  /** Like `retries` of `connect`, for this tool call. */
  retries?: number;
  /** False: returns a result of an extension's type without following it. For `request`. */
  follow?: boolean;
  /** True: returns the result unchanged, even if it asks for input. For `request`: gateways forward it. */
  raw?: boolean;
  /** The capabilities to declare in this request, where each request declares them. Default: those of the connection. */
  capabilities?: ClientCapabilities;
}

/** The options of a tool call, with its idempotency key in `_meta`. */
export function toCallOptions(options: RequestOptions | undefined): RequestOptions | undefined {
  if (options?.idempotencyKey === undefined) return options;
  return { ...options, meta: { ...options.meta, [idempotencyMetaKey]: options.idempotencyKey } };
}

/** The options of requests that follow from a call: its progress and its idempotency key belong to that call alone. */
export function toFollowUpOptions({
  onProgress: _,
  idempotencyKey: __,
  meta,
  ...rest
}: RequestOptions): RequestOptions {
  if (meta === undefined) return rest;
  const { [idempotencyMetaKey]: ___, ...others } = meta;
  return { ...rest, meta: others };
}

/** True if the server runs a call with these options once, however often it is sent. */
export function isDeduplicated({ meta }: RequestOptions): boolean {
  return meta?.[idempotencyMetaKey] !== undefined;
}
