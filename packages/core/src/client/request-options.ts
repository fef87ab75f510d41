import type { Meta } from '../protocol/meta.ts';
import type { Progress } from './connection/pending-requests.ts';

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignal;
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
  /** False: a result of an extension's type is returned as it is. For `request`. */
  follow?: boolean;
}
